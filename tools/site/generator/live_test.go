package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// static is why examples cannot run in a page. A reason that no example has must go.
var static = []struct {
	args   string // matches their arguments
	reason string
}{
	{`^test `, "tests read golden files and scripts, which are on disk"},
	{`--write|--output-files|^fleet `, "it writes files"},
	{`< \S+$`, "it reads standard input"},
	{`--kubernetes`, "the page has no schemas of Kubernetes"},
	{`^(schema|env|argocd|lint) `, "the programs of the page do not have the command"},
	{`--diagnostics`, "messages for programs are not for a page"},
	{`-fx\.yml=`, "an input with another name may be anywhere"},
	{`-f config/web\.yml$`, "its hint names a file on disk"},
}

// closed are the static examples that the playground has no place for, by the beginning of their arguments: it has
// no command for them, or the data values are missing that they are given in another way.
var closed = []string{
	"schema ", "krm ", "override - ", "diff --a=", "fleet --env envs/[a-c]*.yml ", "-f app.yml --diagnostics json",
	"test -f app.yml ",
}

// liveOrStatic counts: what a page runs, what it only shows, and what the playground opens.
func liveOrStatic(t *testing.T, s *site) {
	used, unused := map[string]bool{}, map[string]bool{}
	live, opens, all := 0, 0, 0
	for _, p := range s.pages {
		for _, r := range runsOf(t, s.files[p.url]) {
			args := strings.Join(r.Args, " ")
			all++
			if r.Open != nil {
				opens++
			}
			if r.Live {
				live++
				continue
			}
			if !isStatic(args, used) {
				t.Errorf("%s: weft %s is not live, and no reason is listed", p.url, args)
			}
			if r.Open == nil && !isClosed(args, unused) {
				t.Errorf("%s: weft %s cannot be opened in the playground", p.url, args)
			}
		}
	}
	for _, r := range runsOf(t, s.files["recipes/ingress.html"]) {
		if args := strings.Join(r.Args, " "); args == "diff staging prod" && (r.Open == nil || r.Open.Environment != "prod") {
			t.Errorf("weft %s opens the playground with %v", args, r.Open)
		}
	}
	for _, x := range static {
		if !used[x.args] {
			t.Errorf("no example is static because %s", x.reason)
		}
	}
	for _, begin := range closed {
		if !unused[begin] {
			t.Errorf("no example weft %s is closed", begin)
		}
	}
	t.Logf("of %d examples, %d are live, and the playground opens %d", all, live, opens)
	if live*100 < all*88 {
		t.Errorf("of %d examples, %d are live", all, live)
	}
}

func isStatic(args string, used map[string]bool) (found bool) {
	for _, x := range static {
		if regexp.MustCompile(x.args).MatchString(args+" ") || regexp.MustCompile(x.args).MatchString(args) {
			used[x.args], found = true, true
		}
	}
	return found
}

func isClosed(args string, used map[string]bool) bool {
	for _, begin := range closed {
		if strings.HasPrefix(args, begin) {
			used[begin] = true
			return true
		}
	}
	return false
}

// pageRun is an example, as its page has it.
type pageRun struct {
	Args []string
	Live bool
	Open *opened
}

// runsOf reads the examples of a page.
func runsOf(t *testing.T, page []byte) []pageRun {
	t.Helper()
	m := regexp.MustCompile(`(?s) id="examples">(.*?)</script>`).FindSubmatch(page)
	if m == nil {
		return nil
	}
	var data struct{ Runs []pageRun }
	if err := json.Unmarshal(m[1], &data); err != nil {
		t.Fatal(err)
	}
	return data.Runs
}
