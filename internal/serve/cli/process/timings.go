package process

import (
	"fmt"
	"strings"
	"time"

	"weft"
	"weft/internal/lang/diag"
)

// slowestFiles is the number of files that --timings lists.
const slowestFiles = 10

// timingsText describes where the time went. Printing is what comes after Render.
func timingsText(t *weft.Timings, began, now time.Time) string {
	var b strings.Builder
	b.WriteString("timings:\n")
	stages := t.Stages()
	if ended := t.Ended(); !ended.IsZero() {
		stages = append(stages, weft.Stage{Name: "print", Took: now.Sub(ended)})
	}
	for _, s := range append(stages, weft.Stage{Name: "total", Took: now.Sub(began)}) {
		fmt.Fprintf(&b, "  %-9s %s\n", s.Name, milliseconds(s.Took))
	}
	if files := t.Slowest(slowestFiles); len(files) > 0 {
		b.WriteString("slowest files:\n")
		for _, f := range files {
			fmt.Fprintf(&b, "  %s  %s (compile %s, evaluate %s)\n",
				milliseconds(f.Compile+f.Evaluate), diag.Visible(f.Path),
				strings.TrimSpace(milliseconds(f.Compile)), strings.TrimSpace(milliseconds(f.Evaluate)))
		}
	}
	return b.String()
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%9.2f ms", float64(d)/float64(time.Millisecond))
}
