package overlay

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// batch applies overlays to many documents in parallel. It splits the list of documents into slots,
// runs applyInOrder's steps on each slot in a worker with its own editor, and adds up the matches.
//
// The result is the same as in order, because an overlay sees one document at a time: documents
// depend on each other only through the number of matches and their positions. Overlays that do not
// use positions are applied together, document by document, and their matches are counted afterwards.
// All errors are errStop.
type batch struct {
	ctx     context.Context
	opt     *Options
	slots   []slot
	workers []*worker
	idle    chan *worker
}

// slot is the result for one document: the document itself, with any inserted beside it, or
// nothing.
type slot struct {
	file  int32
	docs  []tree.Doc
	found []int32 // the matches of the current overlay, by index in docs
}

// worker is the state of one goroutine.
type worker struct {
	*editor
	threads []*starlark.Thread // by overlay
	counts  []int              // matches, by overlay
	log     []printed
}

// Moment orders events as if overlays were applied one after another.
type Moment struct {
	overlay, phase, slot int
}

func (s Moment) Compare(o Moment) int {
	return cmp.Or(
		cmp.Compare(s.overlay, o.overlay),
		cmp.Compare(s.phase, o.phase),
		cmp.Compare(s.slot, o.slot))
}

const (
	matching = iota
	acting
)

type printed struct {
	at   Moment
	text string
}

// chunk is the number of documents that a goroutine takes at a time. Fewer than two chunks are not
// worth sharing.
const chunk = 32

func applyParallel(
	ctx context.Context, left [][]tree.Doc, plans []*Plan, opt *Options, asked *atomic.Bool,
) ([][]tree.Doc, error) {
	b := newBatch(ctx, left, len(plans), opt)
	for _, w := range b.workers {
		w.asked = asked
	}
	for k := 0; k < len(plans); {
		end := k
		for end < len(plans) && plans[end].independent() {
			end++
		}
		var err error
		if end > k {
			err = b.together(plans, k, end)
		} else {
			end++
			err = b.applyOne(plans[k], k)
		}
		if err != nil {
			return nil, err
		}
		k = end
	}
	b.report()
	out := make([][]tree.Doc, max(len(left), 1))
	for i := range b.slots {
		s := &b.slots[i]
		out[s.file] = append(out[s.file], s.docs...)
	}
	return keepEmptyFiles(out, left), nil
}

func newBatch(ctx context.Context, left [][]tree.Doc, overlays int, opt *Options) *batch {
	b := &batch{ctx: ctx, opt: opt}
	for file, docs := range left {
		for i := range docs {
			if !docs[i].Value.Empty() {
				b.slots = append(b.slots, slot{file: int32(file), docs: docs[i : i+1 : i+1]})
			}
		}
	}
	if len(b.slots) == 0 {
		b.slots = []slot{{file: int32(max(0, len(left)-1))}} // for appended documents
	}
	n := max(1, min(opt.Workers.Count(), len(b.slots)/chunk))
	b.idle = make(chan *worker, n)
	for range n {
		w := newWorker(overlays, opt)
		b.workers = append(b.workers, w)
		b.idle <- w
	}
	return b
}

func newWorker(overlays int, opt *Options) *worker {
	w := &worker{
		editor:  newSilentEditor(opt),
		threads: make([]*starlark.Thread, overlays),
		counts:  make([]int, overlays),
	}
	if opt.Print != nil {
		w.print = func(text string) { w.log = append(w.log, printed{w.Now, text}) }
	}
	return w
}

// independent reports whether the overlay's effect on a document does not depend on the document's
// position or on the other documents.
func (p *Plan) independent() bool {
	return p.Bad == nil && p.Expect.Bad == nil && !p.Expect.When && p.Op != OpAppend &&
		!(p.Op == OpReplace && p.OrAdd) && !p.By.Positional()
}

