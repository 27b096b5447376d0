package script

import (
	"iter"

	"weft/internal/lang/source"
)

// Mark is where code begins or ends a block.
type Mark struct {
	Kind MarkKind
	Off  int  // in the file
	End  int  // the offset of the `end` that closes the block that begins here
	One  bool // the block contains only one node: `if/end`
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

// Begins reports whether a block begins that an `end` closes.
func (m Mark) Begins() bool { return (m.Kind == Opens || m.Kind == Defines) && !m.One }

// Outline returns where the code in the comments of a template begins and ends blocks, in order.
// Layout says what the comments are.
func Outline(f *source.File, comments iter.Seq2[int, Fragment]) []Mark {
	var marks []Mark
	for _, r := range Layout(f, comments) {
		marks = append(marks, r.Marks...)
	}
	return marks
}
