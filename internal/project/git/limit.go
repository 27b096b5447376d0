package git

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"weft/internal/lang/diag"
	"weft/internal/project/program"
)

// lookInterval is how often the size of what git fetches is measured: git has no limit for it.
const lookInterval = 100 * time.Millisecond

// runLimited runs git, and ends it and the programs that it has started once the private directory is larger
// than allowed.
func (r *Remote) runLimited(args ...string) error {
	ctx, end := context.WithCancelCause(r.ctx)
	over := make(chan struct{})
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		tick := time.NewTicker(lookInterval)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				if d := r.look(); d != nil {
					end(d)
					return
				}
			}
		}
	}()
	limited := r.repository
	limited.ctx = ctx
	cmd := limited.command(args...)
	program.EndGroup(cmd)
	cmd.WaitDelay = time.Second
	_, err := runCommand(cmd)
	close(over)
	<-looked
	end(nil)
	if d := r.look(); d != nil { // also if git was faster than the measurements
		return d
	}
	return err
}

// listTimeout is how long a server may take to list its branches and tags.
const listTimeout = time.Minute

// runTimed runs git, and ends it and the programs that it has started if it takes too long.
func (r *Remote) runTimed(args ...string) ([]byte, error) {
	ctx, end := context.WithTimeout(r.ctx, r.opts.listTimeout())
	defer end()
	timed := r.repository
	timed.ctx = ctx
	cmd := timed.command(args...)
	program.EndGroup(cmd)
	cmd.WaitDelay = time.Second
	out, err := runCommand(cmd)
	if ctx.Err() != nil && r.ctx.Err() == nil {
		err = diag.Failf(CodeFetch, "cannot fetch %s: the list of branches and tags takes more than %s", r.shown,
			r.opts.listTimeout()).WithHint("try again; the server or your connection is slow")
	}
	return out, err
}

func (o RemoteOptions) listTimeout() time.Duration { return cmp.Or(o.ListTimeout, listTimeout) }

// look measures what was fetched. It returns an error if that is too much.
func (r *Remote) look() *diag.Diagnostic {
	size := sizeOf(r.dir)
	if r.opts.Progress != nil {
		r.opts.Progress(size)
	}
	if r.opts.MaxBytes == 0 || size <= r.opts.MaxBytes {
		return nil
	}
	return diag.Failf(CodeFetch, "cannot fetch %s: it is larger than %d MiB", r.shown, r.opts.MaxBytes>>20).
		WithHint("fetch an archive of the files that you need, with `http` instead of `git`")
}

// isLimit reports whether an error is that of a limit, which says all that there is to say.
func isLimit(err error) bool {
	_, ok := errors.AsType[*diag.Diagnostic](err)
	return ok
}

// sizeOf returns the size of all files below a directory. Some may disappear meanwhile.
func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
