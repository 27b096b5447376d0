package shortcut

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Tally finds the entries that match nothing in any of the environments that use them. The zero value is
// empty. It is safe for concurrent use.
type Tally struct {
	mu      sync.Mutex
	entries map[values.Place]*tallied
}

// tallied is what environments say about an entry.
type tallied struct {
	used    bool
	missing map[string]bool // environments
	message *diag.Failure
}

type tallyKey struct{}

// tallyIn is what a context has: a tally, and the environment that is rendered.
type tallyIn struct {
	tally       *Tally
	environment string
}

// WithTally returns a context whose environments are added to a tally; nil means none.
func WithTally(ctx context.Context, t *Tally) context.Context {
	return context.WithValue(ctx, tallyKey{}, tallyIn{tally: t})
}

// InEnvironment returns a context for runs of an environment.
func InEnvironment(ctx context.Context, name string) context.Context {
	in, _ := ctx.Value(tallyKey{}).(tallyIn)
	if in.tally == nil {
		return ctx
	}
	in.environment = name
	return context.WithValue(ctx, tallyKey{}, in)
}

// Record adds a run to the tally of its context.
func Record(ctx context.Context, res *Result, files *source.Set) {
	in, _ := ctx.Value(tallyKey{}).(tallyIn)
	t := in.tally
	if t == nil || in.environment == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for x := range res.Used {
		t.of(x).used = true
	}
	for _, m := range res.Missed {
		if m.Uses <= 1 {
			continue // the run has failed
		}
		e := t.of(m.Entry)
		e.missing[in.environment] = true
		if len(e.missing) == m.Uses {
			d := *m.Message
			d.Message += " in any of the " + diag.Count(m.Uses, "environment") + " that use it"
			e.message = &diag.Failure{Files: files, List: diag.List{&d}}
		}
	}
}

func (t *Tally) of(x *Entry) *tallied {
	if t.entries == nil {
		t.entries = map[values.Place]*tallied{}
	}
	e := t.entries[x.At]
	if e == nil {
		e = &tallied{missing: map[string]bool{}}
		t.entries[x.At] = e
	}
	return e
}

// Unmatched returns the errors about entries that match nothing anywhere, in the order of weft.yml.
func (t *Tally) Unmatched() (list []*diag.Failure) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var at []values.Place
	for p, e := range t.entries {
		if !e.used && e.message != nil {
			at = append(at, p)
		}
	}
	slices.SortFunc(at, func(a, b values.Place) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start))
	})
	for _, p := range at {
		list = append(list, t.entries[p].message)
	}
	return list
}
