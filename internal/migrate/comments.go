package migrate

import (
	"bytes"

	"weft/internal/yaml"
)

// comments writes comments that would be printed as comments that are not, and puts the space
// before them that strict YAML asks for.
func comments(t *yaml.Tree, opt Options) []change {
	src := t.File().Data()
	var changes []change
	for _, c := range t.Comments() {
		at, body := t.CommentSpan(c).Offset(), t.CommentText(c)
		if c := (change{start: at, end: at, text: " "}); opt.To.Grammar == yaml.YAML12 && touches(src, at) {
			changes = append(changes, c)
		}
		if !opt.Comments {
			continue
		}
		switch behind := at + len("#"); {
		case bytes.HasPrefix(body, []byte("!/")) && isFirst(src, at): // a shebang is printed
			changes = append(changes, change{behind + 1, behind + 1, " "})
		case bytes.HasPrefix(body, []byte("/")) && isFirst(src, at):
			changes = append(changes, change{behind, behind, "! "})
		case bytes.HasPrefix(body, []byte("!")), bytes.HasPrefix(body, []byte("@")):
		default:
			changes = append(changes, change{behind, behind, "!"})
		}
	}
	return changes
}

// touches reports whether something stands right before an offset.
func touches(src []byte, at int) bool {
	return at > 0 && !isFirst(src, at) && bytes.IndexByte([]byte(" \t\r\n"), src[at-1]) < 0
}

// isFirst reports whether nothing stands before an offset but a byte order mark.
func isFirst(src []byte, at int) bool {
	return at == 0 || at == len("\ufeff") && bytes.HasPrefix(src, []byte("\ufeff"))
}
