package secret

import (
	"cmp"
	"slices"
	"strings"
)

// finder finds the forms of texts in other texts, in one pass: a cluster has thousands of secrets,
// and looking for each of them in each value would take minutes.
type finder struct {
	exact  map[string]bool             // texts that are hidden where they are all of a text
	short  map[[shortest]byte][]string // forms by their beginning, the longest first
	spaced map[[shortest]byte][]string // the same for those that are found whatever blanks are in them
}

// longForm is how many characters a form has, not counting blanks, that is found with other blanks
// in it: reports indent lines, and break long ones. It is also how much of a form is hidden where
// the rest is cut off.
const longForm = 9

// newFinder makes a finder for texts.
func newFinder(texts []string) *finder {
	f := &finder{
		exact: map[string]bool{}, short: map[[shortest]byte][]string{},
		spaced: map[[shortest]byte][]string{},
	}
	seen := map[string]bool{}
	for _, text := range texts {
		if f.exact[text] = true; len(strings.TrimSpace(text)) < shortest {
			continue
		}
		for _, form := range forms(strings.TrimSpace(text)) {
			if !seen[form] {
				seen[form] = true
				f.add(form)
			}
		}
	}
	for _, list := range []map[[shortest]byte][]string{f.short, f.spaced} {
		for _, forms := range list {
			slices.SortFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		}
	}
	return f
}

func (f *finder) add(form string) {
	list := f.short
	if bare := withoutBlanks(form); len(bare) >= longForm {
		list, form = f.spaced, bare
	}
	if len(form) >= shortest {
		start := [shortest]byte([]byte(form[:shortest]))
		list[start] = append(list[start], form)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func withoutBlanks(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && isBlank(byte(r)) {
			return -1
		}
		return r
	}, text)
}

// mask is text with everything hidden that is a form of a secret.
func (f *finder) mask(text string) string {
	if f.exact[text] && text != "" {
		return Hidden
	}
	found := f.find(text)
	if found == nil {
		return text
	}
	var b strings.Builder
	end := 0
	for _, s := range found {
		if s.from < end { // it overlaps with the last
			if s.to > end {
				end = s.to
			}
			continue
		}
		b.WriteString(text[end:s.from])
		if inner := text[s.from:s.to]; strings.Contains(inner, "\n") && !coversAll(text, s) {
			hideLines(&b, inner)
		} else {
			b.WriteString(Hidden)
		}
		end = s.to
	}
	b.WriteString(text[end:])
	if len(found) == 1 && coversAll(text, found[0]) {
		return Hidden
	}
	return b.String()
}

// coversAll reports whether nothing but blanks is around a part of a text of several lines.
func coversAll(text string, s span) bool {
	return strings.Contains(text[s.from:s.to], "\n") && strings.TrimSpace(text[:s.from]) == "" &&
		strings.TrimSpace(text[s.to:]) == ""
}

// hideLines hides each line, so that there are as many as before.
func hideLines(b *strings.Builder, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if bare := strings.TrimLeft(line, " \t"); strings.TrimSpace(bare) != "" {
			b.WriteString(line[:len(line)-len(bare)] + Hidden)
		}
	}
}

// span is a part of a text.
type span struct{ from, to int }

// find returns the parts of a text that are forms of secrets, in their order.
func (f *finder) find(text string) (found []span) {
	if len(f.short) > 0 {
		for i := 0; i+shortest <= len(text); i++ {
			for _, form := range f.short[[shortest]byte([]byte(text[i:i+shortest]))] {
				if strings.HasPrefix(text[i:], form) {
					found = append(found, whole(text, span{i, i + len(form)}))
					break
				}
			}
		}
	}
	if len(f.spaced) > 0 {
		found = f.findSpaced(found, text)
	}
	slices.SortFunc(found, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return found
}

// findSpaced adds the parts that are forms if blanks do not count.
func (f *finder) findSpaced(found []span, text string) []span {
	bare, at := text, []int(nil) // at is where each byte is in text; nil if nothing was left out
	if strings.ContainsAny(text, " \n\t\r") {
		b := make([]byte, 0, len(text))
		at = make([]int, 0, len(text))
		for i := range len(text) {
			if !isBlank(text[i]) {
				b, at = append(b, text[i]), append(at, i)
			}
		}
		bare = string(b)
	}
	for i := 0; i+shortest <= len(bare); i++ {
		n := f.longest(bare[i:])
		if n == 0 {
			continue
		}
		s := span{i, i + n}
		if at != nil {
			s = span{at[i], at[i+n-1] + 1}
		}
		found = append(found, whole(text, s))
		i += n - 1
	}
	return found
}

// longest is how long the longest form is that a text begins with; 0 if there is none. A form that
// is cut off counts as far as it goes.
func (f *finder) longest(text string) int {
	cut := 0
	for _, form := range f.spaced[[shortest]byte([]byte(text[:shortest]))] {
		n := common(form, text)
		if n == len(form) {
			return n
		}
		rest := text[n:]
		if n >= longForm && n > cut && (strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, "…")) {
			cut = n
		}
	}
	return cut
}

// common is how many bytes two texts begin with in common.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// whole extends a part that begins inside of an escape, such as n of \n, so that what is left is
// well-formed JSON.
func whole(text string, s span) span {
	from := s.from
	for from > 0 && text[from-1] == '\\' {
		from--
	}
	if (s.from-from)%2 == 1 {
		s.from--
	} else if i := strings.LastIndex(text[max(0, s.from-5):s.from], `\u`); i >= 0 && s.from == from {
		start := max(0, s.from-5) + i
		if s.from-start < len(`\u0000`) {
			s.from = start
		}
	}
	return s
}
