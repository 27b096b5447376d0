package load

import "strings"

// Type is the language of a file. The zero value is Data: weft knows nothing about it.
type Type uint8

// The types.
const (
	Data Type = iota // templates can read it, otherwise it is ignored
	YAML
	Text
	Starlark
)

func (t Type) String() string {
	switch t {
	case YAML:
		return "yaml"
	case Text:
		return "text"
	case Starlark:
		return "starlark"
	default:
		return "data"
	}
}

// Named returns the input for a file name, without marks and bytes.
func Named(path string) Input {
	in := Input{Path: path}
	in.Type, in.Library = typeOf(path)
	in.Template = in.Type == YAML || in.Type == Text
	in.Output = in.Template && !in.Library
	return in
}

// typeOf returns the type for a base name, and whether the name makes it a library: any Starlark
// file is one, and so is NAME.lib.EXT. Case matters: "a.YML" is data.
func typeOf(path string) (t Type, library bool) {
	base := path[strings.LastIndexByte(path, '/')+1:]
	stem, ext, found := cutLast(base, '.')
	if !found {
		return Data, false
	}
	switch ext {
	case "yml", "yaml":
		t = YAML
	case "txt":
		t = Text
	case "star":
		t = Starlark
	default:
		return Data, false
	}
	_, piece, found := cutLast(stem, '.')
	return t, t == Starlark || found && piece == "lib"
}

func cutLast(s string, sep byte) (before, after string, found bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
