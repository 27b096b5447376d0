package eval

import (
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/compile"
	"weft/internal/diag"
)

// fragmentText is how Starlark writes the YAML of a function in a string. ytt prints it, so weft
// does, but nobody wants it.
const fragmentText = "yamlfragment("

// warnOfFragment warns of a node whose text was made of YAML. Each node is reported once, however
// often it is made.
func (p *proc) warnOfFragment(n *compile.Node, text starlark.String) {
	at := strings.Index(string(text), fragmentText)
	if at < 0 || p.fragments[n] {
		return
	}
	if p.fragments == nil {
		p.fragments = map[*compile.Node]bool{}
	}
	p.fragments[n] = true
	found, _, _ := strings.Cut(string(text[at:]), ")")
	p.note(diag.List{diag.Warningf(n.Pos.To(0), CodeFragment,
		"this text contains `%s)` in place of the YAML that a function returns", found).
		WithHint("to insert the YAML as text, write `yaml.encode(...)` around the call, after " +
			"`#@ load(\"@ytt:yaml\", \"yaml\")`; to insert it as a value, write only the call")})
}
