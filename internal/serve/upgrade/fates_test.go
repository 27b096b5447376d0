package upgrade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/project/vendor"
)

// plan is a generated project: what upstream releases for each environment, and what must become of the
// overlays there.
type plan struct {
	t      *testing.T
	random *rand.Rand
	envs   []string
	files  [2]map[string]string // upstream before and after, by name
	want   []string             // lines such as "broken o3.yml [dev]"
	fails  []string             // titles of tests
	fit    int                  // how many overlays fit everywhere
	tests  strings.Builder
}

const overlayHead = "#@ load(\"@ytt:overlay\", \"overlay\")\n"

// overlay writes an overlay for the object with a name.
func (p *plan) overlay(file, name, annotations, body string) {
	write(p.t, "overlays/"+file, overlayHead+"#@overlay/match by=overlay.subset({\"metadata\": {\"name\": \""+name+
		"\"}})"+annotations+"\n---\n"+body)
}

// release adds an object to what upstream releases for an environment, on one side.
func (p *plan) release(side int, env, name, body string) {
	p.files[side][env+"/all.yml"] += "---\nkind: A\nmetadata: {name: " + name + "}\n" + body
}

// expect notes what becomes of an overlay, and where; an overlay without any fate fits.
func (p *plan) expect(file string, fates map[string][]string) {
	for what, envs := range fates {
		p.want = append(p.want, what+" "+file+" "+fmt.Sprint(envs))
	}
	if len(fates) == 0 {
		p.fit++
	}
}

// addSimple adds an overlay that needs nothing but upstream, and a test in each environment.
func (p *plan) addSimple(k int) {
	file, name := fmt.Sprintf("o%d.yml", k), fmt.Sprintf("app-%d", k)
	optional := p.random.IntN(2) == 0 // it need not match
	annotations := map[bool]string{true: ", expects=\"0+\"", false: ""}[optional]
	p.overlay(file, name, annotations, "mode: b\n")
	fmt.Fprintf(&p.tests, "- name: %s\n  envs: all\n  expect:\n  - select: metadata.name=%s\n"+
		"    equal: {mode: b}\n", name, name)
	fates := map[string][]string{}
	for _, env := range p.envs {
		p.release(0, env, name, "mode: a\n")
		switch p.random.IntN(4) {
		case 0:
			p.release(1, env, name, "level: a\n")
			fates["broken"] = append(fates["broken"], env)
			p.fails = append(p.fails, name+" ["+env+"]")
		case 1:
			p.release(1, env, name, "mode: b\n")
			fates["unneeded"] = append(fates["unneeded"], env)
		case 2:
			if optional {
				fates["lost"] = append(fates["lost"], env)
				p.fails = append(p.fails, name+" ["+env+"]")
				continue
			}
			fallthrough
		default:
			p.release(1, env, name, "mode: a\nmore: 1\n")
		}
	}
	p.expect(file, fates)
}

// addChain adds two overlays that set a key, and one that needs that key.
func (p *plan) addChain(k int) {
	name := fmt.Sprintf("app-%d", k)
	files := [3]string{fmt.Sprintf("o%d-1.yml", k), fmt.Sprintf("o%d-2.yml", k), fmt.Sprintf("o%d-3.yml", k)}
	setters := 1 + p.random.IntN(2) // both set it, or the first alone
	for i := range 2 {
		body := fmt.Sprintf("key%d: b\n", i)
		if i < setters {
			body += "#@overlay/match missing_ok=True\nset: 1\n"
		}
		p.overlay(files[i], name, "", body)
	}
	p.overlay(files[2], name, "", "last: b\nset: 2\n")
	fates := [3]map[string][]string{{}, {}, {}}
	for _, env := range p.envs {
		p.release(0, env, name, "key0: a\nkey1: a\nlast: a\n")
		var body string
		broken := [3]bool{}
		for i, line := range []string{"key0: a\n", "key1: a\n", "last: a\n"} {
			if broken[i] = p.random.IntN(3) == 0; !broken[i] {
				body += line
			} else if i < 2 {
				fates[i]["broken"] = append(fates[i]["broken"], env)
			}
		}
		p.release(1, env, name, "more: 1\n"+body)
		switch {
		case setters == 1 && broken[0]:
			what := "needs " + files[0]
			fates[2][what] = append(fates[2][what], env)
		case setters == 2 && broken[0] && broken[1]:
			fates[2]["needs one"] = append(fates[2]["needs one"], env)
		case broken[2]:
			fates[2]["broken"] = append(fates[2]["broken"], env)
		}
	}
	for i, f := range files {
		p.expect(f, fates[i])
	}
}

// addSoft adds an overlay that sets a key, and one that changes that key if it exists.
func (p *plan) addSoft(k int) {
	name := fmt.Sprintf("app-%d", k)
	first, second := fmt.Sprintf("o%d-1.yml", k), fmt.Sprintf("o%d-2.yml", k)
	p.overlay(first, name, "", "key: b\n#@overlay/match missing_ok=True\nset: 1\n")
	p.overlay(second, name, "", "#@overlay/match when=1\nset: 2\n")
	var envs []string // where the first is broken
	for _, env := range p.envs {
		p.release(0, env, name, "key: a\n")
		key := "key: a\n"
		if p.random.IntN(2) == 0 {
			key, envs = "", append(envs, env)
		}
		p.release(1, env, name, "more: 1\n"+key)
	}
	if envs == nil {
		p.fit += 2
		return
	}
	p.expect(first, map[string][]string{"broken": envs})
	p.expect(second, map[string][]string{"needs changes nothing": envs})
}

