package schemas

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// text returns a schema as a file of weft. The lines of head are comments at the top. files has the sources
// that losses refer to.
func (n *node) text(head []string, files *source.Set) string {
	w := &writer{files: files, names: map[string]bool{}}
	body := w.document(n)
	var b strings.Builder
	for _, line := range head {
		b.WriteString(comment(line) + "\n")
	}
	if head != nil {
		b.WriteString("\n")
	}
	for _, f := range w.functions {
		b.WriteString(f + "\n")
	}
	b.WriteString("#@data/values-schema\n" + body)
	return b.String()
}

// writer writes a schema.
type writer struct {
	files     *source.Set
	functions []string // of variants
	names     map[string]bool
}

// place is the kind of node that annotations are on.
type place uint8

const (
	onDocument place = iota
	onField
	onItem // of an array
	onRest // the item `_` of a map
)

// document returns the document: its annotations, and what is below its line.
func (w *writer) document(n *node) string {
	var b strings.Builder
	for _, line := range w.annotations(n, onDocument) {
		b.WriteString(line + "\n")
	}
	b.WriteString("---")
	if below := w.value(n, -2, 0); strings.HasPrefix(below, "\n") {
		b.WriteString(below)
	} else {
		b.WriteString("\n" + strings.TrimPrefix(below, " "))
	}
	return b.String() + "\n"
}

// value returns what follows a key or a dash: a blank and a scalar, or lines. Keys below are two columns
// right of indent, and dashes at column dash.
func (w *writer) value(n *node, indent, dash int) string {
	switch n.kind {
	case mapKind:
		return w.fields(n, indent+2)
	case arrayKind:
		return w.array(n, dash)
	case variantKind:
		if n.def == nil || n.def.IsNull() {
			first := tree.Item{Key: tree.String(n.tag), Value: tree.String(n.variants[0].name)}
			return inYAML(mapOf(first), indent)
		}
	}
	if v := n.example(); v.Kind() != tree.ArrayKind {
		return inYAML(v, indent)
	}
	return inYAML(n.example(), dash)
}

// fields returns the keys of a map, at a column.
func (w *writer) fields(n *node, column int) string {
	if len(n.fields) == 0 && n.rest == nil {
		return " {}"
	}
	var b strings.Builder
	for _, f := range n.fields {
		w.field(&b, f, column, onField)
	}
	if n.rest != nil {
		w.field(&b, field{restKey, n.rest}, column, onRest)
	}
	return b.String()
}

func (w *writer) field(b *strings.Builder, f field, column int, at place) {
	margin := "\n" + strings.Repeat(" ", column)
	for _, line := range w.annotations(f.typ, at) {
		b.WriteString(margin + line)
	}
	b.WriteString(margin + keyInYAML(f.key) + ":" + w.value(f.typ, column, column))
}

// array returns the one item of a list, at a column.
func (w *writer) array(n *node, column int) string {
	var b strings.Builder
	margin := "\n" + strings.Repeat(" ", column)
	for _, line := range w.annotations(n.item, onItem) {
		b.WriteString(margin + line)
	}
	below := w.value(n.item, column, column+2)
	// Annotations of the first key are on lines below the dash: above it, they would belong to the item.
	if next := margin + "  "; strings.HasPrefix(below, next) && below[len(next)] != '#' {
		below = " " + below[len(next):]
	}
	b.WriteString(margin + "-" + below)
	return b.String()
}

// example returns a value of the type: the default, if there is one.
func (n *node) example() tree.Value {
	v, ok := n.given()
	switch n.kind {
	case anyKind:
		return v
	case floatKind:
		v = asFloat(v)
	case intKind:
		v = asInt(v)
	}
	if ok && !v.IsNull() {
		return v
	}
	switch n.kind {
	case intKind:
		return number(0)
	case floatKind:
		return asFloat(number(0))
	case boolKind:
		return truth(false)
	case arrayKind:
		return arrayOf(n.item.example())
	case mapKind:
		return emptyMap()
	case choiceKind:
		return n.choices[0].example()
	}
	return tree.String("")
}

// given returns the default, or else an example that the schema has.
func (n *node) given() (tree.Value, bool) {
	switch {
	case n.def != nil && !n.def.IsNull():
		return *n.def, true
	case n.kind == anyKind:
		return tree.Null, true
	}
	for _, v := range slices.Concat(n.examples, n.rules.oneOf) {
		if v = n.adapted(v); n.fits(v) && !v.IsNull() {
			return v, true
		}
	}
	return tree.Null, false
}

// annotations returns the lines above a node.
func (w *writer) annotations(n *node, at place) []string {
	var lines []string
	add := func(name, arguments string) {
		lines = append(lines, strings.TrimSuffix("#@schema/"+name+" "+arguments, " "))
	}
	for _, l := range n.lost {
		lines = append(lines, comment("not imported: "+l.In(w.files)))
	}
	if n.read != "" && n.kind != mapKind {
		lines = append(lines, comment("read in "+n.read+", and set nowhere: write an example of the value"))
	}
	if n.title != "" {
		add("title", quoted(n.title))
	}
	if n.desc != "" {
		add("desc", quoted(n.desc))
	}
	if len(n.examples) > 0 {
		add("examples", examplesText(n.examples))
	}
	if n.deprecated != nil {
		add("deprecated", quoted(*n.deprecated))
	}
	if n.secret {
		add("secret", "")
	}
	w.typeAnnotations(n, at, add)
	if text := n.validation(); text != "" {
		add("validation", text)
	}
	return lines
}

