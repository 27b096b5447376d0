package unified

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	numbers := func(changed map[int]string) string {
		var b strings.Builder
		for i := 1; i <= 20; i++ {
			if s, ok := changed[i]; ok {
				b.WriteString(s)
			} else {
				fmt.Fprintln(&b, i)
			}
		}
		return b.String()
	}
	tests := []struct{ name, old, new, want string }{
		{"change", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"new file", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed file", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"empty file", "", "", ""},
		{"no newline before", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{
			"no newline behind",
			"a\nb\n",
			"a\nb",
			"@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
		},
		{
			"no newline in both",
			"a\nb",
			"c\nb",
			"@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n",
		},
		{"carriage returns", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"},
		{
			"one hunk", numbers(nil), numbers(map[int]string{5: "x\n", 12: ""}),
			"@@ -2,14 +2,13 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n 13\n 14\n 15\n",
		},
		{
			"two hunks", numbers(nil), numbers(map[int]string{5: "x\n", 13: "13\ny\n"}),
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n@@ -11,6 +11,7 @@\n 11\n 12\n 13\n+y\n 14\n 15\n 16\n",
		},
		{"lines that repeat", "-\n-\n-\n", "-\n-\n", "@@ -1,3 +1,2 @@\n -\n -\n--\n"},
		{"moved", "a\nb\nc\n", "b\nc\na\n", "@@ -1,3 +1,3 @@\n-a\n b\n c\n+a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(Append(nil, "old", "new", []byte(tt.old), []byte(tt.new)))
			if diff := cmp.Diff("--- old\n+++ new\n"+tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if patched, err := patch(tt.old, got); err != nil || patched != tt.new {
				t.Errorf("patch makes %q, %v, want %q", patched, err, tt.new)
			}
		})
	}
	if got := string(Append(nil, "a", "b", []byte("x\x00"), nil)); got != "Binary files a and b differ\n" {
		t.Errorf("got %q", got)
	}
}

// The diff of two files, applied to the first, makes the second, and it does not change lines that
// both have at their ends.
func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n")
	f.Add("a\na\nb\na", "b\na\na\n")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, old, new string) {
		if strings.ContainsRune(old+new, 0) {
			return
		}
		text := string(Append(nil, "a", "b", []byte(old), []byte(new)))
		got, err := patch(old, text)
		if err != nil || got != new {
			t.Fatalf("old %q, new %q: patch makes %q, %v\n%s", old, new, got, err, text)
		}
		if (old == new) == strings.Contains(text, "@@") {
			t.Errorf("old %q, new %q: got\n%s", old, new, text)
		}
	})
}

// Few edits are found as few, also among lines that say nothing by themselves.
func TestDiffIsShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var a, b []string
		edits := 0
		for range 300 {
			line := []string{"x\n", "y\n", "z\n"}[rng.IntN(3)]
			switch rng.IntN(60) {
			case 0:
				a, edits = append(a, line), edits+1
			case 1:
				b, edits = append(b, line), edits+1
			default:
				a, b = append(a, line), append(b, line)
			}
		}
		list := CompareLines(a, b)
		got := 0
		for _, e := range list {
			got += e.A1 - e.A0 + e.B1 - e.B0
		}
		if got > edits {
			t.Fatalf("%d lines differ, want %d at most\n%q\n%q", got, edits, a, b)
		}
	}
}

// Twice as many lines take twice as many steps at most, also in files that have nothing in common,
// or nothing but common lines.
func TestDiffGrowth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(int) string { return strconv.Itoa(rng.IntN(1000)) }
	for name, sides := range map[string][2]func(i int) string{
		"different": {func(i int) string { return "a" + strconv.Itoa(i) }, func(i int) string { return "b" + strconv.Itoa(i) }},
		"reversed":  {strconv.Itoa, func(i int) string { return strconv.Itoa(-i) }},
		"repeated":  {random, random},
		"entries":   {func(i int) string { return strconv.Itoa(i % 7) }, func(i int) string { return strconv.Itoa(i % 8) }},
		"sections":  {func(i int) string { return section(i, "a") }, func(i int) string { return section(i, "b") }},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(lines int) int {
				var text [2]string
				for side, line := range sides {
					var b strings.Builder
					for i := range lines {
						b.WriteString(line(i) + "\n")
					}
					text[side] = b.String()
				}
				diff := Append(nil, "a", "b", []byte(text[0]), []byte(text[1]))
				if got, err := patch(text[0], string(diff)); err != nil || got != text[1] {
					t.Errorf("the diff does not make the new file: %v", err)
				}
				c := compareLines(Lines([]byte(text[0])), Lines([]byte(text[1])))
				return lines + c.work
			}
			const n = 4000
			if once, twice := work(n), work(2*n); twice > once*22/10 {
				t.Errorf("%d lines take %d steps, twice as many take %d", n, once, twice)
			}
		})
	}
}

// section is a line of a file in which every hundredth is an anchor and the lines between differ.
func section(i int, side string) string {
	if i%100 == 0 {
		return strconv.Itoa(i)
	}
	return side + strconv.Itoa(i%5)
}

// patch applies a unified diff of one file, strictly: every line that the diff names must be there.
func patch(old, diff string) (string, error) {
	a := Lines([]byte(old))
	d := Lines([]byte(diff))[2:]
	var out strings.Builder
	at, lines := 0, 0 // lines read of the old text, and written
	for i := 0; i < len(d); {
		var from, fromN, to, toN int
		head := strings.Fields(d[i])
		i++
		if len(head) != 4 || head[0] != "@@" {
			return "", fmt.Errorf("%q is no hunk", d[i-1])
		}
		parse := func(s string, first, n *int) {
			a, b, two := strings.Cut(s[1:], ",")
			*first, _ = strconv.Atoi(a)
			*n = 1
			if two {
				*n, _ = strconv.Atoi(b)
			}
			if *n > 0 {
				*first--
			}
		}
		parse(head[1], &from, &fromN)
		parse(head[2], &to, &toN)
		for ; at < from; at++ {
			out.WriteString(a[at])
			lines++
		}
		if lines != to {
			return "", fmt.Errorf("the hunk begins behind %d lines, but says %d", lines, to)
		}
		for fromN > 0 || toN > 0 {
			mark, line := d[i][0], d[i][1:]
			i++
			if i < len(d) && strings.HasPrefix(d[i], `\ No newline`) {
				line = strings.TrimSuffix(line, "\n")
				i++
			}
			if mark != '+' {
				if at >= len(a) || a[at] != line {
					return "", fmt.Errorf("line %d is not %q", at+1, line)
				}
				at++
				fromN--
			}
			if mark != '-' {
				out.WriteString(line)
				lines++
				toN--
			}
		}
	}
	for ; at < len(a); at++ {
		out.WriteString(a[at])
	}
	return out.String(), nil
}
