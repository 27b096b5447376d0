package vendor

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	yaml3 "go.yaml.in/yaml/v3"

	"weft/internal/lang/source"
	"weft/internal/project/archive"
)

// FuzzLock checks that a lock that is written is read back as it was, by weft and by another reader of YAML.
func FuzzLock(f *testing.F) {
	for _, s := range []string{
		"on", "1.18", "v2.4.1", "0123456789012345678901234567890123456789", "a: b", "#x", "'", "\"", "- a", "12e4", "0x1f", "~",
		"git+https://git.example.com/lantern/lantern", "a\tb", "ü", "*", "deploy/*.yml", "1:30", "2026-01-01", "", "[a]", "a,b",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if name == "" || text == "" || strings.ToValidUTF8(name+text, "") != name+text ||
			strings.ContainsFunc(name+text, func(r rune) bool {
				return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0x2028 || r == 0x2029 || r >= 0xfffe && r <= 0xffff
			}) {
			return
		}
		hash := "sha256:" + strings.Repeat("0", 64)
		want := map[string]Entry{name: {
			Name: name, From: text, Version: text, Digest: hash, Commit: strings.Repeat("12", 20), Tree: hash,
			Paths: []string{text, "x"}, Exclude: []string{text},
			Executable: []string{text},
		}}
		data := format(want)
		l := &Lock{path: "weft.lock", files: &source.Set{}, entries: map[string]Entry{}}
		if err := l.parse(data); err != nil {
			t.Fatalf("%s\n%s", err, data)
		}
		if diff := cmp.Diff(want, l.entries, cmpopts.IgnoreUnexported(Entry{})); diff != "" {
			t.Fatalf("%s\n%s", diff, data)
		}
		var other map[string]map[string]any
		if err := yaml3.Unmarshal(data, &other); err != nil {
			t.Fatalf("%s\n%s", err, data)
		}
		if got := other[name]; got["from"] != text || got["version"] != text {
			t.Fatalf("another reader finds %#v\n%s", other, data)
		}
	})
}

// TestLockMerges checks that entries are sorted, one field a line, and that a half-done merge is explained.
func TestLockMerges(t *testing.T) {
	hash := "sha256:" + strings.Repeat("0", 64)
	entries := map[string]Entry{"b": {Name: "b", From: "dir+b", Tree: hash}, "a": {Name: "a", From: "dir+a", Tree: hash}}
	want := lockHeader + "a:\n  from: dir+a\n  tree: " + hash + "\nb:\n  from: dir+b\n  tree: " + hash + "\n"
	if got := string(format(entries)); got != want {
		t.Errorf("got\n%s", got)
	}
	l := &Lock{path: "weft.lock", files: &source.Set{}, entries: maps.Clone(entries)}
	err := l.parse([]byte("<<<<<<< ours\na: {}\n=======\n"))
	if !strings.Contains(messages(err), "keep the lines of one side, and fetch what they lock: weft vendor --force") {
		t.Errorf("got %s", messages(err))
	}
	if err = l.parse([]byte("a: [\n")); strings.Contains(messages(err), "merge") || strings.HasSuffix(messages(err), "| ") {
		t.Errorf("got %s", messages(err))
	}
}

// TestHash compares a hash with one that sha256sum computed of the documented lines.
func TestHash(t *testing.T) {
	tree := newTree([]archive.File{
		{Name: "b/run", Data: []byte("#!/bin/sh\n"), Executable: true}, {Name: "a.yml", Data: []byte("a: 1\n")},
	}, nil)
	const want = "sha256:a82d7f21ebcbfb9130bf5b93efb309a83fe48ef8516a578deb6b589c3a01f97d"
	if got := tree.Hash(); got != want {
		t.Errorf("got %s", got)
	}
	// A disk without a mark for programs has the same files.
	plain := slices.Clone(tree.files)
	for i := range plain {
		plain[i].Executable = false
	}
	e := Entry{Tree: want, Executable: tree.programs()}
	if bare := (&Tree{files: plain, bare: true}); !bare.is(e) || !bare.withLF().is(e) || (&Tree{files: plain}).is(e) {
		t.Error("the programs of the lock do not count, or count on all systems")
	}
}
