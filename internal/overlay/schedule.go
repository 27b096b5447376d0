package overlay

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/tree"
)

// This file decides in which order overlays meet documents. What they mean is the order of sequential: one overlay after another, each on all documents.
//
// Many documents are worked on side by side instead, and a run of overlays that do not ask for a document's place is applied to one document while it is at hand.
// That gives the same result, because an overlay sees one document at a time: only the number of matches ties documents together, and it is compared afterwards.
// If anything is wrong, all of it is thrown away and done again by sequential, so that what is said does not depend on chance. Nothing was changed, and functions cannot
// remember that they were called.

// chunk is how many documents a goroutine takes at a time. With fewer than two chunks there is nothing to share.
const chunk = 32

func schedule(ctx context.Context, left [][]tree.Document, plans []*plan, opt *Options) ([][]tree.Document, error) {
	n := 0
	for _, docs := range left {
		n += len(docs)
	}
	if len(plans) == 0 {
		return left, nil
	}
	if n >= 2*chunk {
		if out, err := sideBySide(ctx, left, plans, opt); err == nil {
			return out, nil
		}
	}
	return sequential(ctx, left, plans, opt)
}

// sequential applies overlays one after another, and says what is wrong.
func sequential(ctx context.Context, left [][]tree.Document, plans []*plan, opt *Options) ([][]tree.Document, error) {
	e := newEditor(opt)
	e.teach = true
	e.print = opt.Print
	defer tellRemarks(opt, e)
	d := e.allDocuments(left)
	for _, p := range plans {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		e.begin(p)
		if err := e.item(d, p); err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return nil, cause
			}
			return nil, diag.Of(err)
		}
	}
	return e.byFile(d, left)
}

// begin makes p the overlay whose functions are called.
func (e *editor) begin(p *plan) {
	e.overlay = p
	if !e.owned {
		e.thread = nil
	}
}

// allDocuments is a draft of the documents of all files that are not empty.
func (e *editor) allDocuments(left [][]tree.Document) *draft {
	d := e.blank()
	d.array, d.docs = true, true
	for file, docs := range left {
		for i := range docs {
			if !docs[i].Value.Empty() {
				e.addDocuments(d, docs[i:i+1], int32(file))
			}
		}
	}
	d.firstFile = int32(max(0, len(left)-1)) // without any document it is the last file
	d.lastFile = d.firstFile
	if d.n > 0 {
		d.firstFile, d.lastFile = d.entries[d.head].file, d.entries[d.tail].file
	}
	return d
}

// byFile is the documents of a draft, file by file.
func (e *editor) byFile(d *draft, left [][]tree.Document) ([][]tree.Document, error) {
	docs, err := e.frozen(d)
	if err != nil {
		return nil, diag.Of(err)
	}
	out := make([][]tree.Document, max(len(left), 1))
	n := 0
	for i := d.head; i != none; i = d.entries[i].next {
		file := d.entries[i].file
		out[file] = append(out[file], docs[n])
		n++
	}
	return withEmpty(out, left), nil
}

// withEmpty gives files that have only empty documents them back: such a file is still a file of the output.
func withEmpty(out, left [][]tree.Document) [][]tree.Document {
	for i, docs := range left {
		if len(out[i]) == 0 && !slices.ContainsFunc(docs, func(d tree.Document) bool { return !d.Value.Empty() }) {
			out[i] = docs
		}
	}
	return out
}

// slot is what has become of one document: itself, what was put beside it, or nothing.
type slot struct {
	file  int32
	docs  []tree.Document
	found []int32 // the matches of the overlay at hand, by index in docs
}

// team works on slots side by side.
type team struct {
	ctx     context.Context
	opt     *Options
	slots   []slot
	members []*member
}

// member is one goroutine's part of the team.
type member struct {
	editor
	threads []*starlark.Thread // by overlay
	counts  []int              // matches, by overlay
	log     []printed
}

// moment is when something happens, as if overlays were applied one after another.
type moment struct {
	overlay, phase, slot int
}

func (m moment) compare(o moment) int {
	return cmp.Or(cmp.Compare(m.overlay, o.overlay), cmp.Compare(m.phase, o.phase), cmp.Compare(m.slot, o.slot))
}

