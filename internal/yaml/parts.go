package yaml

import (
	"bytes"
	"runtime"
	"sync/atomic"

	"weft/internal/parallel"
	"weft/internal/source"
)

// partSize is from how many bytes on a file is read in parts, and how large they are, about: large enough that starting a goroutine for each does not show.
const partSize = 1 << 20

// ParseParts reads f as Parse does, but a large file in parts, side by side: one tree for each part, in order, which together have the documents of the file.
// The error is a *diag.Diagnostic.
//
// A line `---` ends whatever is open by the grammar, be it a block scalar; only a quote or a bracket could still be open, which is an error. So a file can be cut there
// without a look at what is before. If a part is wrong the whole is parsed again, for the error that it has as a whole.
func ParseParts(f *source.File, opt Options) ([]*Tree, error) {
	src, lines, err := text(f)
	if err != nil {
		return nil, err
	}
	cuts := cut(src)
	trees := make([]*Tree, len(cuts))
	if len(cuts) > 1 && parseParts(f, src, cuts, trees, opt) {
		return trees, nil
	}
	t, err := parseRange(f, src, 0, lines, opt)
	if err != nil {
		return nil, err
	}
	return []*Tree{t}, nil
}

// cut gives the offsets at which the parts of a text begin.
func cut(src []byte) []int {
	cuts := []int{0}
	if len(src) < 2*partSize || runtime.GOMAXPROCS(0) == 1 || bytes.Contains(src, []byte("\n%")) || src[0] == '%' {
		return cuts // a directive stands before the `---` that it belongs to
	}
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
	return cuts
}

// parseParts parses the parts and reports whether all of them are right.
func parseParts(f *source.File, src []byte, cuts []int, trees []*Tree, opt Options) bool {
	var failed atomic.Bool
	parallel.Each(len(cuts), func(i int) {
		if failed.Load() {
			return
		}
		end := len(src)
		if i+1 < len(cuts) {
			end = cuts[i+1]
		}
		part := src[:end]
		t, err := parseRange(f, part, cuts[i], bytes.Count(part[cuts[i]:], []byte{'\n'}), opt)
		if err != nil {
			failed.Store(true)
		}
		trees[i] = t
	})
	return !failed.Load()
}
