//go:build !js

package engines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"weft/internal/lang/diag"
	"weft/internal/project/engines/wire"
	"weft/internal/project/program"
)

// process is a running weft-engines.
type process struct {
	cmd    *exec.Cmd
	kill   context.CancelFunc
	conn   *wire.Conn
	in     io.Closer
	errors *tail
}

// helloTime is how long weft-engines may take to start.
const helloTime = 30 * time.Second

// start starts weft-engines and reads its first line. It has no environment, so nothing of the person who
// runs weft reaches charts.
func start(ctx context.Context, name string) (*process, error) {
	path, err := find(name)
	if err != nil {
		return nil, err
	}
	// The program outlives the run that starts it: end kills it.
	own, kill := context.WithCancel(context.WithoutCancel(ctx))
	cmd := exec.CommandContext(own, path)
	cmd.Env, cmd.Dir = []string{"TZ=UTC"}, filepath.Dir(path)
	program.EndGroup(cmd)
	p := &process{cmd: cmd, kill: kill, errors: &tail{}}
	cmd.Stderr = p.errors
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			p.in, p.conn = in, wire.NewConn(out, in)
			err = cmd.Start()
		}
	}
	if err != nil {
		kill()
		return nil, diag.Failf(CodeMissing, "cannot start '%s': %s", path, reason(err)).
			WithHint("install weft-engines of the same release as weft")
	}
	var hello wire.Hello
	err = p.within(ctx, helloTime, func() error { return p.conn.Receive(&hello) })
	if err == nil && hello.Version == wire.Version {
		return p, nil
	}
	p.end()
	if err != nil {
		return nil, err
	}
	return nil, diag.Failf(CodeMissing, "'%s' is of another release: it speaks version %d, and weft %d", path,
		hello.Version, wire.Version).WithHint("install weft-engines of the same release as weft")
}

// find returns the path of weft-engines: the one that the person who runs weft names, or the one next to
// weft. Nothing else decides which program runs, neither a project nor PATH.
func find(name string) (string, error) {
	if name != "" {
		path, err := filepath.Abs(name)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return "", diag.Failf(CodeMissing, "cannot use '%s' of --engines: %s", name, reason(err)).
				WithHint("name the program weft-engines of the same release as weft")
		}
		return path, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", diag.Failf(CodeMissing, "cannot find weft-engines: %s", reason(err))
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	path := filepath.Join(filepath.Dir(self), "weft-engines")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); err != nil {
		return "", diag.Failf(CodeMissing, "charts and kustomizations need the program weft-engines, but "+
			"there is none next to weft in '%s'", filepath.Dir(path)).
			WithHint("install weft-engines of the same release there, or name it with --engines PATH")
	}
	return path, nil
}

// converse returns the answer to a request.
func (p *process) converse(
	ctx context.Context, r *wire.Request, read func(path string) wire.Reply,
) (answer *wire.Answer, err error) {
	seconds := r.Seconds
	if seconds == 0 {
		seconds = wire.DefaultSeconds
	}
	err = p.within(ctx, time.Duration(seconds)*time.Second+grace, func() (err error) {
		answer, err = p.conn.Converse(r, read)
		return err
	})
	return answer, err
}

// within calls talk, and ends the program if that takes too long or the context ends.
func (p *process) within(ctx context.Context, limit time.Duration, talk func() error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(limited, p.kill)
	err := talk()
	stop()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return diag.Failf(CodeFailed, "weft-engines did not answer within %s", limit)
	}
	p.end()
	if said := p.errors.last(); said != "" {
		return diag.Failf(CodeFailed, "weft-engines failed: %s", said)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return diag.Failf(CodeFailed, "weft-engines ended without an answer")
	}
	return diag.Failf(CodeFailed, "weft-engines sends what weft does not understand: %s",
		diag.Shortened(err.Error())).
		WithHint("install weft-engines of the same release as weft")
}

// end ends the program.
func (p *process) end() {
	_ = p.in.Close()
	p.kill()
	_ = p.cmd.Wait()
}

// tail keeps the end of what a program writes.
type tail struct{ text []byte }

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if over := len(t.text) - maxTail; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

// last returns the last line that can be shown. The program must have ended.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(string(bytes.ToValidUTF8(t.text, nil))), "\n")
	return diag.Shortened(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, lines[len(lines)-1]))
}

// reason returns an error without the path, which the message already names.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}
