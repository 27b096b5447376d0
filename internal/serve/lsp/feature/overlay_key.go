package feature

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// isOverlayKey reports whether a key of an overlay is at an offset.
func isOverlayKey(doc *workspace.TextDocument, off int) bool {
	a := doc.Analysis()
	if a.Tree == nil || a.Role != compile.ForOutput ||
		!slices.ContainsFunc(a.Marks, func(m compile.Mark) bool { return strings.HasPrefix(m.Name, "overlay/") }) {
		return false
	}
	at := outline.Over(doc.File().Data(), off, doc.Syntax())
	return at != nil && at.Key
}

// overlaid returns what the key of an overlay changes, in a template, a chart or a kustomization. If the key
// only leads to others, it returns the documents that the overlay matches.
func overlaid(
	ctx context.Context, doc *workspace.TextDocument, p protocol.DefinitionParams,
) []protocol.Location {
	ctx, cancel := context.WithTimeout(ctx, maxExplaining)
	defer cancel()
	m, off := newMatcher(ctx, doc, p.Position)
	if m == nil {
		return []protocol.Location{}
	}
	inside := m.around(off)
	for i := range m.result.Steps {
		s := &m.result.Steps[i]
		for _, c := range s.Effects {
			if c.Path != "" && m.isHere(c.At) {
				m.add(otherSide(s, c))
			}
		}
	}
	for i := range m.result.Steps {
		if s := &m.result.Steps[i]; len(m.found) == 0 && inside(s.Overlay) {
			for _, t := range s.Matched {
				m.add(t.At)
			}
		}
	}
	return m.locations()
}

// maxEffects limits how many changes of a key are shown.
const maxEffects = 5

// overlayKey shows what the key of an overlay changes, with the lines that it changes.
func (h *hover) overlayKey(p protocol.HoverParams) {
	ctx, cancel := context.WithTimeout(h.ctx, maxExplaining)
	defer cancel()
	m, off := newMatcher(ctx, h.doc, p.Position)
	if m == nil {
		return
	}
	n := 0
	shown := explain.Hide(m.result.Steps, secret.Rules{}, m.result.Secrets)
	for i := range shown {
		for k, c := range shown[i].Effects {
			if c.Path == "" || !m.isHere(c.At) {
				continue
			}
			if n++; n <= maxEffects {
				h.effect(m, &shown[i], c, c.Old == m.result.Steps[i].Effects[k].Old)
			}
		}
	}
	if n > maxEffects {
		h.add("… and %s", diag.Count(n-maxEffects, "more change"))
	}
	inside := m.around(off)
	for i := range shown {
		if n == 0 && inside(shown[i].Overlay) {
			h.add("%s", documentSummary(&shown[i], m.result.Files))
		}
	}
}

// effect shows a change. If nothing is hidden, it shows the line that is changed, too.
func (h *hover) effect(m *matcher, s *explain.Step, c explain.Effect, open bool) {
	at := otherSide(s, c)
	from := where(m.result.Files, at.Pos)
	switch c.Kind {
	case explain.Changed:
		h.add("Changes `%s` to `%s`: %s", short(c.Old), short(c.New), from)
	case explain.Removed:
		h.add("Removes `%s`: %s", short(c.Old), from)
	case explain.Added:
		h.add("Adds `%s`: %s", short(c.New), strings.TrimSpace(h.targetName(s, c)+" "+from))
		return
	default:
		h.add("%s: %s", sentence(c.Kind.String()), from)
	}
	if text := h.lineAt(m.result.Files, at); open && text != "" {
		h.parts[len(h.parts)-1] += fmt.Sprintf("\n```yaml\n%s\n```", text)
	}
}

func (h *hover) targetName(s *explain.Step, c explain.Effect) string {
	if c.Target < 0 {
		return ""
	}
	return s.Matched[c.Target].Name
}

// lineAt returns the line of a place, or "" if it is too long to show.
func (h *hover) lineAt(files *source.Set, at source.Span) string {
	const longest = 200
	_, f, at := h.doc.Snapshot().Openable(files, at)
	if f == nil {
		return ""
	}
	text := strings.TrimSpace(string(f.Text(f.Line(at.Offset()))))
	if len(text) > longest || strings.Contains(text, "```") {
		return ""
	}
	return files.Concealed(text)
}
