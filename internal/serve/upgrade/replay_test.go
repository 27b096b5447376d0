package upgrade

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/project"
	"weft/internal/project/vendor"
)

const (
	projects       = 10
	versions       = 5
	overlaysOfEach = 20
)

// object returns the YAML of object k, with what a version changes about it.
func object(k, version int, broken bool) string {
	name, key, arg, inner := fmt.Sprintf("app-%d", k), "mode", "--telemetry", "{host: db, port: 1}"
	if broken {
		switch k % 4 {
		case 0:
			name += "-renamed"
		case 1:
			key = "level"
		case 2:
			arg = "--telemetry=off"
		case 3:
			inner = "db:1"
		}
	}
	return fmt.Sprintf("---\nkind: Deployment\nmetadata:\n  name: %s\n  labels: {version: v%d}\nspec:\n  %s: a\n"+
		"  args:\n  - %s\n  - --version=%d\n  inner: %s\n", name, version, key, arg, version, inner)
}

// overlayOf returns the overlay of object k: each kind needs another part of it.
func overlayOf(k int) string {
	body := []string{
		"spec:\n  mode: b\n", "spec:\n  mode: c\n",
		"spec:\n  args:\n  #@overlay/match by=overlay.subset(\"--telemetry\")\n  #@overlay/remove\n  -\n",
		"spec:\n  inner:\n    port: 2\n",
	}[k%4]
	return fmt.Sprintf("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"metadata\": "+
		"{\"name\": \"app-%d\"}})\n---\n%s", k, body)
}

// TestReplay updates generated projects through versions that break half of their overlays, and compares the
// broken overlays with those that the generator broke.
func TestReplay(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for p := range projects {
		t.Run(fmt.Sprint(p), func(t *testing.T) { replay(t, rand.New(rand.NewPCG(1, uint64(p)))) })
	}
}

