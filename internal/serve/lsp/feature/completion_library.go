package feature

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
)

var (
	givenTo     = lazy.Regexp{Text: `^(.*)\.with_data_values\(\s*(\{.*)$`}
	libraryName = lazy.Regexp{Text: `\blibrary\.get\(\s*"([^"]*)$`}
	gotLibrary  = lazy.Regexp{Text: `\blibrary\.get\(\s*"([^"]+)"`}
	lastIdent   = lazy.Regexp{Text: `[A-Za-z_]\w*$`}
)

// libraries completes the name that library.get takes: a private library of the folder, or a vendored source.
func (c *completion) libraries(typed string) {
	all, here := c.index()
	if all != nil {
		private := path.Join(path.Dir(here.Input), "_ytt_lib") + "/"
		var names []string
		for _, s := range all.Sources {
			rest, ok := strings.CutPrefix(s.Input, private)
			if name, _, below := strings.Cut(rest, "/"); ok && below && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, name := range names {
			if strings.HasPrefix(name, typed) {
				c.add(0, len(typed), name, protocol.CompletionItem{Kind: protocol.CompleteModule})
			}
		}
	}
	for _, l := range c.vendored() {
		if name := "@" + l.Name; strings.HasPrefix(name, typed) {
			c.add(1, len(typed), name, protocol.CompletionItem{
				Kind: protocol.CompleteModule, Detail: "vendored source",
			})
		}
	}
}

// vendored returns the vendored sources of the project.
func (c *completion) vendored() []load.Library {
	v := c.doc.View()
	if v == nil {
		return nil
	}
	return v.Options().Libraries
}

// maxVendored is how many files of a vendored source are looked at: a person is typing.
const maxVendored = 5000

// vendoredFiles completes the files of vendored sources that can be loaded. Those that no file uses are not
// in the index.
func (c *completion) vendoredFiles(typed string) {
	for _, l := range c.vendored() {
		prefix := "@" + l.Name + ":"
		if !strings.HasPrefix(prefix, typed) && !strings.HasPrefix(typed, prefix) {
			continue
		}
		dir, seen := path.Clean(filepath.ToSlash(l.Dir)), 0
		_ = fs.WalkDir(c.doc.Snapshot().Files(), dir, func(name string, d fs.DirEntry, err error) error {
			if seen++; seen > maxVendored || c.ctx.Err() != nil {
				return fs.SkipAll
			}
			text := prefix + strings.TrimPrefix(name, dir+"/")
			if err == nil && !d.IsDir() && load.Named(name).Library && strings.HasPrefix(text, typed) {
				c.add(2, len(typed), text, protocol.CompletionItem{
					Kind: protocol.CompleteFile, Detail: "vendored source",
				})
			}
			return nil
		})
	}
}

// libraryKeys completes a key of the data values that code passes to a library. It reports whether the
// cursor is at one.
func (c *completion) libraryKeys(code string) bool {
	m := givenTo.Get().FindStringSubmatch(code)
	if m == nil {
		return false
	}
	path, typed, ok := dictKey(m[2])
	name := c.libraryBefore(m[1])
	all, src := c.index()
	if !ok || name == "" || all == nil {
		return ok
	}
	dir := all.LibraryDir(src, name)
	var names []string
	for _, s := range all.Sources {
		for i := range s.File.Keys {
			k := &s.File.Keys[i]
			v := all.KeyValue(s, k)
			if k.Kind != index.Declares || v.Library != dir || len(v.Path) != len(path)+1 ||
				!slices.Equal(v.Path[:len(path)], path) {
				continue
			}
			if key := v.Path[len(path)]; !slices.Contains(names, key) {
				names = append(names, key)
			}
		}
	}
	for _, n := range names {
		c.add(1, len(typed), n, protocol.CompletionItem{
			Kind: protocol.CompleteProperty, Detail: "data value of " + name,
		})
	}
	return true
}

// libraryBefore returns the name of the library that is the value of the expression at the end of code:
// a call of library.get, or a variable of the file.
func (c *completion) libraryBefore(code string) string {
	if all := gotLibrary.Get().FindAllStringSubmatchIndex(code, -1); all != nil {
		last := all[len(all)-1]
		return code[last[2]:last[3]]
	}
	for { // a chain of calls begins with a variable
		trimmed := strings.TrimRight(code, " ")
		if !strings.HasSuffix(trimmed, ")") {
			break
		}
		open := strings.LastIndexByte(trimmed, '(')
		if open < 0 {
			return ""
		}
		code = lastIdent.Get().ReplaceAllString(trimmed[:open], "")
		code = strings.TrimSuffix(code, ".")
	}
	variable := lastIdent.Get().FindString(code)
	if variable == "" {
		return ""
	}
	assigned := regexp.MustCompile(`\b` + variable + `\s*=\s*library\.get\(\s*"([^"]+)"`)
	m := assigned.FindSubmatch(c.doc.File().Data())
	if m == nil {
		return ""
	}
	return string(m[1])
}

// dictKey returns the path of the dict that code ends in, and the beginning of the key there. It reports
// false if the code does not end in a key.
func dictKey(code string) (path []string, typed string, ok bool) {
	key, last, atKey, depth := "", "", false, 0
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '{':
			if depth++; depth > 1 {
				path = append(path, key)
			}
			atKey = true
		case '}':
			if depth--; depth < 1 {
				return nil, "", false
			}
			path = path[:len(path)-1]
			atKey = false
		case '[', '(':
			return nil, "", false // items of lists have no names
		case ':':
			key, atKey = last, false
		case ',':
			atKey = true
		case '"', '\'':
			end := strings.IndexByte(code[i+1:], code[i])
			if end < 0 {
				return path, code[i+1:], atKey
			}
			last = code[i+1 : i+1+end]
			i += end + 1
		}
	}
	return nil, "", false
}
