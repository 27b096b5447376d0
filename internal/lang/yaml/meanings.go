package yaml

import "weft/internal/lang/source"

// Meanings describes a plain scalar that YAML 1.1 and 1.2 read differently, such as `on`, `0644`,
// `1_000`, `12:30:00` or a date: see IsAmbiguous.
type Meanings struct {
	At   source.Span
	Text string

	Here  string // how weft reads it: "the number 644"
	There string // how parsers of the other version read it
	Other string // that version
	Hint  string // how to write it without ambiguity
}

// Meanings returns the two meanings of scalar n, if it has two.
func (t *Tree) Meanings(n NodeID) (m Meanings, ok bool) {
	if t.Kind(n) != Scalar || !t.IsAmbiguous(n) {
		return Meanings{}, false
	}
	text := t.Raw(n)
	m = Meanings{At: t.Span(n), Text: excerpt(oneLine(text)), Hint: strictHint(text, Compat.Resolve(text))}
	in11, in12 := meaning11(text), meaning(Core.Resolve(text))
	if m.Here, m.There, m.Other = in12, in11, "1.1"; t.schema == Compat {
		m.Here, m.There, m.Other = meaning(Compat.Resolve(text)), in12, "1.2"
		if m.Here == m.There { // a date or a number in base 60, which weft reads as text
			m.There, m.Other = in11, "1.1"
		}
	}
	return m, m.Here != m.There
}

// meaning11 describes how YAML 1.1 reads text.
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

// meaning describes a value in words.
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
