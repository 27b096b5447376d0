package upgrade

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
	"weft/internal/project"
)

// stage is the trial of one environment.
type stage struct {
	*subject
	env  string
	uses map[string]*overlayUse // by place
}

// overlayUse is what an overlay document of the project did: with the old files, with the old files but
// without the overlays that fail with the new ones, and with the new files.
type overlayUse struct {
	effects [3]map[string]int // the changes that it made, by the lines of the overlay
	matched [3]bool
}

// The runs of overlayUse.
const (
	runToday = iota
	runBefore
	runAfter
)

// run renders the environment with the old and the new files, and finds out what becomes of its
// overlays.
func (s *stage) run() error {
	old, err := s.evaluate(s.before, s.env, nil)
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	switch {
	case err == nil:
		s.note(runToday, old)
	case s.isNew: // it cannot render yet
		old = nil
	default:
		s.report.Unknown = append(s.report.Unknown,
			Problem{Project: s.name, Environment: s.env, Message: "does not render today", Errors: diagnostics(err)})
		return nil
	}
	now, failed, err := s.settle(s.after, nil)
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	s.without[s.env] = placesOf(failed)
	s.blame(failed, old != nil)
	e := Environment{Project: s.name, Name: s.env}
	if err != nil {
		e.Errors = diagnostics(err)
		s.conclude(false)
	} else {
		old = s.comparable(old)
		s.note(runBefore, old)
		s.note(runAfter, now)
		s.conclude(true)
		d := compare.Results(old, now, [2]string{"before", "after"}, diff.Options{})
		e.Difference, e.Summary = d.Difference, Counts(d.Summary())
		s.rendered = append(s.rendered, s.env)
	}
	s.report.Environments = append(s.report.Environments, e)
	return context.Cause(s.ctx)
}

// comparable returns the old output without the overlays that fail with the new files: what they did would
// look like a change of the update.
func (s *stage) comparable(old *engine.Result) *engine.Result {
	if without := s.without[s.env]; old != nil && len(without) > 0 {
		if some, err := s.evaluate(s.before, s.env, without); err == nil {
			return some
		}
	}
	return old
}

// maxBroken is how many broken overlays an environment may have: each needs more evaluations.
const maxBroken = 500

// failure is an overlay that fails.
type failure struct {
	document string // its place
	Overlay
}

func placesOf(list []failure) (places []string) {
	for _, f := range list {
		places = append(places, f.document)
	}
	return places
}

// settle renders the environment on one side without some overlays, and without those that fail then, which
// it returns. The error is about something else that fails.
func (s *stage) settle(p *project.Description, without []string) (*engine.Result, []failure, error) {
	without = slices.Clone(without)
	var failed []failure
	for {
		res, err := s.evaluate(p, s.env, without)
		if err == nil || s.ctx.Err() != nil || len(failed) == maxBroken {
			return res, failed, err
		}
		f, ok := failedOverlay(res, err)
		if !ok || s.isUpstream(f.document) || slices.Contains(without, f.document) {
			return nil, failed, err
		}
		failed = append(failed, f)
		without = append(without, f.document)
	}
}

// failedOverlay returns the overlay document that made a run fail, and what is wrong. It reports whether an
// overlay did.
func failedOverlay(res *engine.Result, err error) (failure, bool) {
	f := diag.FailureOf(err)
	if res == nil || f == nil || len(f.List) == 0 || !res.Explained || len(res.Steps) == 0 {
		return failure{}, false
	}
	last := res.Steps[len(res.Steps)-1]
	at := place(f.Files, last.Overlay)
	first := f.List[0]
	for _, d := range f.List {
		if d.Severity == diag.Error {
			first = d
			break
		}
	}
	file := f.Files.File(first.At.Pos)
	isOverlay := file != nil && file == f.Files.File(last.Overlay.Pos)
	if last.Applied || at == "" || !isOverlay && !strings.HasPrefix(string(first.Code), "overlay/") {
		return failure{}, false
	}
	o := Overlay{Place: cmp.Or(place(f.Files, first.At), at), Message: first.Message, Hint: first.Hint}
	for _, r := range first.Related {
		if r.Message == "" || strings.HasPrefix(r.Message, "in this overlay") {
			continue
		}
		n := Near{Place: place(f.Files, r.At), Message: r.Message}
		n.Message = strings.TrimSuffix(n.Message, " at "+n.Place)
		o.Near = append(o.Near, n)
	}
	return failure{at, o}, true
}

