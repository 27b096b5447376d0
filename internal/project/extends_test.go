package project_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/lang/diag"
	"weft/internal/project"
)

// Each environment is made of all that it builds on, so that chains end: in whichever order they are
// written, of environments and of files.
func TestExtendsEnd(t *testing.T) {
	environments := func(n int, backwards bool) fstest.MapFS {
		lines := []string{"  e0: {}\n"}
		for i := range n {
			lines = append(lines, fmt.Sprintf("  e%d: {extends: e%d}\n", i+1, i))
		}
		if backwards {
			slices.Reverse(lines)
		}
		text := "weft: 2026\ninputs: [a.yml]\nenvironments:\n" + strings.Join(lines, "")
		return fstest.MapFS{"weft.yml": {Data: []byte(text)}, "a.yml": {}}
	}
	files := func(n int) fstest.MapFS {
		fsys := fstest.MapFS{"weft.yml": {Data: []byte("weft: 2026\nextends: f1.yml\n")}, "a.yml": {}}
		for i := 1; i <= n; i++ {
			text := fmt.Sprintf("weft: 2026\nextends: f%d.yml\n", i+1)
			if i == n {
				text = "weft: 2026\ninputs: [a.yml]\n"
			}
			fsys[fmt.Sprintf("f%d.yml", i)] = &fstest.MapFile{Data: []byte(text)}
		}
		return fsys
	}
	for _, c := range []struct {
		name string
		fsys fstest.MapFS
		ends bool
	}{
		{"100 environments", environments(100, false), false},
		{"100 environments, the last first", environments(100, true), false},
		{"101 environments", environments(101, false), true},
		{"101 environments, the last first", environments(101, true), true},
		{"10,000 environments, the last first", environments(10_000, true), true},
		{"100 files", files(100), false},
		{"101 files", files(101), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := project.Open(project.Options{FS: c.fsys})
			if got := err != nil && strings.Contains(err.Error(), "more than 100 `extends`"); got != c.ends {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A name that there is no environment of is compared with all others for the first mistakes only.
// Counted are the bytes that this allocates, which is what comparing names takes.
func TestUnknownEnvironmentsGrowth(t *testing.T) {
	work := func(n int) float64 {
		var b strings.Builder
		b.WriteString("weft: 2026\ninputs: [a.yml]\nenvironments:\n")
		for i := range n {
			fmt.Fprintf(&b, "  known%06d: {extends: [unknown%06d]}\n", i, i)
		}
		fsys := fstest.MapFS{"weft.yml": {Data: []byte(b.String())}, "a.yml": {}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := project.Open(project.Options{FS: fsys})
		runtime.ReadMemStats(&after)
		if f, ok := errors.AsType[*diag.Failure](err); !ok || len(f.List) != n {
			t.Errorf("%d unknown names: %v", n, err)
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if once, four := work(1000), work(4000); four > 5*once {
		t.Errorf("four times as many environments take %.1f times the memory", four/once)
	}
}
