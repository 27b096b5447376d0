package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"weft"
)

// The limits of a request. The page has the same limits, with its own messages; these are for
// requests that do not come from the page.
const (
	maxFiles      = 2000
	longestPath   = 300
	largestInput  = 8 << 20 // bytes of all files, of values, and of the pinned and the edited output
	maxValues     = 1000
	maxPrints     = 1000
	longestPrint  = 10_000
	maxProblems   = 500
	largestOutput = 4 << 20  // bytes of output; the rest is left out
	largestReport = 24 << 20 // bytes of an explanation, and of the history of lines
)

// check returns what is wrong with a request, or "".
func (req *Request) check() string {
	for _, name := range req.Want {
		if !slices.ContainsFunc(slices.Concat(wanted, wantedLater), func(w want) bool { return w.name == name }) {
			return fmt.Sprintf("unknown want '%s'", name)
		}
	}
	return req.CheckFiles()
}

// CheckFiles returns what is wrong with the files and settings of a request, or "".
func (req *Request) CheckFiles() string {
	if len(req.Files) > maxFiles {
		return fmt.Sprintf("%d files are too many: at most %d", len(req.Files), maxFiles)
	}
	if n := len(req.Values) + len(req.Args); n > maxValues {
		return fmt.Sprintf("%d data values are too many: at most %d", n, maxValues)
	}
	size := len(req.Pinned) + len(req.Edited)
	for _, v := range slices.Concat(req.Values, req.Args) {
		size += len(v)
	}
	for _, f := range req.Files {
		size += len(f.Data)
	}
	if size > largestInput {
		return fmt.Sprintf("the files have %d bytes together: at most %d", size, largestInput)
	}
	if problem := CheckPaths(req.Files); problem != "" {
		return problem
	}
	return req.checkInputs(req.Inputs)
}

// checkInputs rejects inputs that are not among the files, above all URLs and standard input.
func (req *Request) checkInputs(list []string) string {
	for _, in := range list {
		if in != "." && (!fs.ValidPath(in) || !req.has(in)) {
			return fmt.Sprintf("there is no file '%s'", in)
		}
	}
	return ""
}

// has reports whether a path is a file, or a directory with files.
func (req *Request) has(path string) bool {
	return slices.ContainsFunc(req.Files, func(f File) bool {
		return f.Path == path || strings.HasPrefix(f.Path, path+"/")
	})
}

// CheckPaths returns what is wrong with the paths of files, or "".
func CheckPaths(files []File) string {
	seen := make(map[string]bool, len(files))
	for _, f := range files {
		switch {
		case len(f.Path) > longestPath:
			return fmt.Sprintf("a path has %d bytes: at most %d", len(f.Path), longestPath)
		case !fs.ValidPath(f.Path) || f.Path == "." || strings.ContainsAny(f.Path, "\\:\x00"):
			return fmt.Sprintf("'%s' is not the path of a file: use a relative path with forward "+
				"slashes, such as config/app.yml", f.Path)
		case seen[f.Path]:
			return fmt.Sprintf("there are two files '%s'", f.Path)
		}
		seen[f.Path] = true
	}
	for _, f := range files {
		for i := range len(f.Path) {
			if f.Path[i] == '/' && seen[f.Path[:i]] {
				return fmt.Sprintf("'%s' is a file, and cannot have files below it", f.Path[:i])
			}
		}
	}
	return ""
}

// limited returns a text, cut off if it is too long.
func (r *run) limited(text string) string {
	if len(text) <= largestOutput {
		return text
	}
	r.res.Truncated = true
	return clip(text, largestOutput)
}

// clip returns the beginning of a text, in whole characters.
func clip(text string, size int) string {
	if len(text) <= size {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}

// report returns a report as it is written, or nothing if it is too large for a page.
func (r *run) report(of weft.Report, how weft.ReportOptions) json.RawMessage {
	b := &limitedBuffer{}
	if err := of.Write(b, how); err != nil {
		r.res.Truncated = true
		return nil
	}
	return b.Bytes()
}

// limitedBuffer is a buffer for at most largestReport bytes.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > largestReport {
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}

// addNew adds diagnostics, without duplicates.
func (r *run) addNew(list []Diagnostic) {
	for _, d := range list {
		if len(r.res.Diagnostics) >= maxProblems {
			return
		}
		if !slices.ContainsFunc(r.res.Diagnostics, d.same) {
			r.res.Diagnostics = append(r.res.Diagnostics, d)
		}
	}
}
