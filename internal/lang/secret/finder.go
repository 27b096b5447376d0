package secret

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// finder finds all forms of the secret texts in other texts, in one pass: a cluster has thousands
// of secrets, and searching for each one in each value would take minutes.
type finder struct {
	exact  map[string]bool             // texts that are hidden only where they are the whole string
	short  map[[shortest]byte][]string // forms by their first bytes, longest first
	spaced map[[shortest]byte][]string // the same for forms that are found regardless of blanks
	chains map[string][]*chained       // by the text to search for
	starts [shortest + 1]bool          // the lengths of the keys of chains

	begins pairs // the first bytes of everything in the maps above

	forms []string              // all of them
	parts func() (parts, parts) // the parts of the forms, and of the forms without blanks
}

// longForm is the minimum length, without blanks, of a form that is found regardless of blanks:
// reports indent lines, and break long ones. It is also the minimum length of a part of a form that
// is hidden where the rest is cut off.
const longForm = 9

// newFinder makes a finder for texts.
func newFinder(texts []string) *finder {
	f := &finder{
		exact: map[string]bool{}, short: map[[shortest]byte][]string{},
		spaced: map[[shortest]byte][]string{}, chains: map[string][]*chained{},
	}
	seen := map[string]bool{}
	for _, text := range texts {
		if f.exact[text] = true; len(strings.TrimSpace(text)) < shortest {
			continue
		}
		for _, line := range linesOf(strings.TrimSpace(text)) {
			for _, form := range appendBase64([]string{line}, line) {
				f.addChained(form)
			}
		}
		for _, form := range forms(strings.TrimSpace(text)) {
			if !seen[form] {
				seen[form] = true
				f.forms = append(f.forms, form)
				f.add(form)
			}
		}
	}
	for _, list := range []map[[shortest]byte][]string{f.short, f.spaced} {
		for _, forms := range list {
			slices.SortFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		}
	}
	f.parts = sync.OnceValues(f.makeParts)
	return f
}

// makeParts is called for the first message: most runs have none.
func (f *finder) makeParts() (written, bare parts) {
	written, bare = parts{}, parts{}
	for _, form := range f.forms {
		written.add(form)
		bare.add(withoutBlanks(form))
	}
	return written, bare
}

func (f *finder) add(form string) {
	list := f.short
	if bare := withoutBlanks(form); len(bare) >= longForm {
		list, form = f.spaced, bare
	}
	if len(form) >= shortest {
		start := [shortest]byte([]byte(form[:shortest]))
		list[start] = append(list[start], form)
		f.begins.add(form)
	}
}