// place returns a place as a line of a file, or "".
func place(files *source.Set, at source.Span) string {
	if files == nil {
		return ""
	}
	if f := files.File(at.Pos); f != nil {
		return f.WhereLine(at.Offset())
	}
	return ""
}

// blame sorts the overlays that fail with the new files: some are broken, others need these. One needs
// others if it fails with the old files, too, as soon as these are left out. Without old files, all are
// broken.
func (s *stage) blame(failed []failure, hasOld bool) {
	var broken, fallen []string         // fallen fail with the old files without the broken ones
	dependents := map[string][]string{} // of each broken overlay alone
	for _, f := range failed {
		if slices.Contains(fallen, f.document) {
			f.Place, f.Message, f.Near, f.Hint = f.document, s.needs(f.document, broken, dependents), nil, ""
			s.add(f.document, isDependent, f.Overlay)
			continue
		}
		s.add(f.document, isBroken, f.Overlay)
		if !hasOld {
			continue
		}
		broken = append(broken, f.document)
		_, alone, _ := s.settle(s.before, []string{f.document})
		dependents[f.document] = placesOf(alone)
		if len(broken) > 1 {
			_, alone, _ = s.settle(s.before, slices.Concat(broken, fallen))
		}
		fallen = append(fallen, placesOf(alone)...)
	}
}

// needs returns the message about an overlay that needs broken ones: those without which alone it fails, or
// else the few of which it needs one.
func (s *stage) needs(document string, broken []string, dependents map[string][]string) string {
	var alone []string
	for _, b := range broken {
		if slices.Contains(dependents[b], document) {
			alone = append(alone, b)
		}
	}
	which := ""
	if alone == nil {
		alone, which = s.fewest(document, broken), "one of "
	}
	for i := range alone {
		alone[i] = s.shown(alone[i])
	}
	if len(alone) == 1 {
		return "needs " + alone[0] + ", which is broken"
	}
	return "needs " + which + strings.Join(alone, ", ") + ", which are broken"
}

// fewest returns the fewest of some overlays without which another one fails with the old files. It drops
// half of them if it can, then a quarter, and so on.
func (s *stage) fewest(document string, all []string) []string {
	all = slices.Clone(all)
	for size := len(all) / 2; size > 0; size /= 2 {
		for i := 0; i < len(all); {
			some := slices.Concat(all[:i], all[min(i+size, len(all)):])
			if _, failed, _ := s.settle(s.before, some); slices.Contains(placesOf(failed), document) {
				all = some
			} else {
				i += size
			}
		}
	}
	return all
}

// note records what the overlays of the project did in a run.
func (s *stage) note(run int, res *engine.Result) {
	if res == nil {
		return
	}
	for i := range res.Steps {
		step := &res.Steps[i]
		at := place(res.Files, step.Overlay)
		if step.Applied || at == "" || s.isUpstream(at) {
			continue
		}
		u := s.uses[at]
		if u == nil {
			u = &overlayUse{effects: [3]map[string]int{{}, {}, {}}}
			s.uses[at] = u
		}
		u.matched[run] = u.matched[run] || len(step.Matched) > 0
		for _, x := range step.Effects {
			switch x.Kind.String() {
			case "changed", "added", "removed":
				u.effects[run][place(res.Files, x.At)]++
			}
		}
	}
}