// together applies the overlays in plans[first:end] document by document.
func (b *batch) together(plans []*Plan, first, end int) error {
	b.clearCounts()
	err := b.each(func(w *worker, n int) error {
		return w.edit(&b.slots[n], func(d *draft) error {
			for k := first; k < end; k++ {
				w.begin(plans[k], Moment{k, matching, n})
				err := w.match(d, plans[k], 0)
				if len(w.found) > 0 && err == nil {
					w.counts[k] += len(w.found)
					w.Now.phase = acting
					err = w.act(d, plans[k], 0)
				}
				w.end(k)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	for k := first; k < end && err == nil; k++ {
		if _, err = b.decide(plans[k], k); err == nil {
			err = b.checkReach(plans[k])
		}
	}
	return err
}

// applyOne applies one overlay to all documents. It finds all matches before it changes any document.
func (b *batch) applyOne(p *Plan, k int) error {
	if p.Op == OpAppend || p.Bad != nil {
		return b.once(p, k, len(b.slots)-1, (*editor).item)
	}
	if err := b.match(p, k); err != nil {
		return err
	}
	switch next, err := b.decide(p, k); {
	case err != nil:
		return err
	case next == pass:
		return nil
	case b.count(k) == 0: // a new document is added to the first file
		act := func(e *editor, d *draft, p *Plan) error { return e.act(d, p, 0) }
		return b.once(p, k, b.endOfFirstFile(), act)
	}
	err := b.each(func(w *worker, n int) error {
		s := &b.slots[n]
		if len(s.found) == 0 {
			return nil
		}
		return w.edit(s, func(d *draft) error {
			w.begin(p, Moment{k, acting, n})
			defer w.end(k)
			w.found = append(w.found, s.found...) // entries of the draft have the indexes of the documents
			return w.act(d, p, 0)
		})
	})
	if err != nil {
		return err
	}
	return b.checkReach(p)
}

// match finds the matches of an overlay in all slots.
func (b *batch) match(p *Plan, k int) error {
	before := make([]int, len(b.slots)) // documents before each slot
	total := 0
	for i := range b.slots {
		before[i] = total
		total += len(b.slots[i].docs)
	}
	b.clearCounts()
	return b.each(func(w *worker, n int) error {
		s := &b.slots[n]
		d := w.drafts.documents(s.docs, s.file)
		w.begin(p, Moment{k, matching, n})
		err := w.match(d, p, before[n])
		s.found = append(s.found[:0], w.found...)
		w.counts[k] += len(w.found)
		w.end(k)
		w.drafts.recycle(d)
		return err
	})
}

// decide returns what to do, given the overlay's number of matches in all slots.
func (b *batch) decide(p *Plan, k int) (decision, error) {
	n := b.count(k)
	w := b.workers[0]
	w.begin(p, Moment{k, matching, len(b.slots)})
	defer w.end(k)
	next, err := w.decide(p, n)
	switch {
	case err != nil:
		return next, err
	case next == fail:
		return next, errStop
	case n == 0 && w.remarks != nil && w.remarks.Asks(p):
		w.remarks.NoMatch(w.view(b.allDocuments()), p, next == goOn && p.addsMissing())
	}
	return next, nil
}

// once runs an edit on one slot as if the slot held all documents.
func (b *batch) once(
	p *Plan, k, slot int, do func(e *editor, d *draft, p *Plan) error,
) error {
	w := b.workers[0]
	return w.edit(&b.slots[slot], func(d *draft) error {
		d.listStart = b.start()
		w.begin(p, Moment{k, acting, 0})
		defer w.end(k)
		return do(w.editor, d, p)
	})
}

// start returns where the list of all documents begins.
func (b *batch) start() source.Pos {
	for i := range b.slots {
		if docs := b.slots[i].docs; len(docs) > 0 {
			return docs[0].Pos
		}
	}
	return source.Pos{}
}

// endOfFirstFile returns the last slot of the first file.
func (b *batch) endOfFirstFile() int {
	last := 0
	for last+1 < len(b.slots) && b.slots[last+1].file == b.slots[0].file {
		last++
	}
	return last
}

// allDocuments returns a draft of the documents of all slots.
func (b *batch) allDocuments() *draft {
	f := &b.workers[0].drafts
	d := f.documents(nil, 0)
	for i := range b.slots {
		f.addDocuments(d, b.slots[i].docs, b.slots[i].file)
	}
	return d
}

func (b *batch) clearCounts() {
	for _, w := range b.workers {
		clear(w.counts)
	}
}

func (b *batch) count(k int) int {
	n := 0
	for _, w := range b.workers {
		n += w.counts[k]
	}
	return n
}

// begin sets the overlay whose functions may be called, and the current moment. end discards its
// matches and keeps its thread.
func (w *worker) begin(p *Plan, now Moment) {
	w.editor.begin(p)
	w.thread = w.threads[now.overlay]
	w.Now = now
}

func (w *worker) end(k int) {
	w.threads[k] = w.thread
	w.found = w.found[:0]
}

// edit changes the documents of a slot.
func (w *worker) edit(s *slot, change func(d *draft) error) error {
	d := w.drafts.documents(s.docs, s.file)
	err := change(d)
	if err == nil {
		s.docs, err = w.result(d)
	}
	w.drafts.recycle(d)
	return err
}

// each calls f for every slot, in parallel.
func (b *batch) each(f func(w *worker, n int) error) error {
	var failed atomic.Bool
	b.opt.Workers.Each((len(b.slots)+chunk-1)/chunk, func(c int) {
		w := <-b.idle
		defer func() { b.idle <- w }()
		for n := c * chunk; n < min((c+1)*chunk, len(b.slots)); n++ {
			if failed.Load() || b.ctx.Err() != nil {
				return
			}
			if f(w, n) != nil {
				failed.Store(true)
			}
		}
	})
	if failed.Load() {
		return errStop
	}
	return context.Cause(b.ctx)
}

// report passes on printed lines and warnings in the order of overlays and documents.
func (b *batch) report() {
	var all []printed
	remarks := make([]Remarks, len(b.workers))
	for i, w := range b.workers {
		remarks[i] = w.remarks
		all = append(all, w.log...)
	}
	reportAll(remarks...)
	slices.SortStableFunc(all, func(a, b printed) int { return a.at.Compare(b.at) })
	for _, p := range all {
		b.opt.Print(p.text)
	}
}