// printed is a line that a function printed.
type printed struct {
	at   moment
	text string
}

// The phases of an overlay.
const (
	matching = iota
	acting
)

func sideBySide(ctx context.Context, left [][]tree.Document, plans []*plan, opt *Options) ([][]tree.Document, error) {
	t := &team{ctx: ctx, opt: opt}
	for file, docs := range left {
		for i := range docs {
			if !docs[i].Value.Empty() {
				t.slots = append(t.slots, slot{file: int32(file), docs: docs[i : i+1 : i+1]})
			}
		}
	}
	for range max(1, min(runtime.GOMAXPROCS(0), len(t.slots)/chunk)) {
		m := &member{threads: make([]*starlark.Thread, len(plans)), counts: make([]int, len(plans))}
		m.opt = opt
		if opt.Print != nil {
			m.print = func(text string) { m.log = append(m.log, printed{m.now, text}) }
		}
		t.members = append(t.members, m)
	}
	for k := 0; k < len(plans); {
		end := k
		for end < len(plans) && plans[end].independent() {
			end++
		}
		var err error
		if end > k {
			err = t.together(plans, k, end)
		} else {
			end++
			err = t.alone(plans[k], k, len(left))
		}
		if err != nil {
			return nil, err
		}
		k = end
	}
	t.tell()
	out := make([][]tree.Document, len(left))
	for i := range t.slots {
		s := &t.slots[i]
		out[s.file] = append(out[s.file], s.docs...)
	}
	return withEmpty(out, left), nil
}

// independent reports whether an overlay does the same to a document wherever it stands and whatever the others are.
func (p *plan) independent() bool {
	return p.bad == nil && p.expect.bad == nil && !p.expect.when && p.op != opAppend && !(p.op == opReplace && p.orAdd) && !p.by.positional()
}

// together applies the overlays from first up to end, all to one document after another.
func (t *team) together(plans []*plan, first, end int) error {
	for _, m := range t.members {
		clear(m.counts)
	}
	err := t.each(func(m *member, n int) error {
		s := &t.slots[n]
		d := m.documents(s.docs, s.file)
		for k := first; k < end; k++ {
			p := plans[k]
			m.at(p, moment{k, matching, n})
			err := m.match(d, p, 0)
			if found := len(m.found); found > 0 && err == nil {
				m.counts[k] += found
				m.now.phase = acting
				err = m.act(d, p, 0)
			}
			m.found = m.found[:0]
			m.done(k)
			if err != nil {
				return err
			}
		}
		var err error
		s.docs, err = m.frozen(d)
		m.recycle(d)
		return err
	})
	if err != nil {
		return err
	}
	for k := first; k < end; k++ {
		if err := t.count(plans[k], k); err != nil {
			return err
		}
	}
	return nil
}

// count compares the number of matches of an overlay with what it expects.
func (t *team) count(p *plan, k int) error {
	n := 0
	for _, m := range t.members {
		n += m.counts[k]
	}
	m := t.members[0]
	m.at(p, moment{k, matching, len(t.slots)})
	ok, err := m.expected(p, n)
	if n == 0 && err == nil && p.by.star() && m.listening() {
		d := m.documents(nil, 0)
		for i := range t.slots {
			m.addDocuments(d, t.slots[i].docs, t.slots[i].file)
		}
		m.silent(d, p)
	}
	m.done(k)
	if !ok && err == nil {
		return errStop
	}
	return err
}

