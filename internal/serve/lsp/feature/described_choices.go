//go:build !playground

package feature

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// The schemas of Kubernetes have no enumerations. Their descriptions name the values that are allowed: in a
// sentence, `One of Always, Never, IfNotPresent.`, or in a list, `- "Allow" (default): allows …`.
var (
	choicesBegin = lazy.Regexp{Text: `(?i)\b(?:one of(?: the following values)?|must be|can be|supports|` +
		`(?:valid|possible|allowed|acceptable|supported) (?:values|options|operators|policies)(?: are)?):? +`}
	choice     = lazy.Regexp{Text: `^(?:"([\w/.-]+)"|'([\w/.-]+)'|([A-Z]\w+))(?: +\([^)]*\))?`}
	choicesGo  = lazy.Regexp{Text: `^(?:,? +(or|and) +|, *)`}
	choicesEnd = lazy.Regexp{Text: `^ *(?:[.;\n]|$)`}
	choiceItem = lazy.Regexp{Text: "(?:^|\\s)[-*] [`\"]*([A-Z]\\w+)[`\"]*(?: \\([^)]*\\))?(?::| means| tells)"}
)

// namedChoices returns the values that the description of a text names as the only ones.
func namedChoices(o jsonschema.Outline) (items []outline.Item) {
	_, text := o.Documentation()
	names := choicesInSentence(text)
	if names == nil {
		names = choicesInList(text)
	}
	if len(names) < 2 { // one is an example, or a rule for another field
		return nil
	}
	for _, name := range names {
		it := word(name, "", protocol.CompleteValue)
		it.Text = string(edit.AppendScalar(nil, tree.Of(starlark.String(name))))
		items = append(items, it)
	}
	return items
}

// choicesInSentence returns the values that a sentence lists, and nothing else.
func choicesInSentence(text string) []string {
	for _, at := range choicesBegin.Get().FindAllStringIndex(text, -1) {
		if names := choicesFrom(text[at[1]:]); names != nil {
			return names
		}
	}
	return nil
}

// choicesFrom returns the values that a text begins with, if it lists nothing else: after `A, B or C` it may go
// on about something else, but in `A, B or another name` any value may be meant.
func choicesFrom(rest string) (names []string) {
	last := "" // the word before the last choice
	for {
		m := choice.Get().FindStringSubmatch(rest)
		if m == nil {
			return nil
		}
		names = append(names, m[1]+m[2]+m[3])
		rest = rest[len(m[0]):]
		if choicesEnd.Get().MatchString(rest) && len(names) > 1 {
			return names
		}
		next := choicesGo.Get().FindStringSubmatch(rest)
		if next == nil || last != "" && next[1] != last {
			break
		}
		last, rest = next[1], rest[len(next[0]):]
	}
	if last == "" {
		return nil
	}
	return names
}

// choicesInList returns the values that the items of a list begin with.
func choicesInList(text string) (names []string) {
	for _, m := range choiceItem.Get().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}
