package overlay

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// The codes of this package's diagnostics.
const (
	CodeCount      diag.Code = "overlay/match-count"        // more or fewer matches than expected
	CodeMatcher    diag.Code = "overlay/matcher"            // a matcher cannot be asked, or gives no answer
	CodeMapKey     diag.Code = "overlay/map-key"            // overlay.map_key without the key
	CodeAnnotation diag.Code = "overlay/annotation"         // an annotation that cannot be read
	CodeType       diag.Code = "overlay/type"               // a map onto a scalar, and the like
	CodeAssert     diag.Code = "overlay/assert"             // an assertion that does not hold
	CodeVia        diag.Code = "overlay/via"                // a function that returns what cannot be used
	CodeFunction   diag.Code = "overlay/function"           // a function that fails
	CodeKey        diag.Code = "overlay/duplicate-key"      // two items with one key
	CodeLimit      diag.Code = "overlay/limit"              // more nodes than a document may have
	CodeNoEffect   diag.Code = "overlay/no-effect"          // a warning: an annotation that does nothing
	CodeUnknown    diag.Code = "overlay/unknown"            // a warning of package compile: an annotation that there is not
	CodeNoMatch    diag.Code = "overlay/no-document"        // a warning: an overlay without its match
	CodePosition   diag.Code = "overlay/positional"         // a warning: an argument without its name
	CodePlacement  diag.Code = "overlay/above-first-key"    // a warning: a match that belongs above `---`
	CodeTwice      diag.Code = "overlay/twice"              // a warning: an annotation that is on a node twice
	CodeWhole      diag.Code = "overlay/added-whole"        // a warning: an annotation inside of what is put in whole
	CodeStrange    diag.Code = "overlay/added-odd"          // a warning: an item that is added, or gets a key, which was hardly meant
	CodeText       diag.Code = "overlay/collection-as-text" // a warning: a function that writes a collection into a text
	CodeIdle       diag.Code = "overlay/not-added"          // a warning: a replacement without anything to replace
)

// errStop says that something is wrong. Documents are first worked on side by side, without a word; if that fails, they are again, in order, to say what is wrong.
var errStop = errors.New("overlay: stopped")

// refuse says what is wrong with the annotations of p.
func (e *editor) refuse(p *plan) error { return e.failed(p, p.bad) }

// failed says that p could not be applied because of err: a diagnostic without a place, or the error of a function.
func (e *editor) failed(p *plan, err error) error {
	if !e.teach {
		return errStop
	}
	if _, ok := errors.AsType[*tree.LimitError](err); ok && e.owned {
		return err // whoever called overlay.apply has to see that it is no ordinary error
	}
	d := e.diagnose(err)
	d.At = p.at
	d.Path = p.segment()
	return d
}

// failedOn is failed for the candidate i.
func (e *editor) failedOn(d *draft, i int32, p *plan, err error) error {
	if !e.teach {
		return errStop
	}
	x, ok := e.failed(p, err).(*diag.Diagnostic)
	if !ok {
		return err
	}
	x.Path = d.segment(i)
	return e.relate(x, d, i, "for this %s", d.itemKind())
}

// diagnose is err as a diagnostic of its own.
func (e *editor) diagnose(err error) *diag.Diagnostic {
	if d, ok := err.(*diag.Diagnostic); ok {
		c := *d
		c.Related = append([]diag.Related(nil), d.Related...)
		return &c
	}
	if _, isLimit := err.(*tree.LimitError); e.opt.Diagnose != nil && !isLimit {
		if list := e.opt.Diagnose(err); len(list) > 0 {
			d := diag.Errorf(source.Span{}, CodeFunction, "%s", list[0].Message)
			if list[0].At.IsValid() {
				d.WithRelated(list[0].At, "the function fails here")
			}
			d.Related = append(d.Related, list[0].Related...)
			d.Hint = list[0].Hint
			return d
		}
	}
	if limit, ok := errors.AsType[*tree.LimitError](err); ok {
		return diag.Errorf(source.Span{}, CodeLimit, "%s", limit.Message)
	}
	if inner, ok := errors.AsType[*diag.Diagnostic](err); ok {
		d := diag.Errorf(source.Span{}, CodeFunction, "%s", inner.Message)
		if inner.At.IsValid() {
			d.WithRelated(inner.At, "the overlay that the function applies")
		}
		d.Related = append(d.Related, inner.Related...)
		d.Hint = inner.Hint
		return d
	}
	if ev, ok := errors.AsType[*starlark.EvalError](err); ok {
		return diag.Errorf(source.Span{}, CodeFunction, "%s", ev.Msg)
	}
	return diag.Errorf(source.Span{}, CodeFunction, "%s", err)
}

// maxNodes is how many nodes a document may have.
func (o *Options) maxNodes() int {
	if o.MaxNodes > 0 {
		return o.MaxNodes
	}
	return tree.MaxNodes
}

// checkLength sees to it that a collection does not outgrow the machine while it is edited: one that an overlay doubles, and another doubles again.
func (e *editor) checkLength(d *draft, p *plan) error {
	added := d.n - d.given
	if d.docs {
		added *= 2 // a document, and what it holds
	}
	if added <= e.opt.maxNodes() {
		return nil
	}
	return e.failed(p, e.tooLarge())
}

