package diff

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/yaml"
)

// A patch, applied to the files of one side, makes those of the other, byte for byte.
func FuzzPatch(f *testing.F) {
	f.Add("a.yml", "a: 1\nb: 2\n", "a: 1\nb: 3\n", "", "x: 1", byte(0))
	f.Add("dir/ü b\t.yml", "", "a: 1", "l: [1]\r\n", "l: [1]\n", byte(1))
	f.Add("\"x\\y", "a\n", "", "", "", byte(2))
	f.Add("p", "", "", "", "", byte(7))
	f.Fuzz(func(t *testing.T, name, old, new, otherOld, otherNew string, has byte) {
		if name == "" || strings.ContainsAny(name+old+new+otherOld+otherNew, "\x00") || name == "other" {
			return
		}
		a, b := map[string]string{"other": otherOld}, map[string]string{"other": otherNew}
		if has&1 == 0 {
			a[name] = old
		}
		if has&2 == 0 {
			b[name] = new
		}
		patch, err := Patch(files(a), files(b), &secret.Rules{Show: true}, yaml.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for k, v := range a {
			got[k] = v
		}
		if err := apply(got, string(patch)); err != nil {
			t.Fatalf("%s\n%s", err, patch)
		}
		if fmt.Sprint(got) != fmt.Sprint(b) {
			t.Errorf("got %q, want %q\n%s", got, b, patch)
		}
	})
}

func files(m map[string]string) (list []File) {
	for p, s := range m {
		list = append(list, File{Path: p, Data: []byte(s)})
	}
	return list
}

// apply applies a patch in the form of git, strictly: every line that it names must be there.
func apply(files map[string]string, patch string) error {
	var parts [][]string
	for _, line := range strings.SplitAfter(patch, "\n") {
		if name, ok := strings.CutPrefix(line, "diff --git "); ok {
			parts = append(parts, []string{name})
		} else if line != "" {
			parts[len(parts)-1] = append(parts[len(parts)-1], line)
		}
	}
	for _, lines := range parts {
		i := 1
		isNew, gone := false, false
		for ; i < len(lines) && !strings.HasPrefix(lines[i], "--- "); i++ {
			isNew = isNew || strings.HasPrefix(lines[i], "new file")
			gone = gone || strings.HasPrefix(lines[i], "deleted file")
		}
		name, err := nameIn(strings.TrimSuffix(lines[0], "\n"))
		if err != nil {
			return err
		}
		old, exists := files[name]
		if exists == isNew {
			return fmt.Errorf("%q is there: %t", name, exists)
		}
		var out strings.Builder
		if i < len(lines) {
			if err := hunks(&out, old, lines[i+2:]); err != nil {
				return err
			}
		}
		if gone {
			if out.Len() > 0 {
				return fmt.Errorf("%q is left of %q", out.String(), name)
			}
			delete(files, name)
			continue
		}
		files[name] = out.String()
	}
	return nil
}

// nameIn is the name of the line that begins with "diff --git ".
func nameIn(line string) (string, error) {
	if !strings.HasPrefix(line, `"`) {
		half := line[:len(line)/2]
		return strings.TrimPrefix(half, "a/"), nil
	}
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	name, err := strconv.Unquote(quoted)
	return strings.TrimPrefix(name, "a/"), err
}

func hunks(out *strings.Builder, old string, lines []string) error {
	a := strings.SplitAfter(old, "\n")
	if a[len(a)-1] == "" {
		a = a[:len(a)-1]
	}
	at := 0
	for i := 0; i < len(lines); {
		var from, n, to, m int
		head := strings.Fields(lines[i])
		if len(head) != 4 || head[0] != "@@" {
			return fmt.Errorf("no hunk: %q", lines[i])
		}
		i++
		parse := func(s string, first, n *int) {
			a, b, two := strings.Cut(s[1:], ",")
			*first, _ = strconv.Atoi(a)
			if *n = 1; two {
				*n, _ = strconv.Atoi(b)
			}
			if *n > 0 {
				*first--
			}
		}
		parse(head[1], &from, &n)
		parse(head[2], &to, &m)
		for ; at < from; at++ {
			out.WriteString(a[at])
		}
		for n > 0 || m > 0 {
			mark, line := lines[i][0], lines[i][1:]
			if i++; i < len(lines) && strings.HasPrefix(lines[i], `\ No newline`) {
				line = strings.TrimSuffix(line, "\n")
				i++
			}
			if mark != '+' {
				if at >= len(a) || a[at] != line {
					return fmt.Errorf("line %d is not %q", at+1, line)
				}
				at++
				n--
			}
			if mark != '-' {
				out.WriteString(line)
				m--
			}
		}
	}
	for ; at < len(a); at++ {
		out.WriteString(a[at])
	}
	return nil
}

// A patch that would show a secret is refused, also if it is only near what changed.
func TestPatchSecrets(t *testing.T) {
	const doc = "kind: Secret\nmetadata:\n  name: db\n  labels: {a: b}\n  x: 1\n  m: 2\n  o: 3\ndata:\n  password: aHVudGVy\n"
	for _, tt := range []struct {
		name, a, b string
		rules      secret.Rules
		refused    bool
	}{
		{"secret changed", doc, strings.Replace(doc, "aHVudGVy", "c2Vj", 1), secret.Rules{}, true},
		{"near", doc, strings.Replace(doc, "o: 3", "o: 4", 1), secret.Rules{}, true},
		{"far", doc, strings.Replace(doc, "name: db", "name: d", 1), secret.Rules{}, false},
		{"shown", doc, strings.Replace(doc, "aHVudGVy", "c2Vj", 1), secret.Rules{Show: true}, false},
		{"path", "a: {token: x}\n", "a: {token: w}\n", secret.Rules{Paths: []path.Pattern{pattern(t, "a.token")}}, true},
		{"text", "a: pre-hunter2\n", "a: other\n", secret.Rules{Texts: []string{"hunter2"}}, true},
		{"block", "kind: Secret\nstringData:\n  f: |\n    one\n    two\n", "kind: Secret\nstringData:\n  f: |\n    one\n    three\n", secret.Rules{}, true},
		{"alias", "kind: Secret\nx: &p hunter2\ndata: {p: *p}\n", "kind: Secret\nx: &p hunter3\ndata: {p: *p}\n", secret.Rules{}, true},
	} {
		_, err := Patch([]File{{Path: "f", Data: []byte(tt.a)}}, []File{{Path: "f", Data: []byte(tt.b)}}, &tt.rules, yaml.Options{})
		if (err != nil) != tt.refused {
			t.Errorf("%s: got %v", tt.name, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Errorf("%s: the error shows it: %s", tt.name, err)
		}
	}
	_, err := Patch(nil, []File{{Path: "f", Data: []byte("a\x00b")}}, &secret.Rules{}, yaml.Options{})
	if err == nil || !strings.Contains(err.Error(), "not a text file") {
		t.Errorf("got %v", err)
	}
}
