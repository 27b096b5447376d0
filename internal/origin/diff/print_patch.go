package diff

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
	"weft/internal/lang/yaml"
)

// File is a file of a side, as text.
type File struct {
	Path string
	Data []byte
	Text bool // it is not YAML
}

// Patch returns a patch that turns the files of a into those of b, byte for byte, for `git apply` and
// `patch -p1`. It is empty if they are equal. A patch cannot mask values, so Patch returns an error if it
// would show a secret.
func Patch(a, b []File, rules *secret.Rules, opt yaml.Options) ([]byte, error) {
	type version struct{ old, new *File }
	files := map[string]*version{}
	for side, list := range [][]File{a, b} {
		for i := range list {
			v := files[list[i].Path]
			if v == nil {
				v = &version{}
				files[list[i].Path] = v
			}
			if side == 0 {
				v.old = &list[i]
			} else {
				v.new = &list[i]
			}
		}
	}
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var out []byte
	var list diag.List
	for _, p := range paths {
		v := files[p]
		if v.old != nil && v.new != nil && bytes.Equal(v.old.Data, v.new.Data) {
			continue
		}
		if d := refused(v.old, v.new, rules, opt); d != nil {
			list = append(list, d)
			continue
		}
		out = appendPatch(out, p, v.old, v.new)
	}
	if list != nil {
		return nil, list
	}
	return out, nil
}

// appendPatch appends the patch of one file in git's format, which can also create and delete empty files.
func appendPatch(dst []byte, name string, old, new *File) []byte {
	from, to := gitName("a/"+name), gitName("b/"+name)
	dst = append(dst, "diff --git "+from+" "+to+"\n"...)
	var before, after []byte
	switch {
	case old == nil:
		dst = append(dst, "new file mode 100644\n"...)
		from, after = "/dev/null", new.Data
	case new == nil:
		dst = append(dst, "deleted file mode 100644\n"...)
		to, before = "/dev/null", old.Data
	default:
		before, after = old.Data, new.Data
	}
	if len(before)+len(after) == 0 {
		return append(dst, emptyIndex(old == nil)...)
	}
	dst = append(dst, "--- "+tabbed(from)+"\n+++ "+tabbed(to)+"\n"...)
	return unified.AppendHunks(dst, before, after)
}

// emptyIndex returns the index line of an empty file that is created or deleted. Without it, GNU patch
// confuses the two.
func emptyIndex(isNew bool) string {
	const none, empty = "0000000", "e69de29"
	if isNew {
		return "index " + none + ".." + empty + "\n"
	}
	return "index " + empty + ".." + none + "\n"
}

