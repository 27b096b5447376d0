package secret

import "unicode/utf8"

// parts is the set of all parts of longForm bytes of the forms of secrets. Messages are searched
// for them: errors about a URL or a regular expression quote a part of it.
type parts map[[longForm]byte]struct{}

func (p parts) add(form string) {
	for i := 0; i+longForm <= len(form); i++ {
		p[[longForm]byte([]byte(form[i:i+longForm]))] = struct{}{}
	}
}

// find adds the spans of a text that consist of parts, each as long as possible.
func (p parts) find(found []span, text string) []span {
	for i := 0; i+longForm <= len(text); i++ {
		if _, ok := p[[longForm]byte([]byte(text[i:i+longForm]))]; !ok {
			continue
		}
		if last := len(found) - 1; last >= 0 && i <= found[last].to {
			found[last].to = i + longForm
		} else {
			found = append(found, span{i, i + longForm})
		}
	}
	return found
}

// ofRunes rounds a span to whole characters, without blanks at its ends.
func ofRunes(text string, s span) span {
	for s.from < s.to && isBlank(text[s.from]) {
		s.from++
	}
	for s.to > s.from && isBlank(text[s.to-1]) {
		s.to--
	}
	for s.from > 0 && !utf8.RuneStart(text[s.from]) {
		s.from--
	}
	for s.to < len(text) && !utf8.RuneStart(text[s.to]) {
		s.to++
	}
	return s
}
