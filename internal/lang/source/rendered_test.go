package source

import "testing"

// TestOpened fails if a place in text that another program rendered becomes a wrong one of the file
// that it comes from, or a place in another file changes.
func TestOpened(t *testing.T) {
	template := "a: {{ .a }}\r\nname: name {{ .b }}\n\n"
	origins := map[int]Origin{
		1: {"t.yaml", 2}, 2: {"t.yaml", 1}, 3: {"t.yaml", 0}, 4: {"t.yaml", 9}, 5: {"x.tgz/t.yaml", 1},
	}
	var s Set
	plain, _ := s.Add("plain.yaml", []byte("a: b\n"))
	rendered, _ := s.Add("made.yaml", []byte("name: name x\na: {\nc\nd\ne\n"))
	rendered.SetOrigins(func(line int) []Origin { return []Origin{origins[line]} }, func(path string) []byte {
		if path == "t.yaml" {
			return []byte(template)
		}
		return nil
	})
	for _, test := range []struct {
		start, end  int
		where, text string // "" if the place is not known
	}{
		{0, 4, "t.yaml:2:1", "name: name {{ .b }}"},          // the word is there twice
		{0, 10, "t.yaml:2:1", "name: name"},                  // and once
		{13, 14, "t.yaml:1:1", "a: {{ .a }}"},                // in several places
		{16, 17, "t.yaml:1:1", "a: {{ .a }}"},                // punctuation
		{13, 20, "t.yaml:1:1", "a: {{ .a }}"},                // more than a line
		{18, 19, "", ""}, {20, 21, "", ""}, {22, 23, "", ""}, // no line, no such line, no text
	} {
		at, ok := s.Opened(rendered.Span(test.start, test.end))
		if ok != (test.where != "") {
			t.Errorf("%v: %v", test, ok)
			continue
		}
		if !ok {
			continue
		}
		f := s.File(at.Pos)
		if got := f.Where(at.Offset()); got != test.where || string(f.data[at.Offset():at.End()]) != test.text {
			t.Errorf("%v: %s %q", test, got, f.data[at.Offset():at.End()])
		}
	}
	if at := plain.Span(0, 1); func() bool { got, ok := s.Opened(at); return ok || got != at }() {
		t.Error("a place in a plain file has changed")
	}
	if n := s.Len(); n != 3 {
		t.Errorf("%d files, expected the template once", n)
	}
	for off, want := range map[int]string{0: "t.yaml:2", 18: "t.yaml"} {
		if got := rendered.Where(off); got != want {
			t.Errorf("%d: %s, expected %s", off, got, want)
		}
	}
}
