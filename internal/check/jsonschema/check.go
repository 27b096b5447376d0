package jsonschema

import (
	"slices"
	"unicode/utf8"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Check checks a value against a schema and returns the problems. at is the path to the value from
// its document. A schema that cannot be checked is a problem too, even in an alternative that does
// not matter in the end: without it, the answer is unknown.
func (s *Schema) Check(v tree.Value, at path.Path) []Problem {
	c := checker{at: slices.Clip(at)}
	c.value(s, v)
	switch {
	case c.steps > maxSteps: // the problems found so far may be wrong
		return []Problem{*c.unchecked}
	case c.unchecked != nil && !slices.ContainsFunc(c.found, isSchemaProblem):
		return append(c.found, *c.unchecked)
	}
	return c.found
}

func isSchemaProblem(p Problem) bool { return p.IsSchema() }

// checker checks one value against a schema.
type checker struct {
	at     path.Path
	found  []Problem
	frames []frame
	steps  int

	unchecked *Problem // the first problem of a schema itself

	current *Schema     // the schema that the value is being checked against
	scope   []*resource // the resources on the way to it, the outermost first
	seen    *seen       // what schemas have checked of the value; nil if no schema needs to know
}

// frame is a schema that a value is being checked against.
type frame struct {
	schema *Schema
	depth  int // the depth of the value
}

// maxSteps is the maximum number of checks of a value and its parts against schemas. Real schemas
// need far fewer; the limit is for schemas whose parts refer to each other many times.
const maxSteps = 2_000_000

func (c *checker) report(p Problem) {
	p.Path, p.rule = c.at.Clone(), c.current
	c.found = append(c.found, p)
	if p.IsSchema() && (c.unchecked == nil || c.steps > maxSteps) {
		c.unchecked = &p
	}
}

// value checks a value against a schema.
func (c *checker) value(s *Schema, v tree.Value) {
	outer, scope, before := c.current, len(c.scope), len(c.found)
	c.current = s
	if s.in != nil && (scope == 0 || c.scope[scope-1] != s.in) {
		c.scope = append(c.scope, s.in)
	}
	if s.file.tracks {
		around := c.seen
		c.seen = &seen{}
		defer func() {
			if around != nil && len(c.found) == before {
				around.add(c.seen)
			}
			c.seen = around
		}()
	}
	c.rules(s, v)
	c.current, c.scope = outer, c.scope[:scope]
}

// rules checks a value against the rules of a schema.
func (c *checker) rules(s *Schema, v tree.Value) {
	r := s.read()
	c.steps++
	switch {
	case r.broken != "":
		c.report(Problem{what: brokenSchema, text: s.named(r.broken)})
		return
	case c.steps > maxSteps:
		if c.steps == maxSteps+1 {
			c.report(Problem{what: brokenSchema, text: s.named("it takes too long to check")})
		}
		return
	case c.isRecursion(s):
		c.report(Problem{what: brokenSchema, text: s.named("it refers to itself without an end")})
		return
	case r.never:
		c.report(Problem{what: notAllowed, value: v})
		return
	}
	if !c.ofType(r, v) {
		return
	}
	c.scalar(r, v)
	c.conditions(s, r, v)
	switch v.Kind() {
	case tree.ArrayKind:
		c.list(r, v)
	case tree.MapKind:
		c.object(s, r, v)
	}
	if c.seen != nil {
		c.unevaluated(s, r, v)
	}
}

// named returns a text about the schema with the name of its file, unless problems show that themselves.
func (s *Schema) named(text string) string {
	if s.mode == standard {
		return text
	}
	return s.file.name + ": " + text
}

// enter checks the same value against another schema.
func (c *checker) enter(from, to *Schema, v tree.Value) {
	c.frames = append(c.frames, frame{from, len(c.at)})
	c.value(to, v)
	c.frames = c.frames[:len(c.frames)-1]
}

// isRecursion reports whether the value is already being checked against the schema.
func (c *checker) isRecursion(s *Schema) bool {
	for _, f := range slices.Backward(c.frames) {
		if f.depth != len(c.at) {
			return false
		}
		if f.schema == s {
			return true
		}
	}
	return false
}

// ofType reports whether a value has an allowed type.
func (c *checker) ofType(r *rules, v tree.Value) bool {
	t := typeOf(v)
	if r.null && t == nullType || r.types == 0 || r.types&t != 0 {
		return !(r.null && t == nullType)
	}
	c.report(Problem{what: wrongType, value: v, types: r.types})
	return false
}

// scalar checks the value itself.
func (c *checker) scalar(r *rules, v tree.Value) {
	if r.allowed != nil && !r.allowed[canonical(v)] {
		c.report(Problem{what: notInEnum, value: v, values: r.enum})
		return
	}
	if v.Kind() != tree.ScalarKind {
		return
	}
	if r.format != "" && !hasFormat(v, r.format, c.current.mode == standard) {
		c.report(Problem{what: wrongFormat, value: v, text: r.format})
		return
	}
	switch val, text := v.Scalar(); {
	case val.Kind == yaml.String:
		c.string(r, v, text)
	case typeOf(v)&numberType != 0:
		c.number(r, v)
	}
}

func (c *checker) string(r *rules, v tree.Value, text []byte) {
	if r.minLength.set || r.maxLength.set {
		c.size(v, utf8.RuneCount(text), r.minLength, r.maxLength, "character")
	}
	if r.pattern != nil && !r.pattern.Match(text) {
		c.report(Problem{what: noMatch, value: v, text: r.pattern.String()})
	}
}

func (c *checker) number(r *rules, v tree.Value) {
	if r.least != nil {
		if order := compare(v, *r.least); order < 0 || order == 0 && r.above {
			c.report(Problem{what: tooSmall, value: v, values: []tree.Value{*r.least}, strict: r.above})
		}
	}
	if r.most != nil {
		if order := compare(v, *r.most); order > 0 || order == 0 && r.below {
			c.report(Problem{what: tooLarge, value: v, values: []tree.Value{*r.most}, strict: r.below})
		}
	}
	if r.multiple != nil && !isMultiple(v, *r.multiple) {
		c.report(Problem{what: noMultiple, value: v, values: []tree.Value{*r.multiple}})
	}
}

// size checks a length against its limits.
func (c *checker) size(v tree.Value, n int, least, most limit, unit string) {
	if least.set && n < least.n {
		c.report(Problem{what: tooFew, value: v, count: n, limit: least.n, text: unit})
	}
	if most.set && n > most.n {
		c.report(Problem{what: tooMany, value: v, count: n, limit: most.n, text: unit})
	}
}

// list checks the items of a list.
func (c *checker) list(r *rules, v tree.Value) {
	n, contained := 0, 0
	for x := range v.Elements() {
		c.at = append(c.at, path.ToItem(n, n))
		switch {
		case n < len(r.first):
			c.below(r.first[n], x)
			c.seen.item(n)
		case r.items != nil:
			c.below(r.items, x)
			c.seen.item(n)
		}
		if r.contains != nil && len(c.try(r.contains, x)) == 0 {
			contained++
			if c.current.in != nil && c.current.in.draft >= draft2020 {
				c.seen.item(n)
			}
		}
		c.at = c.at[:len(c.at)-1]
		n++
	}
	c.size(v, n, r.minItems, r.maxItems, "item")
	if r.contains != nil {
		c.contained(r, v, contained)
	}
	if r.unique || r.keys != nil {
		c.unique(r, v)
	}
}

// contained checks how many items of a list fit a schema.
func (c *checker) contained(r *rules, v tree.Value, n int) {
	least := r.minContains
	switch {
	case !least.set && n == 0:
		c.report(Problem{what: notContained, value: v})
	case least.set && n < least.n:
		c.report(Problem{what: tooFew, value: v, count: n, limit: least.n, text: "matching item"})
	case r.maxContains.set && n > r.maxContains.n:
		c.report(Problem{what: tooMany, value: v, count: n, limit: r.maxContains.n, text: "matching item"})
	}
}

// unique checks that the items of a list, or their keys, differ.
func (c *checker) unique(r *rules, v tree.Value) {
	seen := map[string]int{}
	i := 0
	for x := range v.Elements() {
		id := ""
		if r.keys == nil {
			id = canonical(x)
		}
		for _, key := range r.keys {
			part, _ := x.Lookup(key)
			id += canonical(part) + ","
		}
		if first, ok := seen[id]; ok {
			c.at = append(c.at, path.ToItem(i, i))
			c.report(Problem{what: repeated, value: x, count: first, names: r.keys})
			c.at = c.at[:len(c.at)-1]
		} else {
			seen[id] = i
		}
		i++
	}
}

// object checks the fields of a map.
func (c *checker) object(s *Schema, r *rules, v tree.Value) {
	items := v.Entries()
	before := len(c.found)
	c.required(s, r, v)
	n := 0
	for i := range items {
		name := tree.KeyText(items[i].Key)
		if s.isAbsent(r, name, items[i].Value) {
			continue
		}
		n++
		c.at = append(c.at, path.ToKey(items[i].Key))
		c.field(s, r, name, items[i])
		c.at = c.at[:len(c.at)-1]
		c.implied(s, r, v, name)
	}
	c.size(v, n, r.minFields, r.maxFields, "field")
	c.misspelled(before, len(c.at))
}

// misspelled drops a missing required field if an unknown field is a misspelling of it: that is one
// mistake. The object is at depth, and its problems are those from first on; missing fields come
// first.
func (c *checker) misspelled(first, depth int) {
	if len(c.found) == first || c.found[first].what != missingField || c.found[first].text != "" ||
		len(c.found[first].Path) != depth {
		return
	}
	missing := &c.found[first]
	for i := first + 1; i < len(c.found); i++ {
		p := &c.found[i]
		if p.what != unknownField || len(p.Path) != depth+1 {
			continue
		}
		if at := slices.Index(missing.names, p.suggestion()); at >= 0 {
			missing.names = slices.Delete(missing.names, at, at+1)
		}
	}
	if len(missing.names) == 0 {
		c.found = slices.Delete(c.found, first, first+1)
	}
}

// isAbsent reports whether a field counts as missing: a server drops null from custom resources,
// where it is not a value.
func (s *Schema) isAbsent(r *rules, name string, v tree.Value) bool {
	if s.mode != structural || !v.IsNull() || v.Kind() != tree.ScalarKind {
		return false
	}
	field := r.fields[name]
	if field == nil {
		field = r.others
	}
	return field != nil && !field.read().null && field.raw.Kind() == tree.MapKind &&
		field.read().types != 0
}

// field checks one field.
func (c *checker) field(s *Schema, r *rules, name string, it tree.Item) {
	if r.names != nil && len(c.try(r.names, tree.String(name))) > 0 {
		c.report(Problem{what: wrongName, value: tree.String(name)})
	}
	known := false
	if field := r.fields[name]; field != nil {
		known = true
		c.below(field, it.Value)
	}
	for _, p := range r.patterns {
		if p.pattern.MatchString(name) {
			known = true
			c.below(p.schema, it.Value)
		}
	}
	if r.object && c.metadata(s, r, name, it.Value) {
		known = true
	}
	switch {
	case known:
	case r.others != nil:
		c.below(r.others, it.Value)
	case r.closed:
		c.report(Problem{what: unknownField, value: it.Value, schema: s})
	default:
		return
	}
	c.seen.field(name)
}

// metadata checks the fields that every object has, which its schema may omit. It reports whether
// the field is one of these.
func (c *checker) metadata(s *Schema, r *rules, name string, v tree.Value) bool {
	switch name {
	case "apiVersion", "kind":
		if r.fields[name] == nil && typeOf(v) != stringType {
			c.report(Problem{what: wrongType, value: v, types: stringType})
		}
		return true
	case "metadata":
		c.value(s.file.metadata(), v)
		return true
	}
	return false
}

// required checks that the required fields exist.
func (c *checker) required(s *Schema, r *rules, v tree.Value) {
	var missing []string
	names := r.required
	if r.object && s != s.file.root {
		names = append([]string{"apiVersion", "kind"}, names...) // for an object inside another
	}
	for _, name := range names {
		x, ok := v.Lookup(name)
		if ok && !s.isAbsent(r, name, x) || s.defaults(r, name) || slices.Contains(missing, name) {
			continue
		}
		missing = append(missing, name)
	}
	if missing != nil {
		c.report(Problem{what: missingField, value: v, names: missing})
	}
}

// defaults reports whether a server sets a missing field.
func (s *Schema) defaults(r *rules, name string) bool {
	field := r.fields[name]
	return s.mode == structural && field != nil && field.read().hasDefault
}

// implied checks what the presence of a field requires of the others.
func (c *checker) implied(s *Schema, r *rules, v tree.Value, name string) {
	for _, other := range r.dependent[name] {
		if _, ok := v.Lookup(other); !ok {
			c.report(Problem{what: missingField, value: v, names: []string{other}, text: name})
		}
	}
	if more := r.implied[name]; more != nil {
		c.enter(s, more, v)
	}
}

// conditions checks the schemas that a schema is composed of.
func (c *checker) conditions(s *Schema, r *rules, v tree.Value) {
	for _, to := range r.refs {
		c.enter(s, to, v)
	}
	if r.dynamic != nil {
		c.enter(s, c.target(r.dynamic), v)
	}
	for _, x := range r.all {
		c.enter(s, x, v)
	}
	if r.any != nil {
		c.anyOf(s, r.any, v)
	}
	if r.one != nil {
		c.oneOf(s, r.one, v)
	}
	if r.not != nil && c.excluded(s, r.not, v) {
		c.report(Problem{what: forbidden, value: v, names: requiredOnly([]*Schema{r.not})})
	}
	if r.when == nil {
		return
	}
	branch := r.then
	if len(c.within(s, r.when, v)) > 0 {
		branch = r.orElse
	}
	if branch != nil {
		c.enter(s, branch, v)
	}
}

// target returns what a dynamic reference refers to: the part with its anchor in the outermost resource
// that has one.
func (c *checker) target(ref *dynamicRef) *Schema {
	if ref.name == "" { // $recursiveRef
		for _, r := range c.scope {
			if r.dynamic {
				return r.root(ref.to)
			}
		}
		return ref.to
	}
	for _, r := range c.scope {
		if r.anchors[ref.name].dynamic {
			if s, err := r.find("#" + ref.name); err == nil {
				return s
			}
		}
	}
	return ref.to
}

// excluded reports whether a value fits a schema that it must not fit. What that schema has checked does
// not count as checked.
func (c *checker) excluded(s, not *Schema, v tree.Value) bool {
	seen := c.seen
	c.seen = nil
	fits := len(c.within(s, not, v)) == 0
	c.seen = seen
	return fits
}

// try returns the problems of a part of a value without reporting them.
func (c *checker) try(s *Schema, v tree.Value) []Problem {
	found := c.found
	c.found = nil
	c.below(s, v)
	tried := c.found
	c.found = found
	return tried
}

// within returns the problems of the value with the schema to inside schema s, without reporting them.
func (c *checker) within(s, to *Schema, v tree.Value) []Problem {
	found := c.found
	c.found = nil
	c.enter(s, to, v)
	tried := c.found
	c.found = found
	return tried
}

// anyOf checks that a value fits at least one of several schemas.
func (c *checker) anyOf(s *Schema, list []*Schema, v tree.Value) {
	tries := make([][]Problem, 0, len(list))
	fits := false
	for _, x := range list {
		tried := c.within(s, x, v)
		if fits = fits || len(tried) == 0; fits && c.seen == nil {
			return
		}
		tries = append(tries, tried)
	}
	if !fits {
		c.none(list, tries, v)
	}
}

// oneOf checks that a value fits exactly one of several schemas. Null is not a value in Kubernetes:
// there, null allowed by several of the schemas is not an error.
func (c *checker) oneOf(s *Schema, list []*Schema, v tree.Value) {
	var tries [][]Problem
	var fit []*Schema
	for _, x := range list {
		if tried := c.within(s, x, v); len(tried) > 0 {
			tries = append(tries, tried)
		} else {
			fit = append(fit, x)
		}
	}
	switch {
	case len(fit) == 0:
		c.none(list, tries, v)
	case len(fit) > 1 && (typeOf(v) != nullType || s.mode == standard):
		c.report(Problem{what: ambiguous, value: v, names: requiredOnly(fit)})
	}
}