// checkSize sees to it that what was made can be printed. Items are shared, so that little memory can hold a document of any size.
func (e *editor) checkSize(v tree.Value) error {
	nodes, depth := v.Weight()
	switch {
	case depth > tree.MaxDepth:
		return &tree.LimitError{Message: fmt.Sprintf("with its overlays a document is nested more than %d levels deep", tree.MaxDepth)}
	case nodes > e.opt.maxNodes():
		return e.tooLarge()
	}
	return nil
}

func (e *editor) tooLarge() *tree.LimitError {
	return &tree.LimitError{Message: fmt.Sprintf("with its overlays a document has more than %d nodes", e.opt.maxNodes())}
}

// clash says that the value of entry i is of another kind than what is merged into it.
func (e *editor) clash(d *draft, i int32, p *plan) error {
	if !e.teach {
		return errStop
	}
	want, was := p.right.TypeName(), d.entries[i].cell().typeName()
	x := diag.Errorf(p.at, CodeType, "expected %s to merge with, but was %s", article(want), article(was))
	x.Path = d.segment(i)
	e.relate(x, d, i, "this is %s", article(was))
	if p.op == opAssert {
		return x
	}
	return x.WithHint("%s", clashHint(d, i, p))
}

// unequal says that entry i is not what an assert wants it to be.
func (e *editor) unequal(d *draft, i int32, p *plan) error {
	if !e.teach {
		return errStop
	}
	cmp := e.compare(p.want, d.entries[i].cell(), d.entrySpan(e, i))
	x := diag.Errorf(p.at, CodeAssert, "the assertion failed: expected the two to be equal, but they are not: %s", e.differences(cmp, maxDifferences))
	x.Path = d.segment(i)
	at := d.entrySpan(e, i)
	if len(cmp.differ) > 0 && cmp.differ[0].at.IsValid() {
		at = cmp.differ[0].at
	}
	return relate(x, at, "what there is")
}

// repeatedKey says that two items have come to have the same key.
func (e *editor) repeatedKey(d *draft, first, second int32) error {
	if !e.teach {
		return errStop
	}
	at := second
	if _, ok := d.replaced[first]; ok {
		at = first // the other one may have nothing to do with the overlay
	}
	x := diag.Errorf(d.entrySpan(e, at), CodeKey, "the result would have key %s twice", show(d.entries[second].Key))
	x.Path = d.segment(second)
	for _, i := range []int32{first, second} {
		if old, ok := d.replaced[i]; ok {
			relate(x, e.opt.itemSpan(old), "item %s is replaced, and gets the key of the overlay", show(old.Key))
		} else {
			e.relate(x, d, i, "item %s", show(d.entries[i].Key))
		}
	}
	return x.WithHint("where `by` is a function or overlay.subset, what is replaced gets the key of the overlay's item; match one item only, or merge, which keeps the keys")
}

// within adds to an error that it happened inside of p, below entry i.
func (e *editor) within(err error, d *draft, i int32, p *plan) error {
	x, ok := err.(*diag.Diagnostic)
	if !ok {
		return err
	}
	if s := d.segment(i); s != "" {
		x.Path = joinPath(s, x.Path)
	}
	e.chain = append(e.chain, p)
	if e.missed != nil {
		e.missed = append(e.missed, p)
	}
	if p.kind == document {
		if e.missed != nil && x.Path == "metadata.namespace" && p.by != nil && p.by.kind == matchAll {
			x.Hint = namespaceHint
		}
		e.told(x)
		e.relate(x, d, i, "applied to this document%s", describeDocument(d.entries[i].cell()))
	}
	return x
}

// told adds the nodes around the one that an error is about: the outermost with its line, and the others named with their places, since their lines say little.
func (e *editor) told(err error) error {
	x, ok := err.(*diag.Diagnostic)
	chain := e.chain
	e.chain = nil
	if !ok || len(chain) == 0 {
		return err
	}
	if e.opt.Files == nil {
		for _, p := range chain {
			relate(x, p.at, "in this %s", p.name())
		}
		return x
	}
	outer := chain[len(chain)-1]
	var inner []string
	for _, p := range slices.Backward(chain[:len(chain)-1]) {
		inner = append(inner, p.segment()+" at "+orNowhere(e.where(p.at.Pos)))
	}
	switch {
	case !outer.at.IsValid():
		return x
	case len(inner) == 0:
		return relate(x, outer.at, "in this %s", outer.name())
	}
	return relate(x, outer.at, "in this %s, in %s", outer.name(), strings.Join(inner, ", "))
}

func orNowhere(place string) string {
	if place == "" {
		return "?"
	}
	return place
}

// name is what a node of an overlay is called.
func (p *plan) name() string {
	if p.kind == document {
		return "overlay document"
	}
	return p.kind.String()
}

// relate adds the place of entry i to a diagnostic.
func (e *editor) relate(x *diag.Diagnostic, d *draft, i int32, format string, args ...any) *diag.Diagnostic {
	return relate(x, d.entrySpan(e, i), format, args...)
}

