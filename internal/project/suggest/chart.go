package suggest

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
)

// This file turns changes of what charts print into values of the charts. Templates of charts are not
// understood: a value may be what has to change if the line has it, if its text is in the line, or if its
// name is that of the key. The chart is rendered with each of them, and what gives the edit is kept.

// Limits on how often charts are rendered to find values.
const (
	maxChartRuns    = 32 // in all
	maxChartGuesses = 6  // for one change
)

// chartOptions gives changes of the documents of charts their options: values in a values file of the chart.
func (s *search) chartOptions(list []*choice) {
	if s.now == nil || len(s.charts()) == 0 {
		return
	}
	for _, c := range list {
		if len(c.options) > 0 {
			continue
		}
		guesses := s.chartGuesses(c)
		for _, o := range guesses[:min(len(guesses), maxChartGuesses)] {
			if s.chartRuns == maxChartRuns || s.ctx.Err() != nil {
				return
			}
			left, ok := s.without(o, list)
			if !ok || left[c.key] {
				continue
			}
			for _, other := range list {
				if len(other.options) == 0 && !left[other.key] {
					other.options = []option{o}
				}
			}
			break
		}
	}
}

// without returns the changes that are left with a value of a chart. ok is false if there are others then.
func (s *search) without(o option, list []*choice) (left map[string]bool, ok bool) {
	s.chartRuns++
	d, failed := s.draftOf([]edited{{option: o}})
	if failed != nil {
		return nil, false
	}
	docs, err := s.gives(d)
	if err != nil {
		return nil, false
	}
	left = map[string]bool{}
	for _, x := range s.difference(docs).Changes {
		left[keyOf(&x)] = true
	}
	known := map[string]bool{}
	for _, c := range list {
		known[c.key] = true
	}
	for key := range left {
		if !known[key] {
			return nil, false
		}
	}
	return left, true
}

// chartGuesses returns values of charts that may give a change, the most likely first.
func (s *search) chartGuesses(c *choice) []option {
	x := &c.change
	g := guesser{search: s, choice: c}
	if len(x.Path) == 0 && (x.Object.A < 0 || x.Object.B < 0) {
		g.switches()
		return g.options
	}
	if x.Object.A < 0 || x.Object.B < 0 || len(x.Path) == 0 || s.isPatched(c) {
		return nil
	}
	g.chart = s.chartOf(x.Object.A)
	if g.chart == nil {
		return nil
	}
	g.find()
	return g.options
}

// isPatched reports whether something of the project has changed what was edited after the chart.
func (s *search) isPatched(c *choice) bool {
	n := s.nodeAt(c.change.Object.A, c.change.Path)
	if n == nil {
		return false
	}
	history := s.history(n)
	return history[len(history)-1].By != tree.ByTemplate && history[len(history)-1].How != blame.Copied
}

// guesser collects values of a chart that may give a change.
type guesser struct {
	*search
	*choice
	chart   *chart
	options []option
}

// find looks for values: those that the line has, then others with the same value or name.
func (g *guesser) find() {
	x := &g.change
	way := x.Path
	if i := slices.IndexFunc(way, func(p path.Segment) bool { return p.Kind == path.Inside }); i >= 0 {
		way = way[:i]
	}
	last := way[len(way)-1]
	around := way[:len(way)-1]
	switch {
	case last.Kind == path.Item && (x.Op != diff.Changed || len(way) < len(x.Path)):
		g.collection(around)
	case len(way) < len(x.Path), x.Op == diff.Changed:
		g.scalar(way)
	default:
		g.entry(around, last)
	}
}

// at returns what the edited document has at a path, and what it has today.
func (g *guesser) at(way path.Path) (was, now tree.Value, ok bool) {
	old, ok := before(way)
	if !ok {
		return was, now, false
	}
	was, existed := tree.At(g.docs[g.change.Object.A].Value, old.Steps())
	now, exists := tree.At(g.edited[g.change.Object.B].Value, way.Steps())
	return was, now, existed && exists
}

// scalar guesses values for a scalar that has changed.
func (g *guesser) scalar(way path.Path) {
	was, now, ok := g.at(way)
	if !ok || was.Kind() != tree.ScalarKind {
		return
	}
	for _, at := range g.chart.onLine(was) {
		g.text(at, was, now)
	}
	if now.Kind() != tree.ScalarKind {
		return
	}
	key := lastName(way)
	g.chart.eachScalar(func(at []tree.Step, v tree.Value) {
		if v.Text() == was.Text() && isAbout(at, key) {
			g.text(at, was, now)
		}
	})
	g.chart.eachScalar(func(at []tree.Step, v tree.Value) {
		if v.Text() != "" && strings.Contains(was.Text(), v.Text()) {
			g.text(at, was, now)
		}
	})
	g.unset(way, was, now)
}

