package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// repository runs git in a directory. Its settings may come from an untrusted author, so git is run
// such that none of them names a program to run: it fetches nothing, prompts for nothing, writes
// nothing, and treats a bare repository among the files as plain files.
type repository struct {
	ctx context.Context
	dir string

	// what a repository has that weft makes itself, to fetch into; nil for the one that weft runs in
	env, settings []string
}

// settings override those of the repository. weft only runs lookups, which start none of these
// programs. If a later version of git starts one, it finds no such program.
var settings = []string{
	"safe.bareRepository=explicit",
	"protocol.allow=never",
	"core.fsmonitor=false",
	"core.hooksPath=" + os.DevNull,
	"core.attributesFile=" + os.DevNull,
	"core.sshCommand=false",
	"core.askPass=",
	"credential.helper=",
	"log.showSignature=false",
	"advice.graftFileDeprecated=false",
}

func (g repository) command(args ...string) *exec.Cmd {
	all := []string{"--no-pager", "--no-optional-locks"}
	own := settings
	if g.settings != nil {
		own = g.settings
	}
	for _, s := range own {
		all = append(all, "-c", s)
	}
	cmd := exec.CommandContext(g.ctx, "git", append(all, args...)...)
	cmd.Dir, cmd.Env = g.dir, g.env
	if g.env == nil {
		cmd.Env = environment(os.Environ())
	}
	return cmd
}

// keptVariables are the variables that select the repository and its content: hooks, for example, are
// called with them. All other variables that begin with GIT_ are dropped: they name programs, files to
// write, and ways around these settings.
var keptVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
	"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
}

// environment returns the environment variables for git.
func environment(all []string) []string {
	var env []string
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name) // on Windows, names in any case are the same
		switch {
		case name == "SSH_ASKPASS" || name == "LC_ALL":
		case strings.HasPrefix(name, "GIT_CONFIG_KEY_"), strings.HasPrefix(name, "GIT_CONFIG_VALUE_"),
			!strings.HasPrefix(name, "GIT_"), slices.Contains(keptVariables, name):
			env = append(env, v)
		}
	}
	return append(
		env,
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=", // no protocol: an older git without GIT_NO_LAZY_FETCH obeys this variable
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull,
		"LC_ALL=C", // messages are parsed
	)
}

func (g repository) run(args ...string) ([]byte, error) {
	return runCommand(g.command(args...))
}

// maxOutput is the maximum number of bytes that git may print: a repository of a few kilobytes can list
// billions of files. Lists of the largest public repositories have about 60 MiB.
const maxOutput = 128 << 20

// runCommand returns what a command prints. The error is the first line of its messages.
func runCommand(cmd *exec.Cmd) ([]byte, error) {
	out, messages := limited{left: maxOutput}, limited{left: 1 << 20}
	cmd.Stdout, cmd.Stderr = &out, &messages
	err := cmd.Run()
	if out.left < 0 {
		return nil, fmt.Errorf("it lists more than %d MiB of names", maxOutput>>20)
	}
	if err != nil {
		if text := strings.TrimSpace(string(messages.data)); text != "" {
			first, _, _ := strings.Cut(text, "\n")
			return nil, errors.New(strings.TrimPrefix(first, "fatal: "))
		}
		return nil, err
	}
	return out.data, nil
}

// limited is a buffer that refuses to become too large. The command that writes to it then ends.
type limited struct {
	data []byte
	left int // negative if there was more
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, io.ErrShortWrite
	}
	l.data = append(l.data, p...)
	return len(p), nil
}

// prefix returns the path of the directory below the top of the working tree, with a slash at its
// end. A git without safe.bareRepository would find a bare repository among the files of another
// one, unless it is restricted to working trees. GIT_DIR, if set, selects the repository.
func (g repository) prefix() (string, error) {
	inside, err := g.run("rev-parse", "--is-inside-work-tree")
	if err != nil {
		return "", g.failed(err)
	}
	if os.Getenv("GIT_DIR") == "" && strings.TrimSpace(string(inside)) != "true" {
		return "", g.failed(errors.New("the directory is not in a working tree"))
	}
	prefix, err := g.run("rev-parse", "--show-prefix")
	if err != nil {
		return "", g.failed(err)
	}
	return strings.TrimSuffix(string(prefix), "\n"), nil
}

// failed returns the error that git could not be run.
func (g repository) failed(err error) error {
	if g.ctx.Err() != nil {
		return context.Cause(g.ctx)
	}
	if missing := missingGit(err, "--rev"); missing != nil {
		return missing
	}
	d := diag.Failf(CodeRevision, "cannot read the git repository: %s", err)
	switch {
	case strings.Contains(err.Error(), "safe.bareRepository"):
		d.Message = "the directory is in a bare git repository, which weft uses only if you name it"
		d.WithHint("set the variable GIT_DIR to it, or run weft elsewhere")
	case strings.Contains(err.Error(), "not a git repository"):
		d.WithHint("run weft in a directory of the repository")
	}
	return d
}

// missingGit returns the error that there is no git to run, or nil.
func missingGit(err error, who string) *diag.Diagnostic {
	switch {
	case errors.Is(err, exec.ErrDot):
		return diag.Failf(CodeRevision, "%s needs git, but PATH leads to one in the current directory", who).
			WithHint("remove relative directories from PATH")
	case errors.Is(err, exec.ErrNotFound):
		return diag.Failf(CodeRevision, "%s needs git, which was not found", who).
			WithHint("install git, or add it to PATH")
	}
	return nil
}
