package browsertest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
)

// axePath is where npm installs axe-core, a dependency in web/package.json.
var axePath = filepath.Join("..", "node_modules", "axe-core", "axe.min.js")

// Axe returns the serious and critical problems that axe-core finds in the current page, for users of
// screen readers, of the keyboard, or with low vision.
func (p *Page) Axe() []string {
	p.t.Helper()
	code, err := os.ReadFile(axePath)
	if errors.Is(err, fs.ErrNotExist) {
		missing(p.t, "axe-core is not installed: run npm ci in web")
	}
	if err != nil {
		p.t.Fatal(err)
	}
	// The page's policy may forbid script tags; code that the debugger evaluates needs no permission.
	p.do(chromedp.Evaluate[chromedp.Void](string(code)))
	type violation struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML string }
	}
	var found []string
	for _, v := range Eval[[]violation](p, `async () => (await axe.run()).violations`) {
		if v.Impact != "serious" && v.Impact != "critical" {
			continue
		}
		places := make([]string, len(v.Nodes))
		for i, n := range v.Nodes {
			places[i] = n.HTML
		}
		found = append(found, fmt.Sprintf("%s: %s: %s\n\t%s", v.Impact, v.ID, v.Help,
			strings.Join(places, "\n\t")))
	}
	return found
}
