package load

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// exclude returns the files that match none of the patterns.
func exclude(files []*file, patterns []string) []*file {
	for _, text := range patterns {
		p := parsePattern(text)
		files = slices.DeleteFunc(files, func(f *file) bool { return p.match(f.rel) })
	}
	return files
}

// mark applies the marks in order and returns the remaining files, in order.
func mark(files []*file, marks []string) ([]*file, error) {
	for _, text := range marks {
		m, err := parseMark(text, onWindows)
		if err != nil {
			return nil, err
		}
		matched := false
		for _, f := range files {
			if m.pattern.match(f.rel) {
				matched = true
				m.apply(f)
			} else if m.key == keyExclusive && f.output != exclusive {
				f.output = off
			}
		}
		if !matched {
			d := diag.Failf(
				CodeMarkNoMatch,
				"expected file mark '%s' to match at least one file by path, but did not",
				text,
			)
			if len(files) > 0 {
				d.WithHint("marks are matched against relative paths, such as '%s'", files[0].rel)
			}
			return nil, d
		}
	}
	kept := files[:0]
	for _, f := range files {
		if !f.excluded {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// fileMark is one PATH:KEY=VALUE.
type fileMark struct {
	pattern  pattern
	key      markKey
	path     string // for keyPath
	typ      Type   // for keyType
	template bool   // for keyType
}

type markKey uint8

const (
	keyPath markKey = iota
	keyExclude
	keyType
	keyOutput
	keyExclusive
)

func (m *fileMark) apply(f *file) {
	switch m.key {
	case keyPath:
		f.moved = m.path
	case keyExclude:
		f.excluded = true
	case keyType:
		f.typed, f.typ, f.template = true, m.typ, m.template
	case keyOutput:
		if f.output != exclusive {
			f.output = on
		}
	case keyExclusive:
		f.output = exclusive
	}
}

const (
	markTypes = "yaml-template, yaml-plain, text-template, text-plain, starlark or data"
	markKeys  = "path, exclude, type, for-output or exclusive-for-output"
)

func parseMark(text string, windows bool) (*fileMark, error) {
	path, rest, found := cutMark(text, windows)
	if !found {
		return nil, diag.Failf(
			CodeBadMark,
			"expected file mark '%s' to be in format path:key=value",
			text,
		)
	}
	key, value, found := strings.Cut(rest, "=")
	if !found {
		return nil, diag.Failf(
			CodeBadMark,
			"expected file mark '%s' key-value portion to be in format key=value",
			text,
		)
	}
	m := &fileMark{pattern: parsePattern(slashed(path, windows))}
	expected := "true"
	ok := value == "true"
	switch key {
	case "path":
		m.key, m.path = keyPath, slashed(value, windows)
		ok, expected = value != "", "a path"
	case "exclude":
		m.key = keyExclude
	case "type":
		m.key = keyType
		m.typ, m.template, ok = markType(value)
		expected = markTypes
	case "for-output":
		m.key = keyOutput
	case "exclusive-for-output":
		m.key = keyExclusive
	default:
		return nil, diag.Failf(CodeBadMark, "unknown key in file mark '%s'", text).
			WithHint("keys are %s", markKeys)
	}
	if !ok {
		return nil, diag.Failf(CodeBadMark, "unknown value in file mark '%s'", text).
			WithHint("%s takes %s", key, expected)
	}
	return m, nil
}

func markType(value string) (t Type, template, ok bool) {
	switch value {
	case "yaml-template":
		return YAML, true, true
	case "yaml-plain":
		return YAML, false, true
	case "text-template":
		return Text, true, true
	case "text-plain":
		return Text, false, true
	case "starlark":
		return Starlark, false, true
	case "data":
		return Data, false, true
	}
	return Data, false, false
}

// cutMark splits PATH:KEY=VALUE at the first colon, which on Windows is not the one of a drive.
func cutMark(text string, windows bool) (path, rest string, found bool) {
	from := 0
	if windows && hasDrive(text) {
		from = 2
	}
	i := strings.IndexByte(text[from:], ':')
	if i < 0 {
		return text, "", false
	}
	return text[:from+i], text[from+i+1:], true
}

// hasDrive reports whether a path begins like C:\ or C:/.
func hasDrive(path string) bool {
	return len(path) > 2 && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z') && path[1] == ':' &&
		(path[2] == '\\' || path[2] == '/')
}