// unset guesses values that are empty, and for which the chart has a default: for a tag, the
// version of the application, or whatever has the name of the key.
func (g *guesser) unset(way path.Path, was, now tree.Value) {
	name := lastName(way)
	g.chart.each(func(at []tree.Step, v tree.Value) {
		if v.Kind() != tree.ScalarKind || v.Text() != "" {
			return
		}
		if key := at[len(at)-1].Key; strings.EqualFold(key, "tag") {
			for _, part := range parts(was.Text(), now.Text(), g.chart.version) {
				g.add(at, &part)
			}
		} else if isNamed(at, name) {
			g.add(at, &now)
		}
	})
}

// text guesses that a value changes as the text did that contains it.
func (g *guesser) text(at []tree.Step, was, now tree.Value) {
	v, ok := tree.At(g.chart.values, at)
	switch {
	case !ok && g.chart.isFolder:
	case !ok: // the defaults of the chart are not known
		g.add(at, &now)
	case v.Kind() != tree.ScalarKind:
	case now.Kind() != tree.ScalarKind:
		if v.Text() == was.Text() {
			g.add(at, &now)
		}
	case v.Text() == was.Text():
		to := alike(v, now.Text())
		g.add(at, &to)
	default:
		for _, to := range parts(was.Text(), now.Text(), tree.String(v.Text())) {
			to = alike(v, to.Text())
			g.add(at, &to)
		}
	}
}

// alike returns a text as a scalar of the type that another one has, if it can be.
func alike(v tree.Value, text string) tree.Value {
	val, _ := v.Scalar()
	n, err := strconv.Atoi(text)
	switch {
	case val.Kind == yaml.Int && err == nil:
		return number(n)
	case val.Kind == yaml.Bool && (text == "true" || text == "false"):
		return truth(text == "true")
	}
	return tree.String(text)
}

// entry guesses values for a key that was added or removed: one of a map that the chart prints as a whole, or
// one with its name.
func (g *guesser) entry(around path.Path, last path.Segment) {
	x := &g.change
	old, ok := before(around)
	m, found := tree.At(g.docs[x.Object.A].Value, old.Steps())
	if !ok || !found || m.Kind() != tree.MapKind || last.Kind != path.Key {
		return
	}
	step := path.Path{last}.Steps()
	var to *tree.Value
	if x.Op == diff.Added {
		to = &x.After
	}
	for _, at := range g.chart.mapsOf(m) {
		g.add(slices.Concat(at, step), to)
	}
	g.chart.each(func(at []tree.Step, v tree.Value) {
		if v.Kind() == tree.MapKind && v.Len() > 0 && edit.Equal(v, m) {
			g.add(slices.Concat(at, step), to)
		}
	})
	if len(around) > 0 { // the chart may print more than the map, which is empty today
		g.chart.each(func(at []tree.Step, v tree.Value) {
			if isUnset(v) && isNamed(at, lastName(around)) {
				g.add(slices.Concat(at, step), to)
			}
		})
	}
	name := step[0].Key
	g.chart.each(func(at []tree.Step, v tree.Value) {
		if isNamed(at, name) && (to == nil) != isUnset(v) {
			if to == nil && !edit.Equal(v, x.Before) {
				return
			}
			g.add(at, to)
		}
	})
}

// collection guesses values for a list with other items.
func (g *guesser) collection(around path.Path) {
	was, now, ok := g.at(around)
	if !ok || was.Kind() != tree.ArrayKind || now.Kind() != tree.ArrayKind {
		return
	}
	name := lastName(around)
	g.chart.each(func(at []tree.Step, v tree.Value) {
		if v.Kind() == tree.ArrayKind && edit.Equal(v, was) && (v.Len() > 0 || isNamed(at, name)) {
			g.add(at, &now)
		}
	})
	g.chart.each(func(at []tree.Step, v tree.Value) {
		if v.Kind() != tree.ArrayKind || v.Len() == 0 && !isNamed(at, name) {
			return
		}
		if to, ok := partOfList(v, was, now); ok {
			g.add(at, &to)
		}
	})
	if x := &g.change; x.Op == diff.Added {
		g.chart.each(func(at []tree.Step, v tree.Value) {
			if k, to, ok := named(x.After); ok && v.Kind() == tree.MapKind && isNamed(at, name) {
				g.add(append(slices.Clip(at), tree.Step{Key: k, Index: -1}), &to)
			}
		})
	}
}

