package workspace

import (
	"context"
	"strings"
	"sync"
	"time"

	"weft/internal/engine"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
)

// maxTracing limits an evaluation that is done only to find the reads of data values.
const maxTracing = 10 * time.Second

// RunTimeReads are the expressions that read data values in an evaluation of a view.
type RunTimeReads struct {
	texts map[string]*source.File  // the texts of the files that have them, by path
	by    map[string][]RunTimeRead // by readKey
}

// RunTimeRead is an expression that read a data value.
type RunTimeRead struct {
	Path string // path of the file in the folder
	At   index.Range
}

// Of returns the expressions that read a data value of a library, given by its folder, or of the
// project for "". The receiver may be nil.
func (r *RunTimeReads) Of(library string, path []string) []RunTimeRead {
	if r == nil {
		return nil
	}
	// An evaluation knows libraries by their names.
	if i := strings.LastIndex(library, index.PrivateDir+"/"); i >= 0 {
		library = library[i+len(index.PrivateDir)+1:]
	}
	return r.by[readKey(library, path)]
}

// In returns where an expression is in a text of its file, which may have changed since the
// evaluation. It returns false if that is unknown.
func (r *RunTimeReads) In(text *source.File, read RunTimeRead) (index.Range, bool) {
	was := r.texts[read.Path]
	shift := NewShift(was.Data(), text.Data())
	start, ok := shift.Now(read.At.Start)
	end, same := shift.Now(read.At.End)
	return index.Range{Start: start, End: end}, ok && same && start < end
}

func readKey(library string, path []string) string {
	return library + "\x00" + strings.Join(path, "\x00")
}

// tracedReads are the reads of data values in the last traced evaluation.
type tracedReads struct {
	mu      sync.Mutex
	latest  *RunTimeReads
	tracing chan struct{} // nil unless an evaluation is running; closed at its end
}

// RunTimeReads returns the expressions that read data values in the last traced evaluation. If there
// was none, it starts one, and returns nil if that takes longer than Options.MaxWait.
func (v *View) RunTimeReads(ctx context.Context, s *Snapshot) *RunTimeReads {
	t := &v.reads
	t.mu.Lock()
	latest, done := t.latest, t.tracing
	if latest == nil && done == nil {
		done = make(chan struct{})
		t.tracing = done
		go v.traceReads(s, done)
	}
	t.mu.Unlock()
	if latest != nil {
		return latest
	}
	wait := time.NewTimer(v.folder.session.opt.MaxWait)
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	case <-ctx.Done():
	}
	return v.KnownReads()
}

// KnownReads returns the expressions that read data values in the last traced evaluation, or nil. It does
// not wait.
func (v *View) KnownReads() *RunTimeReads {
	v.reads.mu.Lock()
	defer v.reads.mu.Unlock()
	return v.reads.latest
}

// traceReads evaluates a snapshot for RunTimeReads, until the next edit.
func (v *View) traceReads(s *Snapshot, done chan struct{}) {
	defer func() {
		v.reads.mu.Lock()
		defer v.reads.mu.Unlock()
		v.reads.tracing = nil
		close(done)
	}()
	v.folder.Guard("tracing", func() {
		ctx, cancel := context.WithTimeout(s.ctx, maxTracing)
		defer cancel()
		if t := v.trace(ctx, s); ctx.Err() == nil {
			v.noteReads(t)
		}
	})
}

// noteReads keeps the reads of a traced evaluation.
func (v *View) noteReads(t *Traced) {
	if t.Result == nil || t.Result.Origins == nil {
		return // diagnostics report the error
	}
	reads := readsOf(t.Session, t.Result)
	v.reads.mu.Lock()
	defer v.reads.mu.Unlock()
	if t.Failure == nil || v.reads.latest == nil { // an evaluation that fails ends early
		v.reads.latest = reads
	}
}

// readsOf collects the reads of an evaluation.
func readsOf(session *engine.Session, res *engine.Result) *RunTimeReads {
	c := readCollector{
		origins: res.Origins, files: res.Files, paths: map[*source.File]string{},
		reads: &RunTimeReads{texts: map[string]*source.File{}, by: map[string][]RunTimeRead{}},
		seen:  map[seenRead]bool{}, names: map[tree.Leaf]string{}, done: map[tree.Origin]bool{},
	}
	for _, in := range session.Inputs() {
		if in.File != nil && in.Origin() != "" {
			c.paths[in.File] = in.Origin()
		}
	}
	c.values = c.origins.DataValues()
	for _, d := range c.values {
		c.value(d.Value)
	}
	for _, d := range res.Docs {
		c.value(d.Value)
	}
	for _, x := range c.origins.Conditions() {
		c.read(x.Reads, x.At)
	}
	for _, x := range c.origins.Absences() {
		c.read(x.Reads, x.At)
	}
	return c.reads
}

type readCollector struct {
	origins *tree.Origins
	files   *source.Set
	paths   map[*source.File]string
	values  []tree.DataValues
	reads   *RunTimeReads
	seen    map[seenRead]bool
	names   map[tree.Leaf]string // readKeys of data values
	done    map[tree.Origin]bool
}

// seenRead is a data value, and where it is read.
type seenRead struct {
	name string
	at   source.Span
}

// value collects the reads that a value, and everything in it, was computed from.
func (c *readCollector) value(v tree.Value) {
	if id := v.Origin(); id != 0 && !c.done[id] {
		c.done[id] = true
		for s := range c.origins.History(id) {
			c.read(s.Reads, s.At)
			if from, ok := c.origins.Of(s.From); ok {
				c.read(from.Reads, from.At)
			}
		}
	}
	for _, it := range v.Entries() {
		c.value(it.Value)
	}
}

// read records that an expression reads data values.
func (c *readCollector) read(s tree.Slice, at source.Span) {
	f := c.files.File(at.Pos)
	path := c.paths[f]
	if s == 0 || path == "" {
		return
	}
	for _, leaf := range c.origins.Leaves(s) {
		if c.origins.Leaf(leaf).Document != "" {
			continue // a value of another document
		}
		name := c.nameOf(leaf)
		if key := (seenRead{name, at}); !c.seen[key] {
			c.seen[key] = true
			c.reads.texts[path] = f
			c.reads.by[name] = append(c.reads.by[name],
				RunTimeRead{path, index.Range{Start: at.Offset(), End: at.End()}})
		}
	}
}

// nameOf returns the readKey of a data value. Items of a list share it.
func (c *readCollector) nameOf(leaf tree.Leaf) string {
	if name, ok := c.names[leaf]; ok {
		return name
	}
	info := c.origins.Leaf(leaf)
	library := c.values[info.Values].Library
	library = library[strings.LastIndexByte(library, '@')+1:]
	path := make([]string, 0, len(info.Path))
	for _, step := range info.Path {
		if step.Index >= 0 {
			path = append(path, index.Any)
		} else {
			path = append(path, step.Key)
		}
	}
	c.names[leaf] = readKey(library, path)
	return c.names[leaf]
}