// gitName returns a file name as git writes it: quoted if it contains unusual characters.
func gitName(name string) string {
	plain := !strings.ContainsFunc(name, func(r rune) bool {
		return r < ' ' || r == '"' || r == '\\' || r >= 0x7f
	})
	if plain {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c >= 0x7f:
			b.WriteString(`\` + strconv.FormatInt(int64(c)+0o1000, 8)[1:])
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// tabbed appends a tab to a name that contains a space. Otherwise programs would take the rest for a date.
func tabbed(name string) string {
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// The codes of changes that cannot be written as a patch.
const (
	CodeSecret diag.Code = "diff/secret" // the patch would show a secret
	CodeBinary diag.Code = "diff/binary" // a patch cannot change the file
)

// refused returns why a file cannot be part of a patch, or nil.
func refused(old, new *File, rules *secret.Rules, opt yaml.Options) *diag.Diagnostic {
	var before, after []byte
	var name string
	if old != nil {
		name, before = old.Path, old.Data
	}
	if new != nil {
		name, after = new.Path, new.Data
	}
	if bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0 {
		return diag.Failf(CodeBinary, "'%s' is not a text file, and cannot be part of a patch", name)
	}
	if rules.Show {
		return nil
	}
	hideA, hideB := secretLines(old, rules, opt), secretLines(new, rules, opt)
	for _, h := range unified.Shown(before, after) {
		line := firstIn(hideA, h.A0, h.A1)
		if n := firstIn(hideB, h.B0, h.B1); line < 0 {
			line = n
		}
		if line >= 0 {
			return diag.Failf(CodeSecret, "a patch of '%s' would show a secret (line %d)", name, line+1).
				WithHint("add --show-secrets to print it anyway, or use -o text, which hides secrets")
		}
	}
	return nil
}

func firstIn(lines map[int]bool, from, to int) int {
	if len(lines) == 0 {
		return -1
	}
	for i := from; i < to; i++ {
		if lines[i] {
			return i
		}
	}
	return -1
}

// secretLines returns the lines of a file that contain secrets, counted from 0.
func secretLines(f *File, rules *secret.Rules, opt yaml.Options) map[int]bool {
	if f == nil {
		return nil
	}
	lines := map[int]bool{}
	markTexts(lines, unified.Lines(f.Data), rules)
	if f.Text {
		if secret.HoldsManifest(string(f.Data)) {
			for i := range unified.Lines(f.Data) {
				lines[i] = true
			}
		}
		return lines
	}
	file, err := new(source.Set).Add(f.Path, f.Data)
	if err != nil {
		return lines
	}
	t, err := yaml.Parse(file, opt)
	if err != nil || t.Check(false) != nil {
		return lines
	}
	s := seeker{rules: rules, mark: func(at source.Span) {
		for i := file.Line(at.Offset()); i <= file.Line(max(at.Offset(), at.End()-1)); i++ {
			lines[i-1] = true
		}
	}}
	for doc := range t.Documents() {
		s.seek(tree.FromSyntax(t, t.Root(doc)), nil, -1)
	}
	return lines
}

// markTexts marks the lines that contain secret texts. Texts of several lines may be indented.
func markTexts(marked map[int]bool, lines []string, rules *secret.Rules) {
	long := map[string][][]string{} // texts of several lines, by their first line
	for _, s := range rules.Texts {
		if part := trimmedLines(s); len(part) > 1 {
			long[part[0]] = append(long[part[0]], part)
		}
	}
	for i, line := range lines {
		if rules.MaskText(line) != line {
			marked[i] = true
		}
		for _, part := range long[strings.TrimSpace(line)] {
			if k := leading(lines[i:], part); k == len(part) {
				for n := range part {
					marked[i+n] = true
				}
			}
		}
	}
}

// leading returns how many of the first lines equal those of part, ignoring surrounding white space.
func leading(lines, part []string) int {
	n := 0
	for n < len(lines) && n < len(part) && strings.TrimSpace(lines[n]) == part[n] {
		n++
	}
	return n
}

func trimmedLines(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// seeker finds the secrets of a document.
type seeker struct {
	rules *secret.Rules
	mark  func(source.Span)
}

func (s *seeker) seek(v tree.Value, at path.Path, secretAt int) {
	var within path.Path
	if secretAt >= 0 {
		within = at[secretAt:]
	}
	if s.rules.Hides(at, within) || s.rules.HidesData(v, within) {
		s.mark(v.Span())
		return
	}
	at = at[:len(at):len(at)]
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind:
		if secret.IsObject(v) {
			secretAt = len(at)
		}
		for _, it := range r.Items(nil, v) {
			if s.rules.HidesText(it.Key) {
				s.mark(it.Key.Span())
			}
			below := append(at, path.ToKey(it.Key))
			if it.Key.IsString("items") && secret.IsList(v) {
				s.seekItems(it.Value, below)
				continue
			}
			s.seek(it.Value, below, secretAt)
		}
	case tree.ArrayKind:
		for i, it := range r.Items(nil, v) {
			s.seek(it.Value, append(at, path.ToValue(i, it.Value)), secretAt)
		}
	case tree.ScalarKind:
		if s.rules.HidesText(v) || s.rules.HidesInside(v, at) {
			s.mark(v.Span())
		}
	}
}

// seekItems finds the secrets in the items of a list of Kubernetes Secrets. The items may omit their kind.
func (s *seeker) seekItems(v tree.Value, at path.Path) {
	i := 0
	for item := range v.Elements() {
		below := append(at[:len(at):len(at)], path.ToValue(i, item))
		s.seek(item, below, len(below))
		i++
	}
}
