package feature

import (
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
)

// matched completes the keys and the texts of the dict that overlay.subset compares documents or items
// with: those that the last evaluation without errors has there.
func (c *completion) matched(cur *cursor) {
	call := cur.Call
	if call == nil || !call.IsModule || call.Of+"."+call.Name != "overlay.subset" || call.Index != 0 {
		return
	}
	c.foundIn(cur, cur.Keys)
}

// foundIn completes the keys that the documents or items of the last output have at a path, or the texts if the
// cursor is in a value.
func (c *completion) foundIn(cur *cursor, keys []string) {
	var found []string
	for _, v := range c.matchable() {
		v, ok := valueAt(v, keys)
		switch {
		case !ok:
		case cur.Kind != index.EntryValuePlace && v.Kind() == tree.MapKind:
			for _, it := range v.Entries() {
				found = append(found, tree.KeyText(it.Key))
			}
		case cur.Kind == index.EntryValuePlace && v.TypeName() == "string" && isShort(v.Text()):
			found = append(found, v.Text())
		}
	}
	const maxTexts = 50
	for i, text := range byCount(found) {
		if i == maxTexts {
			break
		}
		c.add(0, len(cur.typed), text, protocol.CompletionItem{Kind: protocol.CompleteValue})
	}
}

// matchable returns the documents that an overlay may match or, if the annotation at the cursor belongs to
// an item of a list, the items there. Secrets are hidden.
func (c *completion) matchable() (values []tree.Value) {
	found, _, rules := lastOutput(c.ctx, c.doc)
	docs := make([]tree.Doc, len(found))
	for i, d := range found {
		docs[i] = tree.Doc{Value: rules.Mask(d.Value, nil, nil)}
	}
	if path, ok := c.listBelow(); ok {
		return itemsAt(docs, path)
	}
	for _, d := range docs {
		values = append(values, d.Value)
	}
	return values
}

// byCount returns the different texts of a list, the most frequent ones first, others as they come.
func byCount(list []string) []string {
	count := map[string]int{}
	var texts []string
	for _, text := range list {
		if count[text]++; count[text] == 1 {
			texts = append(texts, text)
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return count[b] - count[a] })
	return texts
}
