package integrationtest_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/project/engines/wire"
	"weft/internal/testing/cases"
	"weft/internal/testing/charttest"
	"weft/tools/integrationtest"
)

// TestCharts renders the charts that weft-engines is tested with by Helm itself: what its tests expect is what
// Helm prints.
func TestCharts(t *testing.T) {
	helm3 := integrationtest.Tool(t, integrationtest.Helm3)
	helm4 := integrationtest.Tool(t, integrationtest.Helm4)
	cases.Each(t, "../../engines/chart/testdata/*.txtar", func(t *testing.T, path string) {
		c := charttest.Read(t, path)
		dir := t.TempDir()
		for name, text := range c.Files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		helm := helm4
		if c.Settings["order"] == wire.Helm3 {
			helm = helm3
		}
		cmd := exec.Command(helm, c.Args()...)
		cmd.Dir = dir
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		switch {
		case strings.Contains(c.Error, "another result in each run"): // only for weft
			return
		case c.Error != "":
			if err == nil || !strings.Contains(stderr.String(), c.Error) {
				t.Errorf("%v: %s, expected %q", err, stderr.String(), c.Error)
			}
		case err != nil:
			t.Errorf("%v: %s", err, stderr.String())
		default:
			want(t, c.About, charttest.Normal(strings.ReplaceAll(stdout.String(), "\r\n", "\n")), c.Want)
		}
	})
}
