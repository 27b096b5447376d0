// Package engines renders the charts and kustomizations of projects. It starts the program weft-engines,
// which has the engines of Helm and kustomize, answers its questions about files, and keeps its results.
//
//	engines.go     Engines: requests, and their results by content; charts are sent once
//	context.go     engines of a context
//	files.go       what weft-engines may read: files of the repository
//	mix.go         some files of another revision
//	outside.go     files outside of it that the person who runs weft allows
//	process.go     the program: found, started, ended
//	process_js.go  a web page has none
package engines

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"weft/internal/lang/diag"
	"weft/internal/project/engines/wire"
)

// The codes of this package's diagnostics.
const (
	CodeMissing diag.Code = "engines/missing" // weft-engines cannot be found or started
	CodeFailed  diag.Code = "engines/failed"  // weft-engines does not do what it should
)

// Engines renders charts and kustomizations. It starts weft-engines for the first request and ends it when it
// is closed. It is safe for concurrent use; requests are answered one after the other.
type Engines struct {
	program string // the path of weft-engines; "" means next to weft

	turn    chan struct{} // has a token while a request is answered; it guards the following fields
	process *process      // nil before the first request, and after it failed
	kept    map[digest][]*Result
	size    int // bytes of the kept results
	order   []digest

	sources map[string][]source // the charts that were sent, by their paths; the newest is the last
	sent    int                 // how many charts were sent
}

// New returns the engines of a program. If the path is empty, it is weft-engines in the directory of the
// running program.
func New(program string) *Engines {
	return &Engines{program: program, turn: make(chan struct{}, 1)}
}

// digest identifies a request, or what is at a path.
type digest [sha256.Size]byte

// Result is the answer to a request, and everything that it was made from. It never changes.
type Result struct {
	*wire.Answer
	Asked []Asked
	size  int
}

// Asked is a path that the engine asked for, and the digest of what was there.
type Asked struct {
	Path   string
	Sum    digest
	IsFile bool
}

// source is the files of a chart that weft-engines has loaded, which wire.Chart.Source identifies.
type source struct {
	id    int
	asked []Asked
}

// maxSources is how many sources are remembered for one path.
const maxSources = 8

// maxKept is how many bytes of results are kept.
const maxKept = 256 << 20

// Render returns the answer to a request. The result of an earlier request is used if everything that it was
// made from is the same: the request and all files that were asked for. If origins take too long, the answer
// has none.
func (e *Engines) Render(ctx context.Context, r *wire.Request, f *Files) (*Result, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	key := digest(sha256.Sum256(text))
	select { // an earlier request may take long
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, x := range e.kept[key] {
		if same(x.Asked, f) {
			return x, nil
		}
	}
	res, err := e.ask(ctx, r, f)
	if err == nil && r.Origins && res.reachedLimit() {
		plain := *r // to find origins takes longer than to render
		plain.Origins = false
		res, err = e.ask(ctx, &plain, f)
	}
	if err != nil {
		return nil, err
	}
	e.keep(key, res)
	return res, nil
}

// ask sends a request to weft-engines, and starts it if it does not run.
func (e *Engines) ask(ctx context.Context, r *wire.Request, f *Files) (*Result, error) {
	if err := e.start(ctx); err != nil {
		return nil, err
	}
	res, err := e.send(ctx, r, f)
	if err != nil || res.reachedLimit() {
		e.process.end() // after a limit, it ends by itself
		e.process = nil
	}
	return res, err
}

// reachedLimit reports whether the request took too long or too much memory.
func (r *Result) reachedLimit() bool {
	return r.Error != nil && r.Error.Code == wire.CodeLimit
}

// send sends a request to weft-engines. The files of a chart are sent once, for all values.
func (e *Engines) send(ctx context.Context, r *wire.Request, f *Files) (res *Result, err error) {
	var from source
	if r.Chart != nil {
		from = e.source(r.Chart.Path, f)
		request, chart := *r, *r.Chart
		request.Chart, chart.Source = &chart, from.id
		r = &request
	}
	res = &Result{}
	res.Answer, err = e.process.converse(ctx, r, func(path string) wire.Reply {
		reply, sum := f.at(path)
		res.Asked = append(res.Asked, Asked{path, sum, reply.File != nil})
		return reply
	})
	switch {
	case err != nil:
		return nil, err
	case len(res.Asked) == 0:
		res.Asked = from.asked // weft-engines has the chart
	case r.Chart != nil && from.asked == nil && res.Error == nil:
		from.asked = res.Asked
		e.remember(r.Chart.Path, from)
	}
	return res, nil
}

// source returns the source of the chart at a path: a known one if all of its files are the same, or a new
// one whose files are not known yet.
func (e *Engines) source(path string, f *Files) source {
	for _, s := range slices.Backward(e.sources[path]) {
		if same(s.asked, f) {
			return s
		}
	}
	e.sent++
	return source{id: e.sent}
}

// remember remembers a source. It must have been loaded without an error: one that was loaded in part would
// not name all of its files.
func (e *Engines) remember(path string, s source) {
	if e.sources == nil {
		e.sources = map[string][]source{}
	}
	list := append(e.sources[path], s)
	e.sources[path] = list[max(0, len(list)-maxSources):]
}

// start starts weft-engines unless it runs.
func (e *Engines) start(ctx context.Context) (err error) {
	if e.process == nil {
		e.process, err = start(ctx, e.program)
	}
	return err
}

// same reports whether all paths that were asked for have the same in other files.
func same(asked []Asked, f *Files) bool {
	return !slices.ContainsFunc(asked, func(a Asked) bool {
		_, sum := f.at(a.Path)
		return sum != a.Sum
	})
}

// keep keeps a result, and drops the oldest ones if there are too many. An error that is not about the
// content, such as a time-out, is not kept.
func (e *Engines) keep(key digest, x *Result) {
	if x.Answer.Error != nil {
		return
	}
	for i := range x.Docs {
		x.size += len(x.Docs[i].Text) + 8*len(x.Docs[i].Origins)
	}
	for _, a := range x.Asked {
		x.size += len(a.Path) + len(a.Sum)
	}
	if e.kept == nil {
		e.kept = map[digest][]*Result{}
	}
	e.kept[key] = append(e.kept[key], x)
	e.order = append(e.order, key)
	for e.size += x.size; e.size > maxKept && len(e.order) > 1; e.order = e.order[1:] {
		list := e.kept[e.order[0]] // the results of a request are in the order in which they were added
		e.size -= list[0].size
		if e.kept[e.order[0]] = list[1:]; len(list) == 1 {
			delete(e.kept, e.order[0])
		}
	}
}

// Close ends weft-engines. The next request starts it again.
func (e *Engines) Close() {
	if e == nil {
		return
	}
	e.turn <- struct{}{}
	defer func() { <-e.turn }()
	if e.process != nil {
		e.process.end()
		e.process = nil
	}
}

// grace is how much longer weft waits for an answer than weft-engines may take: it reports that something
// takes too long better than weft could.
const grace = 10 * time.Second