func (f *finder) addChained(form string) {
	if c := newChained(form); c != nil {
		start := c.start()
		f.chains[start] = append(f.chains[start], c)
		f.starts[len(start)] = true
		f.begins.add(start)
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

// mask returns text with all secrets in it hidden, in whatever form.
func (f *finder) mask(text string) string { return f.hide(text, f.find(text, maxEncodings)) }

// maskParts is like mask, but also hides parts of forms.
func (f *finder) maskParts(text string) string { return f.hide(text, f.findParts(text, maxEncodings)) }

// hide returns text with the found spans hidden.
func (f *finder) hide(text string, found []span) string {
	if f.exact[text] && text != "" {
		return Hidden
	}
	if found == nil {
		return text
	}
	found = union(found)
	var b strings.Builder
	end := 0
	for _, s := range found {
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

// coversAll reports whether a span of a multi-line text is surrounded only by blanks.
func coversAll(text string, s span) bool {
	return strings.Contains(text[s.from:s.to], "\n") && strings.TrimSpace(text[:s.from]) == "" &&
		strings.TrimSpace(text[s.to:]) == ""
}

// hideLines hides each line separately, so that the number of lines stays the same.
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

// pairs is a set of pairs of bytes. It rules out nearly all places of a text, and is cheaper than a
// lookup in a map.
type pairs [1 << 16 / 64]uint64

// add adds the first two bytes of a text.
func (p *pairs) add(text string) {
	if len(text) > 1 {
		n := uint(text[0])<<8 | uint(text[1])
		p[n/64] |= 1 << (n % 64)
	}
}

func (p *pairs) has(a, b byte) bool {
	n := uint(a)<<8 | uint(b)
	return p[n/64]&(1<<(n%64)) != 0
}

// span is a part of a text.
type span struct{ from, to int }

// union returns spans sorted, with overlapping ones joined.
func union(list []span) []span {
	slices.SortFunc(list, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	merged := list[:1]
	for _, s := range list[1:] {
		if last := &merged[len(merged)-1]; s.from < last.to {
			last.to = max(last.to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// find returns the parts of a text that are forms of secrets, also in nested base64 up to depth.
func (f *finder) find(text string, depth int) (found []span) {
	if len(f.short) > 0 {
		found = f.findShort(found, text)
	}
	if len(f.spaced) > 0 {
		found = f.findSpaced(found, text)
	}
	if len(f.chains) > 0 {
		found = f.findChained(found, text)
	}
	if depth > 0 {
		found = findEncoded(found, text, func(text string) []span { return f.find(text, depth-1) })
	}
	return found
}

// findParts is like find, but also returns parts of forms.
func (f *finder) findParts(text string, depth int) []span {
	found := f.find(text, 0)
	written, bare := f.parts()
	for _, s := range written.find(nil, text) {
		found = append(found, ofRunes(text, s))
	}
	without, at := withoutBlanksAt(text)
	for _, s := range bare.find(nil, without) {
		found = append(found, ofRunes(text, at.span(s)))
	}
	if depth > 0 {
		found = findEncoded(found, text, func(text string) []span { return f.findParts(text, depth-1) })
	}
	return found
}

// findShort adds the exact matches of forms.
func (f *finder) findShort(found []span, text string) []span {
	for i := 0; i+shortest <= len(text); i++ {
		if !f.begins.has(text[i], text[i+1]) {
			continue
		}
		for _, form := range f.short[[shortest]byte([]byte(text[i:i+shortest]))] {
			if strings.HasPrefix(text[i:], form) {
				found = append(found, whole(text, span{i, i + len(form)}))
				break
			}
		}
	}
	return found
}

// findSpaced adds the matches of forms regardless of blanks.
func (f *finder) findSpaced(found []span, text string) []span {
	bare, at := withoutBlanksAt(text)
	for i := 0; i+shortest <= len(bare); i++ {
		if !f.begins.has(bare[i], bare[i+1]) {
			continue
		}
		n := f.longest(bare[i:])
		if n == 0 {
			continue
		}
		found = append(found, whole(text, at.span(span{i, i + n})))
		i += n - 1
	}
	return found
}

// findChained adds the matches of secrets regardless of escapes.
func (f *finder) findChained(found []span, text string) []span {
	bare, at := withoutBlanksAt(text)
	for n := 1; n <= shortest; n++ {
		if !f.starts[n] {
			continue
		}
		for i := 0; i+n <= len(bare); i++ {
			if n > 1 && !f.begins.has(bare[i], bare[i+1]) {
				continue
			}
			for _, c := range f.chains[bare[i:i+n]] {
				if s, ok := c.find(bare, i); ok {
					found = append(found, whole(text, at.span(s)))
				}
			}
		}
	}
	return found
}

// places maps offsets of a text without blanks to the original text; nil if nothing was left out.
type places []int

// span converts a span to the original text.
func (at places) span(s span) span {
	if at == nil {
		return s
	}
	return span{at[s.from], at[s.to-1] + 1}
}

func withoutBlanksAt(text string) (string, places) {
	if !strings.ContainsAny(text, " \n\t\r") {
		return text, nil
	}
	b := make([]byte, 0, len(text))
	at := make(places, 0, len(text))
	for i := range len(text) {
		if !isBlank(text[i]) {
			b, at = append(b, text[i]), append(at, i)
		}
	}
	return string(b), at
}

// longest returns the length of the longest form at the beginning of a text, or 0 if there is none.
// If the text ends within a form, the part before the end counts.
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

// common returns the length of the common prefix of two texts.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// whole extends a span that begins inside an escape, such as at the n of \n, to the whole escape, so
// that the rest is well-formed JSON.
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
