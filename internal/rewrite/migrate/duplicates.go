package migrate

import (
	"bytes"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/yaml"
)

// removed reports the entries that have no effect because their key is repeated below.
func removed(t *yaml.Tree) diag.List {
	var list diag.List
	for _, d := range repeated(t) {
		for i, key := range d[:len(d)-1] {
			list = append(list, diag.Warningf(t.Span(key), CodeRemoved,
				"this entry is removed: its key is defined again, and the last one counts").
				WithRelated(t.Span(d[i+1]), "it is defined again here"))
		}
	}
	return list
}

// repeated returns the duplicate keys of mappings, grouped by key.
func repeated(t *yaml.Tree) [][]yaml.NodeID {
	var groups [][]yaml.NodeID
	of := map[yaml.NodeID]int{} // by the first key of a group
	for first, again := range t.Repeated() {
		i, ok := of[first]
		if !ok {
			i = len(groups)
			of[first] = i
			groups = append(groups, []yaml.NodeID{first})
		}
		groups[i] = append(groups[i], again)
	}
	return groups
}

// withoutDuplicates moves the last of several entries with the same key to the place of the first,
// where it is printed, and removes the others. Nested entries wait for the next round.
func withoutDuplicates(text []byte, opt yaml.Options) []byte {
	const maxRounds = 100
	for range maxRounds {
		t, err := parse("", text, opt)
		if err != nil {
			return text // the caller reports the error too
		}
		changes := lastToFirst(t, text)
		if len(changes) == 0 {
			return text
		}
		text = edit.Spliced(text, changes)
	}
	return text
}

// lastToFirst returns the changes of one round.
func lastToFirst(t *yaml.Tree, text []byte) []edit.Splice {
	var changes []edit.Splice
	changed := make([]bool, t.Len()) // nodes of entries that are moved or removed
	for _, keys := range repeated(t) {
		if changed[keys[0]] {
			continue
		}
		first, last := entryOf(t, keys[0]), entryOf(t, keys[len(keys)-1])
		first.Text = string(text[last.From:last.To])
		changes = append(changes, first)
		for _, key := range keys[1:] {
			changes = append(changes, removal(t, key))
		}
		for _, key := range keys {
			for n := key; n < t.Next(t.Next(key)); n++ {
				changed[n] = true
			}
		}
	}
	return changes
}

// entryOf returns the text of the entry with a key, without comments.
func entryOf(t *yaml.Tree, key yaml.NodeID) edit.Splice {
	value := t.Next(key)
	return edit.Splice{
		From: t.Start(key).Offset(),
		To:   max(t.Span(key).End(), endOf(t, value), colonAfter(t, key)),
	}
}

// colonAfter returns the end of the `:` after a key, which matters if there is no value.
func colonAfter(t *yaml.Tree, key yaml.NodeID) int {
	src, end := t.File().Data(), t.Span(key).End()
	rest := bytes.TrimLeft(src[end:], " \t")
	if bytes.HasPrefix(rest, []byte(":")) {
		return len(src) - len(rest) + 1
	}
	return end
}

// endOf returns where node n ends.
func endOf(t *yaml.Tree, n yaml.NodeID) int {
	end := t.Span(n).End()
	for child := n + 1; child < t.Next(n); child++ {
		end = max(end, t.Span(child).End())
	}
	return end
}

// removal removes the entry with a key: in block style with its lines, in flow style with the comma
// before it.
func removal(t *yaml.Tree, key yaml.NodeID) edit.Splice {
	src, e := t.File().Data(), entryOf(t, key)
	line := t.File().LineStart(e.From)
	begins := len(bytes.TrimSpace(src[line:e.From])) == 0
	goesOn := bytes.HasPrefix(bytes.TrimLeft(src[e.To:], " \t"), []byte(","))
	if begins && !goesOn {
		end := t.File().LineEnd(e.To)
		rest := bytes.TrimSpace(src[e.To:end])
		if len(rest) == 0 || rest[0] == '#' || end == len(src) {
			return edit.Splice{From: line, To: end}
		}
	}
	if comma := bytes.LastIndexByte(src[:e.From], ','); comma >= 0 {
		return edit.Splice{From: comma, To: e.To}
	}
	return edit.Splice{From: e.From, To: e.To}
}
