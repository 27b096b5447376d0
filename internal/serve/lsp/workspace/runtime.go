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

// maxTracing is how long an evaluation may take that finds out what reads data values.
const maxTracing = 10 * time.Second

// RunTimeReads are the places that have read data values in an evaluation of a view.
type RunTimeReads struct {
	texts map[string]*source.File // of documents that were open
	by    map[string][]RunTimeRead
}

// RunTimeRead is an expression that has read a data value.
type RunTimeRead struct {
	Path string // of the file, in the folder
	At   index.Range
}

// Of returns the expressions that have read a data value: that of a library by its folder, or of
// the project. The receiver may be nil.
func (r *RunTimeReads) Of(library string, path []string) []RunTimeRead {
	if r == nil {
		return nil
	}
	// Files know a library by its folder, an evaluation by its name.
	if i := strings.LastIndex(library, index.PrivateDir+"/"); i >= 0 {
		library = library[i+len(index.PrivateDir)+1:]
	}
	return r.by[readKey(library, path)]
}

// In returns where an expression is in a text of its file, which may be another than the one
// that was evaluated; false if that is not known.
func (r *RunTimeReads) In(s *Snapshot, text *source.File, read RunTimeRead) (index.Range, bool) {
	was := r.texts[read.Path]
	if was == nil {
		return read.At, s.OpenText(read.Path) == nil
	}
	shift := NewShift(was.Data(), text.Data())
	start, ok := shift.Now(read.At.Start)
	end, same := shift.Now(read.At.End)
	return index.Range{Start: start, End: end}, ok && same && start < end
}

func readKey(library string, path []string) string {
	return library + "\x00" + strings.Join(path, "\x00")
}

// tracedReads is what a traced evaluation has found out of who reads data values.
type tracedReads struct {
	mu      sync.Mutex
	made    *RunTimeReads // of the last evaluation
	tracing chan struct{} // is closed when one has ended that someone has asked for; or nil
}

// RunTimeReads returns the expressions that have read data values in the last traced evaluation,
// which takes place at the end of tier 3. If there has been none yet, one begins, and goes on if
// there is no patience to wait for it; then they are nil this time.
func (v *View) RunTimeReads(ctx context.Context, s *Snapshot) *RunTimeReads {
	t := &v.reads
	t.mu.Lock()
	made, done := t.made, t.tracing
	if made == nil && done == nil {
		done = make(chan struct{})
		t.tracing = done
		go v.traceReads(s, done)
	}
	t.mu.Unlock()
	if made != nil {
		return made
	}
	wait := time.NewTimer(v.folder.session.opt.Patience)
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.made
}

// traceReads finds out what reads data values, until the next edit.
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
		if t := v.trace(ctx, s, nil); ctx.Err() == nil {
			v.noteReads(t)
		}
	})
}

// noteReads notes what a traced evaluation has read.
func (v *View) noteReads(t *Traced) {
	if t.Result == nil || t.Result.Origins == nil {
		return // what is wrong, diagnostics tell
	}
	made := readsOf(t.Session, t.Result)
	_, made.texts = t.Snapshot.evaluable()
	v.reads.mu.Lock()
	defer v.reads.mu.Unlock()
	v.reads.made = made
}

// readsOf collects what an evaluation has read.
func readsOf(session *engine.Session, made *engine.Result) *RunTimeReads {
	c := readCollector{
		origins: made.Origins, files: made.Files, paths: map[*source.File]string{},
		reads: &RunTimeReads{by: map[string][]RunTimeRead{}}, seen: map[seenRead]bool{},
		names: map[tree.Leaf]string{}, done: map[tree.Origin]bool{},
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
	names   map[tree.Leaf]string // of data values, as readKey has them
	done    map[tree.Origin]bool
}

// seenRead is a data value, and where it is read: a list of thousands of places is never searched.
type seenRead struct {
	name string
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
		name := c.nameOf(leaf)
		if key := (seenRead{name, at}); !c.seen[key] {
			c.seen[key] = true
			c.reads.by[name] = append(c.reads.by[name],
				RunTimeRead{path, index.Range{Start: at.Offset(), End: at.End()}})
		}
	}
}

// nameOf returns a data value as readKey has it. Items of a list share a name.
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