func relate(x *diag.Diagnostic, at source.Span, format string, args ...any) *diag.Diagnostic {
	if at.IsValid() {
		x.WithRelated(at, format, args...)
	}
	return x
}

// describeDocument is the name of a document in a message: " (Deployment web)".
func describeDocument(c cell) string {
	if name := documentName(c); name != "" {
		return " (" + name + ")"
	}
	return ""
}

// documentName is what a document says that it is, as those of Kubernetes do: "Deployment web".
func documentName(c cell) string {
	var words string
	if kind, ok := c.lookup(keyOf(tree.String("kind"))); ok && kind.kind() == tree.ScalarKind {
		words = plainText(kind.v)
	}
	if meta, ok := c.lookup(keyOf(tree.String("metadata"))); ok {
		if name, ok := meta.lookup(keyOf(tree.String("name"))); ok && name.kind() == tree.ScalarKind {
			if words != "" {
				words += " "
			}
			words += plainText(name.v)
		}
	}
	return words
}

func plainText(v tree.Value) string {
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, val, text, 0))
}

// itemKind is what the items of a draft are called.
func (d *draft) itemKind() nodeKind {
	switch {
	case d.docs:
		return document
	case d.array:
		return arrayItem
	}
	return mapItem
}

// entrySpan is where entry i comes from.
func (d *draft) entrySpan(e *editor, i int32) source.Span {
	x := &d.entries[i]
	if d.docs {
		return e.opt.documentSpan(x.Pos)
	}
	return e.opt.itemSpan(x.Item)
}

// documentSpan is the mark at which a document begins, or its first character.
func (o *Options) documentSpan(pos source.Pos) source.Span {
	if !pos.IsValid() {
		return source.Span{}
	}
	const mark = "---"
	if o.Files != nil {
		if f := o.Files.File(pos); f != nil && bytes.HasPrefix(f.Data()[min(pos.Offset(), len(f.Data())):], []byte(mark)) {
			return pos.To(pos.Offset() + len(mark))
		}
	}
	return pos.To(pos.Offset() + 1)
}

// itemSpan is the key of a map item, or the mark of an array item.
func (o *Options) itemSpan(it tree.Item) source.Span {
	if !it.Pos.IsValid() {
		return source.Span{}
	}
	n := 1
	if t, node, ok := it.Key.Syntax(); ok {
		if t.Start(node) == it.Pos {
			n = max(1, t.Span(node).End()-it.Pos.Offset())
		}
	} else if s, ok := it.Key.Starlark().(starlark.String); ok && o.Files != nil {
		if f := o.Files.File(it.Pos); f != nil && bytes.HasPrefix(f.Data()[min(it.Pos.Offset(), len(f.Data())):], []byte(s)) {
			n = max(1, len(s))
		}
	}
	return it.Pos.To(it.Pos.Offset() + n)
}

// where is a place in a message, "base.yml:4", or "" if it is not known.
func (e *editor) where(at source.Pos) string {
	if e.opt == nil || e.opt.Files == nil {
		return ""
	}
	f := e.opt.Files.File(at)
	if f == nil {
		return ""
	}
	return f.WhereLine(at.Offset())
}

// segment is the last part of the path to p.
func (p *plan) segment() string {
	switch p.kind {
	case mapItem:
		return pathKey(p.key.value)
	case arrayItem:
		return "[]"
	}
	return ""
}

// segment is the last part of the path to entry i.
func (d *draft) segment(i int32) string {
	switch d.itemKind() {
	case mapItem:
		return pathKey(d.entries[i].Key)
	case arrayItem:
		return "[" + strconv.Itoa(d.position(i)) + "]"
	}
	return ""
}

// pathKey is a key in a path: quoted if it would not be read as one.
func pathKey(v tree.Value) string {
	s, ok := v.Starlark().(starlark.String)
	if !ok {
		return show(v)
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '_', c == '-', c == '/', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
		default:
			return strconv.Quote(string(s))
		}
	}
	if s == "" {
		return `""`
	}
	return string(s)
}

func joinPath(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	case b[0] == '[':
		return a + b
	}
	return a + "." + b
}

// show is a value in a message: strings quoted, collections in short.
func show(v tree.Value) string {
	switch v.Kind() {
	case tree.MapKind:
		if v.Len() == 0 {
			return "{}"
		}
		return fmt.Sprintf("a map of %s", plural(v.Len(), "item"))
	case tree.ArrayKind:
		if v.Len() == 0 {
			return "[]"
		}
		return fmt.Sprintf("an array of %s", plural(v.Len(), "item"))
	}
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		const enough = 60
		if s := string(text); len(s) <= enough {
			return strconv.Quote(s)
		}
		return strconv.Quote(string(bytes.ToValidUTF8(text[:enough], nil)) + "…")
	}
	s := string(yaml.AppendValue(nil, val, text, 0))
	if val.Kind == yaml.Float && strings.Trim(s, "-0123456789") == "" {
		s += ".0" // printed it looks like an integer, which it does not match
	}
	return s
}

func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "match":
		return strconv.Itoa(n) + " matches"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
