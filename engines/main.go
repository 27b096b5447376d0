// Command weft-engines renders Helm charts and builds kustomizations for weft, with the engines of Helm and
// kustomize. weft starts it once for a run and talks to it over standard input and output: see package wire.
//
// It has no environment, opens no file, starts no program and makes no connection: weft sends what charts and
// kustomizations may read.
//
//	main.go           requests and answers
//	read.go           YAML as Kubernetes reads it
//	limits.go         how long a request may take, and how much memory
//	limits_linux.go   the limit that the system keeps
//	limits_other.go   systems without one
package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"weft/engines/chart"
	"weft/engines/files"
	"weft/engines/kustomization"
	"weft/internal/project/engines/wire"
)

func main() {
	out := seclude()
	if err := serve(wire.NewConn(os.Stdin, out), standard); err != nil {
		fmt.Fprintln(os.Stderr, "weft-engines:", err)
		os.Exit(1)
	}
}

// seclude takes away what the engines could reach, and returns standard output, which libraries must not
// write to.
func seclude() *os.File {
	os.Clearenv()
	time.Local = time.UTC
	http.DefaultTransport = noNetwork{}
	slog.SetDefault(slog.New(slog.DiscardHandler)) // and package log with it
	out := os.Stdout
	os.Stdout = os.Stderr
	return out
}

// noNetwork refuses all requests.
type noNetwork struct{}

func (noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s: nothing is fetched while weft renders", r.URL.Redacted())
}

// serve answers requests until there are no more, or until one of them reaches a limit.
func serve(c *wire.Conn, l limits) error {
	hello := wire.Hello{
		Version: wire.Version, Helm: version("helm.sh/helm/v4"), Kustomize: version("sigs.k8s.io/kustomize/api"),
	}
	if err := c.Send(hello); err != nil {
		return err
	}
	l.memoryOfProcess()
	charts := &chart.Charts{}
	for {
		var r wire.Request
		if err := c.Receive(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		done := make(chan *wire.Answer, 1)
		go func() { done <- l.fits(answerTo(&r, files.New(c), charts)) }()
		a, reached := l.watch(&r, done)
		if reached != nil {
			return c.LastAnswer(&wire.Answer{Error: reached})
		}
		if err := c.Answer(a); err != nil {
			return err
		}
	}
}

// answerTo answers one request. A panic of an engine is an error of this request alone.
func answerTo(r *wire.Request, f *files.System, charts *chart.Charts) (a *wire.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = &wire.Answer{Error: &wire.Error{Message: fmt.Sprintf("the engine failed: %v", p)}}
		}
	}()
	switch {
	case r.Chart != nil:
		return charts.Render(r, f)
	case r.Kustomization != nil:
		return kustomization.Build(r, f)
	case r.Read != nil:
		return read(r.Read)
	}
	return &wire.Answer{Error: &wire.Error{Message: "a request without a chart, a kustomization or texts"}}
}

// version returns the version of a module that this program was built with.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == module {
			return m.Version
		}
	}
	return "unknown"
}
