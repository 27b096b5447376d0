package script

import (
	"bytes"

	"weft/internal/lang/source"
)

// Mark is where code begins or ends a block.
type Mark struct {
	Kind MarkKind
	Off  int  // in the file
	One  bool // the block is around one node: `if/end`
}

// MarkKind is the kind of a Mark.
type MarkKind uint8

// The kinds of mark.
const (
	Opens    MarkKind = iota // if, for, while
	Defines                  // def
	Branches                 // elif, else
	Ends                     // end
)

// Outline returns the marks of consecutive fragments, without a node between them.
func Outline(f *source.File, frags []Fragment) []Mark {
	ones := map[int]bool{} // by their offsets in the file
	for i := range frags {
		var one bool
		if frags[i], one = NodeBlock(frags[i]); one {
			text := frags[i].Text
			ones[frags[i].Off+len(text)-len(bytes.TrimLeft(text, " \t"))] = true
		}
	}
	r := newRun(f, frags)
	lx := lexer{src: r.text}
	var marks []Mark
	for {
		l := lx.line()
		if l.start == l.end {
			return marks
		}
		kind, ok := l.mark()
		if !ok {
			continue
		}
		m := Mark{Kind: kind, Off: r.offset(l.start)}
		m.One = ones[m.Off]
		marks = append(marks, m)
	}
}