// typeAnnotations adds the annotations that decide the type and the default.
func (w *writer) typeAnnotations(n *node, at place, add func(name, arguments string)) {
	if n.nullable && n.kind != anyKind {
		add("nullable", "")
	}
	if n.required {
		add("required", "")
	}
	switch n.kind {
	case anyKind:
		add("type", "any=True")
	case mapKind:
		if n.rest != nil {
			add("map", n.mapArguments())
		}
	case choiceKind:
		var choices []string
		for _, c := range n.choices {
			choices = append(choices, starlarkOf(c.example()))
		}
		add("any-of", strings.Join(choices, ", "))
	case variantKind:
		add("one-of", w.variants(n))
	}
	if n.needsDefault() && at != onItem && at != onRest {
		add("default", starlarkOf(*n.def))
	}
}

// needsDefault reports whether @schema/default is needed, because the default is not the value in the schema.
func (n *node) needsDefault() bool {
	switch {
	case n.def == nil || n.def.IsNull() || n.kind == anyKind:
		return false
	case n.nullable:
		return true
	case n.kind == arrayKind, n.kind == mapKind && n.rest != nil:
		return n.def.Len() > 0
	}
	return false
}

// variants returns the arguments of @schema/one-of. Each variant is written as a function that returns it.
func (w *writer) variants(n *node) string {
	args := []string{"by=" + quoted(n.tag)}
	var others []string
	for _, v := range n.variants {
		name := w.function(v)
		if isIdentifier(v.name) {
			args = append(args, v.name+"="+name+"()")
		} else {
			others = append(others, quoted(v.name)+": "+name+"()")
		}
	}
	if others != nil {
		args = append(args, "**{"+strings.Join(others, ", ")+"}")
	}
	return strings.Join(args, ", ")
}

// function writes the function that returns a variant, and returns its name.
func (w *writer) function(v variant) string {
	base := "variant_" + strings.Map(func(r rune) rune {
		if !isWordRune(r) {
			return '_'
		}
		return r
	}, v.name)
	name := base
	for i := 2; w.names[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	w.names[name] = true
	body := strings.TrimPrefix(w.value(v.typ, -2, 0), "\n")
	w.functions = append(w.functions, "#@ def "+name+"():\n"+body+"\n#@ end\n")
	return name
}

// isIdentifier reports whether a text can be the name of an argument.
func isIdentifier(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !isWordRune(r) }) < 0 &&
		(s[0] < '0' || s[0] > '9') && script.IsName(s)
}

func isWordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}

// mapArguments returns the arguments of @schema/map.
func (n *node) mapArguments() string {
	var args []string
	if n.keys != "" {
		args = append(args, "keys="+quoted(n.keys))
	}
	if n.rules.minLen != nil {
		args = append(args, "min_len="+starlarkOf(*n.rules.minLen))
	}
	if n.rules.maxLen != nil {
		args = append(args, "max_len="+starlarkOf(*n.rules.maxLen))
	}
	return strings.Join(args, ", ")
}

// validation returns the arguments of @schema/validation, or "".
func (n *node) validation() string {
	var args []string
	value := func(name string, v *tree.Value) {
		if v != nil {
			args = append(args, name+"="+starlarkOf(*v))
		}
	}
	r := n.rules
	if n.kind != mapKind {
		value("min_len", r.minLen)
		value("max_len", r.maxLen)
	}
	value("min", r.min)
	value("max", r.max)
	if r.notNull {
		args = append(args, "not_null=True")
	}
	if r.oneNotNull != nil {
		keys := make([]string, len(r.oneNotNull))
		for i, k := range r.oneNotNull {
			keys[i] = quoted(k)
		}
		args = append(args, "one_not_null=["+strings.Join(keys, ", ")+"]")
	}
	if r.oneOf != nil {
		args = append(args, "one_of="+starlarkOf(arrayOf(r.oneOf...)))
	}
	if r.matches != "" {
		args = append(args, "matches="+quoted(r.matches))
	}
	if r.format != "" {
		args = append(args, "format="+quoted(r.format))
	}
	value("multiple_of", r.multipleOf)
	if r.unique {
		args = append(args, "unique=True")
	}
	return strings.Join(args, ", ")
}

// examplesText returns the arguments of @schema/examples. The descriptions are empty, since other schemas
// have none.
func examplesText(values []tree.Value) string {
	pairs := make([]string, len(values))
	for i, v := range values {
		pairs[i] = `("", ` + starlarkOf(v) + ")"
	}
	return strings.Join(pairs, ", ")
}

// comment returns a line as a comment of a template.
func comment(line string) string {
	return strings.TrimRight("#! "+diag.Visible(line), " ")
}

// In returns the loss as one line, with its file and line. files has that file.
func (l Loss) In(files *source.Set) string {
	text := l.What
	if l.Path != "" {
		text += " at " + l.Path
	}
	if f := files.File(l.At.Pos); f != nil {
		text += " (" + f.WhereLine(l.At.Offset()) + ")"
	}
	if l.Why != "" {
		text += ": " + l.Why
	}
	return text
}
