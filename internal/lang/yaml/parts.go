package yaml

import (
	"bytes"
	"sync/atomic"
	"unicode/utf8"

	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
)

// partSize is the minimum size of a file that is parsed in parts, and the approximate size of a
// part. It is large enough to make the cost of a goroutine negligible. Tests make it smaller.
var partSize = 1 << 20

// ParseParts is like Parse, but parses the parts of a large file in parallel. It returns one tree
// for each part, in order; together they have the documents of the file. The error is a
// *diag.Diagnostic.
//
// In the grammar, a line `---` ends everything that is open, even a block scalar; only a quote or a
// bracket could still be open, and that is an error. So a file can be split there without parsing
// what comes before. If a part has an error or a directive, the whole file is parsed again, to
// report the error in its context.
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

// parseParts parses src, the text of f, in parts. It returns nil if src is too small, or if a part
// fails. checked means that src has passed check; a lone carriage return is a line break, which the
// parser does not handle itself.
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
		ft, control := scanFacts(part)
		ok := control < 0 && (checked || !ft.returns && (!ft.nonASCII || utf8.Valid(part))) &&
			!bytes.Contains(part, []byte("\n%")) // a directive comes before the `---` of its document
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

// cut returns the offsets at which the parts of a text begin, and its end. It returns nil if the
// text is too small.
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