// alone applies one overlay to all documents: it is matched with all of them before the first is changed.
func (t *team) alone(p *plan, k, files int) error {
	if p.bad != nil || p.expect.bad != nil {
		return errStop
	}
	if p.op == opAppend {
		t.append(p.item, files)
		t.members[0].whole(nil, p, putIn)
		return nil
	}
	before := make([]int, len(t.slots)) // documents before each slot
	total := 0
	for i := range t.slots {
		before[i] = total
		total += len(t.slots[i].docs)
	}
	for _, m := range t.members {
		clear(m.counts)
	}
	err := t.each(func(m *member, n int) error {
		s := &t.slots[n]
		s.found = s.found[:0]
		d := m.documents(s.docs, s.file)
		m.at(p, moment{k, matching, n})
		err := m.match(d, p, before[n])
		s.found = append(s.found, m.found...)
		m.counts[k] += len(m.found)
		m.found = m.found[:0]
		m.done(k)
		m.recycle(d)
		return err
	})
	if err != nil {
		return err
	}
	found := 0
	for _, m := range t.members {
		found += m.counts[k]
	}
	if err := t.count(p, k); err != nil {
		if err == errStop && p.expect.when {
			return nil
		}
		return err
	}
	if found == 0 && p.op == opReplace && p.orAdd {
		m := t.members[0]
		m.at(p, moment{k, acting, 0})
		it, err := m.made(p, starlark.None)
		m.done(k)
		if err != nil {
			return err
		}
		t.appendFirst(it, files)
		t.members[0].whole(nil, p, putIn)
		return nil
	}
	return t.each(func(m *member, n int) error {
		s := &t.slots[n]
		if len(s.found) == 0 {
			return nil
		}
		d := m.documents(s.docs, s.file)
		m.found = append(m.found[:0], s.found...) // entries are numbered as the documents are
		m.at(p, moment{k, acting, n})
		err := m.act(d, p, 0)
		m.found = m.found[:0]
		m.done(k)
		if err == nil {
			s.docs, err = m.frozen(d)
		}
		m.recycle(d)
		return err
	})
}

// append adds a document to the last file. Slots stay when their documents go, so that it is the file of the last slot.
func (t *team) append(it tree.Item, files int) {
	if len(t.slots) == 0 {
		t.slots = append(t.slots, slot{file: int32(files - 1)})
	}
	t.slots[len(t.slots)-1].add(it)
}

// appendFirst adds a document to the first file.
func (t *team) appendFirst(it tree.Item, files int) {
	if len(t.slots) == 0 {
		t.append(it, files)
		return
	}
	last := 0
	for last+1 < len(t.slots) && t.slots[last+1].file == t.slots[0].file {
		last++
	}
	t.slots[last].add(it)
}

func (s *slot) add(it tree.Item) {
	s.docs = append(slices.Clip(s.docs), tree.Document{Value: it.Value, Pos: it.Pos, Annotations: it.Annotations})
}

// at makes p the overlay whose functions are called, at a moment; done keeps its thread.
func (m *member) at(p *plan, now moment) {
	m.begin(p)
	m.thread = m.threads[now.overlay]
	m.now = now
}

func (m *member) done(k int) { m.threads[k] = m.thread }

// each calls f for every slot, side by side. A panic in one goroutine is one of the caller's.
func (t *team) each(f func(m *member, n int) error) error {
	var (
		next   atomic.Int64
		failed atomic.Bool
		wg     sync.WaitGroup
		mu     sync.Mutex
		fault  any
	)
	work := func(m *member) {
		for !failed.Load() && t.ctx.Err() == nil {
			from := int(next.Add(chunk)) - chunk
			if from >= len(t.slots) {
				return
			}
			for n := from; n < min(from+chunk, len(t.slots)); n++ {
				if f(m, n) != nil {
					failed.Store(true)
					return
				}
			}
		}
	}
	for _, m := range t.members[1:] {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					mu.Lock()
					fault = r
					mu.Unlock()
				}
			}()
			work(m)
		})
	}
	work(t.members[0])
	wg.Wait()
	if fault != nil {
		panic(fault)
	}
	if failed.Load() {
		return errStop
	}
	return context.Cause(t.ctx)
}

// tell prints what functions printed, and what is to be said besides, in the order of overlays and documents.
func (t *team) tell() {
	editors := make([]*editor, len(t.members))
	for i, m := range t.members {
		editors[i] = &m.editor
	}
	tellRemarks(t.opt, editors...)
	var all []printed
	for _, m := range t.members {
		all = append(all, m.log...)
	}
	slices.SortStableFunc(all, func(a, b printed) int { return a.at.compare(b.at) })
	for _, p := range all {
		t.opt.Print(p.text)
	}
}
