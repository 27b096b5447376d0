package yaml

import "weft/internal/lang/source"

// Meanings is a plain scalar that readers of YAML 1.1 and 1.2 take for two things, as `on`, `0644`,
// `1_000`, `12:30:00` and dates are: see IsAmbiguous.
type Meanings struct {
	At   source.Span
	Text string

	Here  string // what it is to weft: "the number 644"
	There string // what it is to readers of the other version
	Other string // that version
	Hint  string // how to write it so that it has one meaning
}

// Meanings returns those of scalar n, if it has two.
func (t *Tree) Meanings(n NodeID) (m Meanings, ok bool) {
	if t.Kind(n) != Scalar || !t.IsAmbiguous(n) {
		return Meanings{}, false
	}
	text := t.Raw(n)
	m = Meanings{At: t.Span(n), Text: excerpt(oneLine(text)), Hint: strictHint(text, Compat.Resolve(text))}
	in11, in12 := meaning11(text), meaning(Core.Resolve(text))
	if m.Here, m.There, m.Other = in12, in11, "1.1"; t.schema == Compat {
		m.Here, m.There, m.Other = meaning(Compat.Resolve(text)), in12, "1.2"
		if m.Here == m.There { // a date, or a number in base 60, which weft never reads as such
			m.There, m.Other = in11, "1.1"
		}
	}
	return m, m.Here != m.There
}

// meaning11 returns what text is in YAML 1.1.
func meaning11(text []byte) string {
	switch v := Compat.Resolve(text); {
	case v.Kind != String:
		return meaning(v)
	case isTimestamp(text):
		return "a date"
	case isBase60(text):
		return "a number in base 60"
	}
	return meaning(Value{Kind: String})
}

// meaning returns what a value is, in words.
func meaning(v Value) string {
	switch v.Kind {
	case String:
		return "text"
	case Bool:
		return "the boolean " + string(AppendValue(nil, v, nil, 0))
	case Null:
		return "null"
	}
	return "the number " + string(AppendValue(nil, v, nil, 0))
}
