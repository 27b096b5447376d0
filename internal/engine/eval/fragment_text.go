package eval

import (
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// fragmentText is how Starlark formats a function's YAML in a string. ytt prints such text, and so
// does weft, but it is never what the author wants.
const fragmentText = "yamlfragment("

// warnOfFragment warns about a node whose text contains formatted YAML. Each node is reported once,
// however often it is produced.
func (p *proc) warnOfFragment(n *compile.Node, text starlark.String) {
	at := strings.Index(string(text), fragmentText)
	if at < 0 || p.fragments[n] {
		return
	}
	if p.fragments == nil {
		p.fragments = map[*compile.Node]bool{}
	}
	p.fragments[n] = true
	d := fragmentWarning(string(text[at:]), "this text contains")
	d.At = n.Pos.To(0)
	p.note(diag.List{d})
}

// warnOfHidden warns about formatted YAML that a function hashes or encodes. The mistake is
// invisible in the result: such a checksum would never change.
func warnOfHidden(t *starlark.Thread, text string) {
	if at := strings.Index(text, fragmentText); at >= 0 {
		Note(t, diag.List{fragmentWarning(text[at:], "the text given to this function contains")})
	}
}

func fragmentWarning(text, what string) *diag.Diagnostic {
	found, _, _ := strings.Cut(text, ")")
	return diag.Warningf(source.Span{}, CodeFragment,
		"%s `%s)` in place of the YAML that a function returns", what, found).
		WithHint("to insert the YAML as text, write `yaml.encode(...)` around the call, after " +
			"`#@ load(\"@ytt:yaml\", \"yaml\")`; to insert it as a value, write only the call")
}
