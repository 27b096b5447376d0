package project

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"weft/internal/lsp/index"
	"weft/internal/pipeline"
	"weft/internal/source"
	"weft/internal/tree"
)

// maxTracing is how long an evaluation may take that finds out what reads data values.
const maxTracing = 10 * time.Second

// RunTimeReads are the places that have read data values in an evaluation of a view.
type RunTimeReads struct {
	by map[string][]RunTimeRead
}

// RunTimeRead is an expression that has read a data value.
type RunTimeRead struct {
	Path string // of the file, in the folder
	At   index.Range
}

// Of are the expressions that have read a data value: that of a library by its folder, or of the
// project. The receiver may be nil.
func (r *RunTimeReads) Of(library string, path []string) []RunTimeRead {
	if r == nil {
		return nil
	}
	// Files know a library by its folder, an evaluation by its name.
	if i := strings.LastIndex(library, privateDir+"/"); i >= 0 {
		library = library[i+len(privateDir)+1:]
	}
	return r.by[readKey(library, path)]
}

func readKey(library string, path []string) string {
	return library + "\x00" + strings.Join(path, "\x00")
}

// tracedReads is what a traced evaluation has found out of who reads data values.
type tracedReads struct {
	mu   sync.Mutex
	at   int           // the snapshot
	done chan struct{} // is closed at the end; nil if there was none
	made *RunTimeReads
}

// RunTimeReads are the expressions that read data values in a snapshot. The evaluation that finds
// them out goes on if there is no patience to wait for it; then they are nil this time.
func (v *View) RunTimeReads(ctx context.Context, s *Snapshot) *RunTimeReads {
	t := &v.reads
	t.mu.Lock()
	if t.done == nil || t.at != s.ID {
		t.at, t.done, t.made = s.ID, make(chan struct{}), nil
		go v.traceReads(s, t.done)
	}
	done := t.done
	t.mu.Unlock()
	wait := time.NewTimer(v.folder.session.opt.Patience)
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at != s.ID {
		return nil
	}
	return t.made
}

// traceReads finds out what reads data values, until the next edit.
func (v *View) traceReads(s *Snapshot, done chan struct{}) {
	defer close(done)
	v.folder.guarded("tracing", func() {
		ctx, cancel := context.WithTimeout(s.ctx, maxTracing)
		defer cancel()
		t, err := v.Trace(ctx, s)
		if err != nil || t.Result == nil || t.Result.Origins == nil {
			return // what is wrong, diagnostics tell
		}
		reads := readsOf(t.Session, t.Result)
		v.reads.mu.Lock()
		defer v.reads.mu.Unlock()
		if v.reads.at == s.ID {
			v.reads.made = reads
		}
	})
}

// readsOf collects what an evaluation has read.
func readsOf(session *pipeline.Session, made *pipeline.Result) *RunTimeReads {
	c := readCollector{
		origins: made.Origins, files: made.Files, paths: map[*source.File]string{},
		reads: &RunTimeReads{by: map[string][]RunTimeRead{}}, seen: map[seenRead]bool{},
		done: map[tree.Origin]bool{},
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
	for _, d := range made.Docs {
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
	done    map[tree.Origin]bool
}

type seenRead struct {
	leaf tree.Leaf
	at   source.Span
}

// value collects what made a value, and all that is in it.
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

// read notes that an expression has read data values.
func (c *readCollector) read(s tree.Slice, at source.Span) {
	f := c.files.File(at.Pos)
	path := c.paths[f]
	if s == 0 || path == "" {
		return
	}
	for _, leaf := range c.origins.Leaves(s) {
		if key := (seenRead{leaf, at}); !c.seen[key] {
			c.seen[key] = true
			c.note(leaf, RunTimeRead{path, index.Range{Start: at.Offset(), End: at.End()}})
		}
	}
}

func (c *readCollector) note(leaf tree.Leaf, r RunTimeRead) {
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
	key := readKey(library, path)
	if !slices.Contains(c.reads.by[key], r) {
		c.reads.by[key] = append(c.reads.by[key], r)
	}
}
