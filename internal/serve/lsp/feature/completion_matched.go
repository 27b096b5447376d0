package feature

import (
	"slices"

	"weft/internal/lang/secret"
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
	var found []string
	for _, v := range c.matchable() {
		v, ok := valueAt(v, cur.Keys)
		switch {
		case !ok:
		case cur.Kind == index.EntryPlace && v.Kind() == tree.MapKind:
			for _, it := range v.Entries() {
				found = append(found, tree.KeyText(it.Key))
			}
		case cur.Kind == index.EntryValuePlace && v.TypeName() == "string":
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
	v := c.doc.View()
	if v == nil {
		return nil
	}
	out := v.Before(c.doc.Path())
	if out == nil || out.Result == nil {
		return nil
	}
	res := out.Result
	var rules secret.Rules
	rules.Hide(res.Secrets)
	docs := make([]tree.Doc, len(res.Docs))
	for i, d := range res.Docs {
		docs[i] = tree.Doc{Value: rules.Mask(d.Value, nil, nil)}
	}
	if a := c.doc.Analysis(); a.Tree != nil {
		if path, ok := pathBelow(a, c.off); ok {
			return itemsAt(docs, path)
		}
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