func replay(t *testing.T, random *rand.Rand) {
	up, app := t.TempDir(), t.TempDir()
	brokenFrom := make([]int, overlaysOfEach) // the first version that breaks each overlay; 0 for none
	for i, k := range random.Perm(overlaysOfEach) {
		if i < overlaysOfEach/2 {
			brokenFrom[k] = 2 + random.IntN(versions-1)
		}
	}
	isBroken := func(k, version int) bool { return brokenFrom[k] > 0 && version >= brokenFrom[k] }
	run(t, up, "init", "-q", "-b", "main")
	for v := 1; v <= versions; v++ {
		var text strings.Builder
		for k := range overlaysOfEach {
			text.WriteString(object(k, v, isBroken(k, v)))
		}
		write(t, filepath.Join(up, "all.yml"), text.String())
		run(t, up, "add", "-A")
		run(t, up, "commit", "-qm", "release")
		run(t, up, "tag", fmt.Sprintf("v%d.0.0", v))
	}
	url := "file://" + filepath.ToSlash(up)
	opts := vendor.Options{AllowOutside: []string{url}}
	t.Chdir(app)
	write(t, "weft.yml", "weft: 2026\ninputs: [vendor/up, overlays]\nenvironments: {dev: {}, prod: {}}\n"+
		"vendor: {up: {git: '"+url+"', version: 1.0.0}}\n")
	for k := range overlaysOfEach {
		write(t, fmt.Sprintf("overlays/o%d.yml", k), overlayOf(k))
	}
	candidates(t, vendor.Want{Name: "up"}, opts)
	for v := 2; v <= versions; v++ {
		list := candidates(t, vendor.Want{Name: "up", Version: fmt.Sprintf("%d.0.0", v)}, opts)
		var want []string
		for k := range overlaysOfEach {
			if isBroken(k, v) {
				want = append(want, fmt.Sprintf("overlays/o%d.yml", k))
			}
		}
		report, err := Try(context.Background(), openVendor(t), list, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range report.Overlays.Broken {
			file, _ := splitPlace(o.Place)
			got = append(got, file)
			if len(o.Environments) != 2 {
				t.Errorf("%s is broken in %v", o.Place, o.Environments)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("version %d: broken are\n%v, want\n%v", v, got, want)
		}
		if n := report.Overlays.Fit; n != overlaysOfEach-len(want) || len(report.Overlays.Dependent) > 0 {
			t.Errorf("version %d: %d fit, want %d; %v", v, n, overlaysOfEach-len(want), report.Overlays)
		}
	}
}

// candidates fetches a version. The first one is written.
func candidates(t *testing.T, want vendor.Want, opts vendor.Options) []vendor.Candidate {
	t.Helper()
	ctx := context.Background()
	v, err := openVendor(t).For(ctx, []vendor.Want{want})
	if err != nil {
		t.Fatal(err)
	}
	list, err := v.Candidates(ctx, []vendor.Want{want}, false, opts)
	if err == nil && want.Version == "" {
		err = v.Write(ctx, list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func openVendor(t *testing.T) *vendor.Vendor {
	t.Helper()
	p, err := project.Open(project.Options{Path: "weft.yml"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := vendor.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.email=a@example.com", "-c", "user.name=a"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %s", args, out)
	}
}

// TestWhere checks that the text names environments, unless an overlay is broken in all of many.
func TestWhere(t *testing.T) {
	for _, c := range []struct {
		broken, all int
		want        string
	}{{1, 1, "e0"}, {2, 2, "e0, e1"}, {2, 7, "e0, e1"}, {6, 7, "e0, e1, e2, e3, e4, e5"}, {7, 7, "all 7 environments"}} {
		r := &Report{Environments: make([]Environment, c.all), Overlays: Overlays{Broken: []Overlay{{}}}}
		o := &r.Overlays.Broken[0]
		for i := range c.broken {
			o.Environments = append(o.Environments, fmt.Sprintf("e%d", i))
		}
		var text, markdown strings.Builder
		if err := errors.Join(r.WriteText(&text, false, false), r.WriteMarkdown(&markdown)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), " ["+c.want+"]\n") || !strings.Contains(markdown.String(), " ("+c.want+")\n") {
			t.Errorf("broken in %d of %d: got\n%s%s", c.broken, c.all, &text, &markdown)
		}
	}
}

// TestDependent checks that an overlay that fails only because another one is broken is not blamed, and
// that one which changes nothing any more is found.
func TestDependent(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	up := t.TempDir()
	run(t, up, "init", "-q", "-b", "main")
	for v, text := range []string{
		"kind: A\nspec: {a: 1, b: 1}\n", "kind: A\nspec: {b: 2}\n", "kind: A\nspec: {a: 1, b: 1, <: x\n",
	} {
		write(t, filepath.Join(up, "a.yml"), text)
		run(t, up, "add", "-A")
		run(t, up, "commit", "-qm", "release")
		run(t, up, "tag", fmt.Sprintf("v%d.0.0", v+1))
	}
	url := "file://" + filepath.ToSlash(up)
	opts := vendor.Options{AllowOutside: []string{url}}
	t.Chdir(t.TempDir())
	write(t, "weft.yml", "weft: 2026\ninputs: [vendor/up, overlays]\nvendor: {up: {git: '"+url+"', version: 1.0.0}}\n")
	head := "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"A\"})\n---\nspec:\n"
	write(t, "overlays/1.yml", head+"  a: 2\n  #@overlay/match missing_ok=True\n  c: 1\n")
	write(t, "overlays/2.yml", head+"  c: 2\n")
	write(t, "overlays/3.yml", head+"  b: 2\n")
	candidates(t, vendor.Want{Name: "up"}, opts)
	list := candidates(t, vendor.Want{Name: "up", Version: "2.0.0"}, opts)
	report, err := Try(context.Background(), openVendor(t), list, Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := report.Overlays
	if len(o.Broken) != 1 || o.Broken[0].Place != "overlays/1.yml:5" || len(o.Dependent) != 1 ||
		o.Dependent[0].Place != "overlays/2.yml:3" || len(o.Unneeded) != 1 || o.Unneeded[0].Place != "overlays/3.yml:5" {
		t.Errorf("got %+v", o)
	}
	if report.Decide(); report.Verdict != "broken" || report.Tests.counts() != "none" {
		t.Errorf("got %+v", report)
	}
	// Files that cannot be read say nothing about overlays.
	list = candidates(t, vendor.Want{Name: "up", Version: "3.0.0"}, opts)
	if report, err = Try(context.Background(), openVendor(t), list, Options{}); err != nil {
		t.Fatal(err)
	}
	if report.Decide(); report.Verdict != "unknown" || len(report.Environments[0].Errors) == 0 ||
		len(report.Overlays.Untold) != 3 || len(report.Overlays.Unneeded) > 0 {
		t.Errorf("got %+v", report)
	}
}
