// Package git reads files from a revision of a git repository without checking it out: it asks git
// for the list of files, and for the bytes of files that are read.
package git

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"weft/internal/lang/diag"
)

// CodeRevision is the code of errors about a revision that cannot be read.
const CodeRevision diag.Code = "diff/revision"

// Revision is the files of a revision, below the directory in which it was opened.
type Revision struct {
	*tree
	batch *batch
	id    string
}

// Open opens a revision of the repository around a directory: a branch, a tag, a commit, or
// anything else that git understands. Its files are those below the directory. The caller must call
// Close.
func Open(ctx context.Context, dir, name string) (*Revision, error) {
	g := repository{ctx: ctx, dir: dir}
	prefix, err := g.prefix()
	if err != nil {
		return nil, err
	}
	id, err := g.id(name)
	if err != nil {
		return nil, err
	}
	list, err := g.run("ls-tree", "-r", "-z", "--long", "--full-tree", id)
	if err != nil && g.isPartial() {
		return nil, g.incomplete(name)
	}
	if err != nil {
		return nil, g.failed(err)
	}
	r := &Revision{batch: &batch{repository: g, name: name}, id: id}
	r.tree, err = parseTree(list, prefix, r.batch.read)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Close ends the process that reads files.
func (r *Revision) Close() { r.batch.close() }

// ID identifies the files of the revision.
func (r *Revision) ID() string { return r.id }

// Is reports whether Open would return the same files for a name. It returns false if that is
// unknown.
func (r *Revision) Is(name string) bool {
	id, err := r.batch.id(name)
	return err == nil && id == r.id
}

// id returns the name of the tree of a revision, whose files never change.
func (g repository) id(name string) (string, error) {
	id, err := g.run("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{tree}")
	if err != nil || bytes.HasPrefix(id, []byte("^")) { // what ^main excludes is no revision
		return "", g.unknown(name)
	}
	return strings.TrimSpace(string(id)), nil
}

// fewNames is how many branches and tags a hint may list.
const fewNames = 5

// unknown returns the error that there is no such revision, with a suggestion.
func (g repository) unknown(name string) error {
	if g.ctx.Err() != nil {
		return context.Cause(g.ctx)
	}
	if _, err := g.run("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}"); err == nil &&
		g.isPartial() {
		return g.incomplete(name)
	}
	d := diag.Failf(CodeRevision, "unknown revision '%s'", name)
	refs, err := g.run("for-each-ref", "--format=%(refname:short)")
	if err != nil {
		return d
	}
	names := append(strings.Fields(string(refs)), "HEAD")
	for _, n := range names {
		if strings.HasSuffix(n, "/"+name) {
			return d.WithHint("did you mean %s?", diag.InShell(n))
		}
	}
	if near := diag.Nearest(name, names); near != "" && near != name {
		return d.WithHint("did you mean %s?", diag.InShell(near))
	}
	if strings.HasPrefix(name, "-") || strings.Contains(name, ":") {
		return d // no branch or tag is called that
	}
	fetch := g.fetch(name)
	if n := len(names) - 1; 0 < n && n <= fewNames {
		return d.WithHint("the repository has %s; if %s is on a remote, fetch it first: %s",
			strings.Join(names[:n], ", "), name, fetch)
	}
	return d.WithHint("if it is on a remote, fetch it first: %s", fetch)
}

// fetch returns the command that fetches a branch, of the remote that its name begins with.
func (g repository) fetch(name string) string {
	remotes, err := g.run("remote")
	if err == nil {
		for remote := range strings.FieldsSeq(string(remotes)) {
			if branch, ok := strings.CutPrefix(name, remote+"/"); ok && remote[0] != '-' {
				return "git fetch " + diag.InShell(remote) + " " + diag.InShell(branch)
			}
		}
	}
	return "git fetch origin " + diag.InShell(strings.TrimPrefix(name, "origin/"))
}

// isPartial reports whether the repository has only some of its objects and would fetch others on
// demand. weft does not fetch any.
func (g repository) isPartial() bool {
	_, err := g.run("config", "--get-regexp", `^(extensions\.partialclone|remote\..*\.promisor)$`)
	return err == nil
}

// incomplete returns the error that some files of a revision are not in the repository.
func (g repository) incomplete(name string) error {
	d := diag.Failf(CodeRevision, "revision '%s' is not complete: the clone is partial, and weft fetches "+
		"nothing", name)
	if strings.HasPrefix(name, "-") {
		return d
	}
	return d.WithHint("get its files first: git archive --output %s %s", os.DevNull, diag.InShell(name))
}

// batch asks one process for the bytes of files, one after the other.
type batch struct {
	repository
	name string // the name of the revision

	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// read returns the bytes of an object.
func (b *batch) read(id string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.start(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return nil, fmt.Errorf("git: %w", err)
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git: %w", err)
	}
	words := strings.Fields(head)
	if len(words) != 3 && b.isPartial() {
		return nil, b.incomplete(b.name)
	}
	if len(words) != 3 {
		return nil, fmt.Errorf("git has no object %s", strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(words[2])
	if err != nil {
		return nil, fmt.Errorf("git: %w", err)
	}
	data := make([]byte, size+1) // one more for the line break that follows
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, fmt.Errorf("git: %w", err)
	}
	return data[:size:size], nil
}

func (b *batch) start() error {
	if b.cmd != nil {
		return nil
	}
	cmd := b.command("cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return b.failed(err)
	}
	b.cmd, b.in, b.out = cmd, in, bufio.NewReader(out)
	return nil
}

func (b *batch) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cmd != nil {
		_ = b.in.Close() // this ends the process
		_ = b.cmd.Wait()
		b.cmd = nil
	}
}

// LastChange returns the last commit that changed a file on disk, or "" if that is unknown.
func LastChange(ctx context.Context, dir, file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	out, err := repository{ctx: ctx, dir: dir}.run("log", "-1", "--format=%H", "--no-show-signature",
		"--no-ext-diff", "--", ":(literal)"+abs)
	id := strings.TrimSpace(string(out))
	if err != nil || !isCommit(id) {
		return ""
	}
	return id
}