// got returns the report as lines like those of the plan.
func got(o *Overlays) (lines []string) {
	for kind, list := range map[string][]Overlay{
		"broken": o.Broken, "": o.Dependent, "unneeded": o.Unneeded, "untold": o.Untold, "partly": o.Partly,
	} {
		for _, x := range list {
			what := kind
			if what == "" {
				x.Message = strings.TrimPrefix(x.Message, "needs overlays/")
				needed, _, _ := strings.Cut(x.Message, ":")
				switch what = "needs " + needed; {
				case strings.HasPrefix(x.Message, "needs one of"):
					what = "needs one"
				case strings.HasPrefix(x.Message, "changes nothing without"):
					what = "needs changes nothing"
				}
			}
			file, _ := splitPlace(x.Place)
			if strings.HasPrefix(x.Message, "matches nothing") {
				what = "lost"
			}
			lines = append(lines, what+" "+filepath.Base(file)+" "+fmt.Sprint(x.Environments))
		}
	}
	return lines
}

// try writes the project, and tries the update.
func (p *plan) try(opts Options) *Report {
	p.t.Helper()
	next := p.t.TempDir()
	for side, dir := range []string{filepath.Join("vendor", "up"), next} {
		for name, text := range p.files[side] {
			write(p.t, filepath.Join(dir, name), text)
		}
	}
	v := openVendor(p.t)
	c := vendor.Candidate{Source: v.Sources[0], Old: vendor.Entry{Version: "v1.0.0", Tree: "a"}}
	c.New = vendor.Entry{Version: "v2.0.0", Tree: "b"}
	for dir, tree := range map[string]**vendor.Tree{"vendor/up": &c.Was, next: &c.Files} {
		var err error
		if *tree, err = vendor.ReadFolder(dir); err != nil {
			p.t.Fatal(err)
		}
	}
	report, err := Try(context.Background(), v, []vendor.Candidate{c}, opts)
	if err != nil {
		p.t.Fatal(err)
	}
	report.Decide()
	return report
}

// newPlan returns an empty plan in a new directory, whose environments use a folder of upstream each.
func newPlan(t *testing.T, random *rand.Rand, envs ...string) *plan {
	t.Chdir(t.TempDir())
	p := &plan{t: t, random: random, envs: envs, files: [2]map[string]string{{}, {}}}
	text := "weft: 2026\nvendor: {up: {git: 'https://git.example.com/up'}}\nenvironments:\n"
	for _, env := range envs {
		text += "  " + env + ": {inputs: [vendor/up/" + env + ", overlays]}\n"
	}
	write(t, "weft.yml", text)
	if err := os.Mkdir("overlays", 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// FuzzFates tries updates of generated projects, which break overlays in some environments, make them
// superfluous in others, and leave them alone in the rest. The report must say what the generator did.
func FuzzFates(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(2, seed))
		p := newPlan(t, random, []string{"dev", "prod", "stage"}[:1+random.IntN(3)]...)
		for k := range 1 + random.IntN(6) {
			[]func(int){p.addSimple, p.addChain, p.addSoft}[random.IntN(3)](k)
		}
		for _, env := range p.envs {
			p.release(0, env, "always", "")
			p.release(1, env, "always", "")
			// An overlay of upstream is not one of the project.
			p.files[0][env+"/z.yml"] = overlayHead + "#@overlay/match by=overlay.all, expects=\"0+\"\n---\n" +
				"#@overlay/match missing_ok=True\nupstream: 1\n"
		}
		if p.tests.Len() > 0 {
			write(t, "tests/a.test.yml", "tests:\n"+p.tests.String())
		}
		report := p.try(Options{})
		lines := got(&report.Overlays)
		slices.Sort(lines)
		slices.Sort(p.want)
		if d := cmp.Diff(p.want, lines); d != "" {
			t.Errorf("the overlays (-want +got):\n%s", d)
		}
		slices.Sort(p.fails)
		slices.Sort(report.Tests.Failed)
		if d := cmp.Diff(p.fails, report.Tests.Failed); d != "" {
			t.Errorf("the tests that fail (-want +got):\n%s", d)
		}
		if report.Overlays.Fit != p.fit || report.IsUnknown() {
			t.Errorf("%d overlays fit, want %d; unknown are %v", report.Overlays.Fit, p.fit, report.Unknown)
		}
		isBroken := len(p.fails) > 0 || strings.Contains(strings.Join(p.want, "\n"), "broken")
		if isBroken != (report.Verdict == "broken") {
			t.Errorf("the verdict is %s, want %v", report.Verdict, p.want)
		}
	})
}

// TestAllowedURL checks that a project may read the URLs that the command line allows, and no others.
func TestAllowedURL(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "kind: B")
	}))
	defer server.Close()
	for _, allowed := range []bool{true, false} {
		p := newPlan(t, nil, "dev")
		write(t, "weft.yml", "weft: 2026\nvendor: {up: {git: 'https://git.example.com/up'}}\n"+
			"inputs: [vendor/up, '"+server.URL+"/b.yml']\n")
		p.release(0, "dev", "a", "mode: a\n")
		p.release(1, "dev", "a", "mode: b\n")
		opts := Options{}
		if allowed {
			opts.AllowOutside = []string{server.URL}
		}
		report := p.try(opts)
		want := map[bool]string{true: "fits", false: "unknown"}[allowed]
		if report.Verdict != want || allowed && report.Environments[0].Summary != (Counts{Changed: 1, Same: 1}) {
			t.Errorf("allowed %v: got %+v", allowed, report)
		}
	}
}
