package migrate

import (
	"bytes"

	"weft/internal/lang/edit"
	"weft/internal/lang/yaml"
)

// comments turns plain comments, which would now be printed, into `#!` comments, and adds the space
// before them that strict YAML requires.
func comments(t *yaml.Tree, opt Options) []edit.Splice {
	src := t.File().Data()
	var changes []edit.Splice
	for _, c := range t.Comments() {
		at, body := t.CommentSpan(c).Offset(), t.CommentText(c)
		if opt.To.Grammar == yaml.YAML12 && touches(src, at) {
			changes = append(changes, edit.Splice{From: at, To: at, Text: " "})
		}
		if !opt.Comments {
			continue
		}
		switch behind := at + len("#"); {
		case bytes.HasPrefix(body, []byte("!/")) && isFirst(src, at): // a shebang is printed
			changes = append(changes, edit.Splice{From: behind + 1, To: behind + 1, Text: " "})
		case bytes.HasPrefix(body, []byte("/")) && isFirst(src, at):
			changes = append(changes, edit.Splice{From: behind, To: behind, Text: "! "})
		case bytes.HasPrefix(body, []byte("!")), bytes.HasPrefix(body, []byte("@")):
		default:
			changes = append(changes, edit.Splice{From: behind, To: behind, Text: "!"})
		}
	}
	return changes
}

// touches reports whether there is no space before an offset.
func touches(src []byte, at int) bool {
	return at > 0 && !isFirst(src, at) && bytes.IndexByte([]byte(" \t\r\n"), src[at-1]) < 0
}

// isFirst reports whether nothing is before an offset but a byte order mark.
func isFirst(src []byte, at int) bool {
	return at == 0 || at == len("\ufeff") && bytes.HasPrefix(src, []byte("\ufeff"))
}
