package feature

import (
	"fmt"
	"path/filepath"
	"strings"

	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

type nodeID = yaml.NodeID

// overlaySummary describes what the node of an overlay at an offset matches and changes, or returns
// "" if that is unknown.
func overlaySummary(steps []explain.Step, files *source.Set, path string, at int) string {
	is := func(s source.Span) bool {
		f := files.File(s.Pos)
		return f != nil && filepath.ToSlash(f.Shown()) == path && s.Offset() == at
	}
	for i := range steps {
		if is(steps[i].Overlay) {
			return documentSummary(&steps[i], files)
		}
	}
	changes, hints := 0, []string{}
	for i := range steps {
		for _, c := range steps[i].Effects {
			if is(c.At) {
				changes++
			}
		}
		for _, s := range steps[i].Skipped {
			if is(s.At) {
				hints = append(hints, skipText(s, files)...)
			}
		}
	}
	switch {
	case changes > 0:
		return "Makes " + diag.Count(changes, "change")
	case len(hints) > 0:
		return "Matches nothing\n- " + strings.Join(hints, "\n- ")
	}
	return ""
}

// documentSummary describes which documents an overlay matches.
func documentSummary(s *explain.Step, files *source.Set) string {
	if len(s.Matched) == 0 {
		text := "Matches no document"
		for _, skip := range s.Skipped {
			for _, line := range skipText(skip, files) {
				text += "\n- " + line
			}
		}
		return text
	}
	text := fmt.Sprintf("Matches %s, makes %s", diag.Count(len(s.Matched), "document"),
		diag.Count(len(s.Effects), "change"))
	const maxShown = 5
	for _, t := range s.Matched[:min(len(s.Matched), maxShown)] {
		text += "\n- " + strings.TrimSpace(t.Name+" "+where(files, t.At.Pos))
	}
	if len(s.Matched) > maxShown {
		text += "\n- …"
	}
	return text
}

// skipText describes what a node without matches nearly matches.
func skipText(s explain.Skip, files *source.Set) []string {
	var lines []string
	for _, n := range s.Near {
		lines = append(lines, "nearest: "+where(files, n.At.Pos)+" "+n.Message)
	}
	if s.Hint != "" {
		lines = append(lines, s.Hint)
	}
	return lines
}
