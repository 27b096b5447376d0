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

// usuallyChanged are the kinds that overlays are mostly about, in this order.
var usuallyChanged = []string{
	"Deployment", "StatefulSet", "DaemonSet", "Service", "ConfigMap", "Ingress", "Secret", "CronJob", "Job", "Namespace",
}

// foundIn completes the keys that the documents or items of the last output have at a path, or the texts if the
// cursor is in a value. What else the dict at the cursor says must hold.
func (c *completion) foundIn(cur *cursor, keys []string) {
	var found []string
	for _, v := range c.matchable() {
		if cur.Dict != nil && !holds(v, cur.Dict) {
			continue
		}
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
	found = byCount(found)
	if slices.Equal(keys, []string{"kind"}) {
		slices.SortStableFunc(found, func(a, b string) int { return changeRank(a) - changeRank(b) })
	}
	for i, text := range found {
		if i == maxTexts {
			break
		}
		c.add(0, len(cur.typed), text, protocol.CompletionItem{Kind: protocol.CompleteValue})
	}
}

// changeRank returns the place of a kind among those that overlays are mostly about.
func changeRank(kind string) int {
	if i := slices.Index(usuallyChanged, kind); i >= 0 {
		return i
	}
	return len(usuallyChanged)
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
