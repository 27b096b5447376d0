package protocol

import (
	"testing"

	"weft/internal/lang/source"
)

func TestPositions(t *testing.T) {
	t.Parallel()
	text := "\ufeffa🙂b\r\näc\rlast"
	var set source.Set
	f, err := set.Add("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		encoding PositionEncoding
		pos      Position
		rest     string // of the text, after the position
	}{
		{UTF16, Position{0, 0}, "a🙂b\r\näc\rlast"},
		{UTF16, Position{0, 1}, "🙂b\r\näc\rlast"},
		{UTF16, Position{0, 3}, "b\r\näc\rlast"},
		{UTF16, Position{0, 4}, "\r\näc\rlast"},
		{UTF16, Position{1, 1}, "c\rlast"},
		{UTF16, Position{2, 4}, ""},
		{UTF8, Position{0, 1}, "🙂b\r\näc\rlast"},
		{UTF8, Position{0, 5}, "b\r\näc\rlast"},
		{UTF8, Position{1, 2}, "c\rlast"},
	}
	for _, test := range tests {
		m := Mapper{File: f, Encoding: test.encoding}
		off := m.Offset(test.pos)
		if got := text[off:]; got != test.rest {
			t.Errorf("%s %v: got %q, want %q", test.encoding, test.pos, got, test.rest)
		}
		if got := m.Position(off); got != test.pos {
			t.Errorf("%s %v: back comes %v", test.encoding, test.pos, got)
		}
	}
	m := Mapper{File: f, Encoding: UTF16}
	for pos, want := range map[Position]int{
		{0, 99}: len("\ufeffa🙂b"), {1, 99}: len("\ufeffa🙂b\r\näc"), {99, 0}: len(text), {-1, -1}: 3,
	} {
		if got := m.Offset(pos); got != want {
			t.Errorf("%v: got %d, want %d", pos, got, want)
		}
	}
	if got := m.Position(1 << 30); got != (Position{2, 4}) {
		t.Errorf("behind the end: %v", got)
	}
}

func TestEncodingIsChosen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		offered []PositionEncoding
		want    PositionEncoding
	}{
		{nil, UTF16},
		{[]PositionEncoding{"utf-32"}, UTF16},
		{[]PositionEncoding{"utf-16", "utf-8"}, UTF8},
	} {
		if got := ChooseEncoding(test.offered); got != test.want {
			t.Errorf("%v: got %s", test.offered, got)
		}
	}
}

func TestURIs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		uri, path string
		windows   bool
	}{
		{"file:///a/b%20c.yml", "/a/b c.yml", false},
		{"file:///a/%C3%A4%23.yml", "/a/ä#.yml", false},
		{"untitled:Untitled-1", "", false},
		{"://", "", false},
		{"git:/a.yml", "", false},
		{"file:///c%3A/a/b.yml", "C:/a/b.yml", true},
		{"file:///C:/a/b.yml", "C:/a/b.yml", true},
		{"file://server/share/a.yml", "//server/share/a.yml", true},
	} {
		if got := DocumentURI(test.uri).path(test.windows); got != test.path {
			t.Errorf("%s: got %q, want %q", test.uri, got, test.path)
		}
	}
	for path, want := range map[string]DocumentURI{
		"/a/b c#.yml":    "file:///a/b%20c%23.yml",
		"C:/a.yml":       "file:///C:/a.yml",
		"//server/x.yml": "file://server/x.yml",
	} {
		if got := uriOf(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
