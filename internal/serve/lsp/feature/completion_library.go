package feature

import (
	"regexp"
	"slices"
	"strings"

	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
)

var (
	givenTo    = lazy.Regexp{Text: `^(.*)\.with_data_values\(\s*(\{.*)$`}
	gotLibrary = lazy.Regexp{Text: `\blibrary\.get\(\s*"([^"]+)"`}
	lastIdent  = lazy.Regexp{Text: `[A-Za-z_]\w*$`}
)

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
