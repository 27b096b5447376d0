package yaml

import (
	"bytes"
	"sync/atomic"
	"unicode/utf8"

	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
)

// partSize is from how many bytes on a file is read in parts, and how large they are, about: large
// enough that starting a goroutine for each does not show. Tests make it smaller.
var partSize = 1 << 20

// ParseParts reads f as Parse does, but a large file in parts, side by side: one tree for each
// part, in order, which together have the documents of the file. The error is a *diag.Diagnostic.
//
// A line `---` ends whatever is open by the grammar, be it a block scalar; only a quote or a
// bracket could still be open, which is an error. So a file can be cut there without a look at what
// is before. If a part is wrong, or odd, the whole is read again, for the error that it has as a
// whole.
func ParseParts(f *source.File, opt Options) ([]*Tree, error) {
	if trees := parseParts(f, f.Data(), false, opt); trees != nil {
		return trees, nil
	}
	src, lines, err := text(f)
	if err != nil {
		return nil, err
	}
	if trees := parseParts(f, src, true, opt); trees != nil {
		return trees, nil
	}
	t, err := parseRange(f, src, 0, lines, opt)
	if err != nil {
		return nil, err
	}
	return []*Tree{t}, nil
}

// parseParts parses src, which is that of f, in parts. It gives nothing if src is too small for
// that, or if a part is not all right. Whoever has checked it allows for carriage returns; a lone
// one is a line break, which is not for the parser to know.
func parseParts(f *source.File, src []byte, checked bool, opt Options) []*Tree {
	cuts := cut(src, opt.Workers)
	if len(cuts) < 2 {
		return nil
	}
	trees := make([]*Tree, len(cuts)-1)
	var failed atomic.Bool
	opt.Workers.Each(len(trees), func(i int) {
		if failed.Load() {
			return
		}
		part := src[cuts[i]:cuts[i+1]]
		ft, control := look(part)
		ok := control < 0 && (checked || !ft.returns && (!ft.nonASCII || utf8.Valid(part))) &&
			!bytes.Contains(
				part,
				[]byte("\n%"),
			) // a directive is before the `---` that it belongs to
		if ok {
			t, err := parseRange(f, src[:cuts[i+1]], cuts[i], ft.lines, opt)
			trees[i], ok = t, err == nil
		}
		if !ok {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return nil
	}
	return trees
}

// cut gives the offsets at which the parts of a text begin, and where the last ends. There are none
// if it is too small to be cut.
func cut(src []byte, workers parallel.Workers) []int {
	if len(src) < 2*partSize || workers.Count() == 1 || src[0] == '%' {
		return nil
	}
	cuts := []int{0}
	for at := partSize; at < len(src); at += partSize {
		i := bytes.Index(src[at:], []byte("\n---"))
		if i < 0 {
			break
		}
		at += i + 1
		if at+3 == len(src) || classes[src[at+3]]&(blank|lineEnd) != 0 {
			cuts = append(cuts, at)
		}
	}
	if len(cuts) == 1 {
		return nil
	}
	return append(cuts, len(src))
}