// partOfList returns what a list of values becomes if a longer list has its items, and only these were edited.
// The items of an empty list are taken to be at the end.
func partOfList(v, was, now tree.Value) (to tree.Value, ok bool) {
	items, before, after := elements(v), elements(was), elements(now)
	if len(items) == len(before) {
		return to, false // it is the list as a whole
	}
	for from := len(before) - len(items); from >= 0; from-- {
		g := segment{from: from, to: from + len(items)}
		if !slices.EqualFunc(before[g.from:g.to], items, edit.Equal) {
			continue
		}
		if to, ok = g.now(was, now, func(i, j int) bool { return edit.Equal(before[i], after[j]) }); ok {
			return to, true
		}
	}
	return to, false
}

// named returns the name and the value of an item such as {name: A, value: b}, which a chart may print for an entry
// of a map.
func named(item tree.Value) (name string, value tree.Value, ok bool) {
	id, ok := item.Lookup("name")
	value, has := item.Lookup("value")
	return id.Text(), value, ok && has && item.Len() == 2 && id.Kind() == tree.ScalarKind &&
		value.Kind() == tree.ScalarKind
}

// switches guesses that a value that is true or false decides whether there is a document.
func (g *guesser) switches() {
	doc, isNew := g.change.Object.A, g.change.Object.A < 0
	object := g.change.Object.Name.String()
	for _, chart := range g.charts() {
		if !isNew && g.chartOf(doc) != chart {
			continue
		}
		g.chart = chart
		for _, near := range []bool{true, false} {
			chart.each(func(at []tree.Step, v tree.Value) {
				val, _ := v.Scalar()
				if v.Kind() != tree.ScalarKind || val.Kind != yaml.Bool || val.Bool() == isNew ||
					isIn(at, object) != near {
					return
				}
				to := truth(isNew)
				g.add(at, &to)
			})
		}
	}
}

// add adds an option: another value of the chart, in the values file where this environment has it.
func (g *guesser) add(at []tree.Step, to *tree.Value) {
	if i := slices.IndexFunc(at, func(x tree.Step) bool { return x.Index >= 0 }); i >= 0 {
		list, ok := tree.At(g.chart.values, at[:i]) // values files replace lists
		if !ok {
			return
		}
		v := with(list, at[i:], to)
		at, to = at[:i], &v
	}
	o, ok := g.chartOption(g.chart, at, to)
	if !ok || slices.ContainsFunc(g.options, func(x option) bool {
		return x.name == o.name && x.at.file == o.at.file && sameValue(x.value, o.value)
	}) {
		return
	}
	g.options = append(g.options, o)
}

// lastName returns the last key of a path.
func lastName(way path.Path) string {
	for _, step := range slices.Backward(way.Steps()) {
		if step.Index < 0 {
			return step.Key
		}
	}
	return ""
}

// isAbout reports whether a value has the name of a key, or the other way round.
func isAbout(at []tree.Step, key string) bool {
	name := at[len(at)-1].Key
	return key != "" && name != "" && (strings.EqualFold(name, key) || isNamed(at, key) ||
		strings.HasSuffix(strings.ToLower(key), strings.ToLower(name)))
}

// isNamed reports whether a value has a name, such as podAnnotations that of annotations.
func isNamed(at []tree.Step, key string) bool {
	return key != "" && strings.HasSuffix(strings.ToLower(at[len(at)-1].Key), strings.ToLower(key))
}

// isIn reports whether the name of an object has a key around a value, such as ingress for ingress.enabled.
func isIn(at []tree.Step, object string) bool {
	object = strings.ToLower(object)
	return slices.ContainsFunc(at, func(x tree.Step) bool {
		return x.Key != "" && strings.Contains(object, strings.ToLower(x.Key))
	})
}

// isUnset reports whether a value is an empty map, list or text, or null.
func isUnset(v tree.Value) bool {
	if v.Kind() == tree.ScalarKind {
		return v.IsNull() || v.Text() == ""
	}
	return v.Len() == 0
}
