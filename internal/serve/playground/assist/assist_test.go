package assist

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/serve/playground"
)

var usual = playground.Limits{Time: time.Minute, Memory: 2 << 30}

const app = `
-- app.yml --
#@ load("@ytt:data", "data")
#@ load("names.star", "title")
---
kind: Deployment
spec:
  replicas: #@ data.values.replicas
  title: #@ title(data.values.name)
-- names.star --
def title(name):
  "The title of something."
  return name.upper()
end
-- prod.yml --
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
spec:
  #@overlay/match missing_ok=True
  paused: true
-- schema.yml --
#@data/values-schema
---
#@schema/desc "how many"
#@schema/validation min=1
replicas: 2
name: shop
`

// at is a request about the place of the mark ‸ in one of the files.
func at(t *testing.T, text, want string) Request {
	t.Helper()
	req := Request{Request: playground.Request{Want: []string{want}}}
	for _, f := range txtar.Parse([]byte(text)).Files {
		data := string(f.Data)
		if before, after, ok := strings.Cut(data, "‸"); ok {
			data = before + after
			req.File = f.Name
			req.Line = strings.Count(before, "\n")
			req.Character = len(before) - strings.LastIndexByte(before, '\n') - 1
		}
		req.Files = append(req.Files, playground.File{Path: f.Name, Data: data})
	}
	if req.File == "" {
		t.Fatal("there is no mark")
	}
	return req
}

func ask(t *testing.T, a *Assistant, text, want string) Response {
	t.Helper()
	res := a.Answer(context.Background(), at(t, text, want), usual)
	if res.Problem != "" {
		t.Fatal(res.Problem)
	}
	return res
}

func labels(res Response) (list []string) {
	for _, item := range res.Items {
		list = append(list, item.Label)
	}
	return list
}

func TestCompletes(t *testing.T) {
	for name, tt := range map[string]struct {
		old, new string
		want     []string
	}{
		"data values":  {"data.values.replicas", "data.values.‸", []string{"replicas", "name"}},
		"annotations":  {"  #@overlay/match missing_ok=True\n", "  #@‸\n", []string{"overlay/", "schema/"}},
		"of overlays":  {"  #@overlay/match missing_ok=True\n", "  #@overlay/‸\n", []string{"match", "remove"}},
		"loaded files": {`load("names.star"`, `load("‸"`, []string{"names.star", "@ytt:data"}},
		"loaded names": {`"names.star", "title"`, `"names.star", "‸"`, []string{"title"}},
		"of modules":   {`"@ytt:data", "data"`, `"@ytt:data", "‸"`, []string{"data"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := New()
			ask(t, a, strings.Replace(app, "kind: Deployment", "kind: Deployment‸", 1), "prepare")
			got := labels(ask(t, a, strings.Replace(app, tt.old, tt.new, 1), "complete"))
			for _, want := range tt.want {
				if !slices.Contains(got, want) {
					t.Errorf("%s is not among %q", want, got)
				}
			}
		})
	}
}

// TestFilesAreThoseOfTheRequest changes, adds and removes files between requests.
func TestFilesAreThoseOfTheRequest(t *testing.T) {
	a := New()
	edited := strings.Replace(app, "data.values.replicas", "data.values.‸", 1)
	for _, schema := range []string{"first: 1", "second: 2\nthird: 3", "fourth:\n  fifth: 5"} {
		text := edited[:strings.Index(edited, "-- schema.yml --")] +
			"-- schema.yml --\n#@data/values-schema\n---\n" + schema + "\n"
		got := labels(ask(t, a, text, "complete"))
		for line := range strings.Lines(schema) {
			if key, _, _ := strings.Cut(line, ":"); line[0] != ' ' && !slices.Contains(got, key) {
				t.Errorf("%s is not among %q", key, got)
			}
		}
		if slices.Contains(got, "replicas") {
			t.Errorf("replicas of another project is among %q", got)
		}
	}
	without := edited[:strings.Index(edited, "-- schema.yml --")]
	if got := labels(ask(t, a, without, "complete")); slices.Contains(got, "fourth") {
		t.Errorf("the schema is gone, but %q are told", got)
	}
}

func TestHovers(t *testing.T) {
	for name, tt := range map[string]struct {
		old, new string
		want     []string
	}{
		"data value": {"data.values.replicas", "data.values.repl‸icas", []string{"`replicas`: integer", "how many", "Value: `2`", "Default: `2`"}},
		"function":   {"#@ title(", "#@ tit‸le(", []string{"def title(name)", "The title of something.", "Renders `\"SHOP\"`"}},
		"annotation": {"#@overlay/match missing", "#@overlay/ma‸tch missing", []string{"#@overlay/match", "missing_ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			res := ask(t, New(), strings.Replace(app, tt.old, tt.new, 1), "hover")
			if res.Hover == nil {
				t.Fatal("nothing is known")
			}
			for _, want := range tt.want {
				if !strings.Contains(res.Hover.Contents.Value, want) {
					t.Errorf("%q is not in\n%s", want, res.Hover.Contents.Value)
				}
			}
		})
	}
}

func TestValuesAndEnvironmentsOfThePage(t *testing.T) {
	req := at(t, strings.Replace(app, "data.values.replicas", "data.values.repl‸icas", 1), "hover")
	req.Values = []string{"replicas=7"}
	a := New()
	if res := a.Answer(context.Background(), req, usual); res.Hover == nil || !strings.Contains(res.Hover.Contents.Value, "Value: `7`") {
		t.Errorf("%+v", res)
	}
	req.Files = append(req.Files,
		playground.File{Path: "weft.yml", Data: "weft: 2026\ninputs: [app.yml, names.star, schema.yml]\n" +
			"environments:\n  dev: {}\n  prod: {values: {replicas: 9}}\n"})
	req.Values, req.Environment = nil, "prod"
	if res := a.Answer(context.Background(), req, usual); res.Hover == nil || !strings.Contains(res.Hover.Contents.Value, "**prod** `9`") {
		t.Errorf("%+v %+v", res, res.Hover)
	}
}

// TestRefuses has requests that no page sends get a problem as an answer.
func TestRefuses(t *testing.T) {
	good := func() Request {
		return at(t, strings.Replace(app, "data.values.replicas", "data.values.‸", 1), "complete")
	}
	for name, change := range map[string]func(*Request){
		"no such file":  func(r *Request) { r.File = "none.yml" },
		"a path up":     func(r *Request) { r.Files[0].Path = "../app.yml" },
		"two of one":    func(r *Request) { r.Files = append(r.Files, r.Files[0]) },
		"unknown want":  func(r *Request) { r.Want = []string{"steal"} },
		"no want":       func(r *Request) { r.Want = nil },
		"a URL":         func(r *Request) { r.Inputs = []string{"https://example.com/a.yml"} },
		"too many":      func(r *Request) { r.Values = make([]string, 5000) },
		"too many keys": func(r *Request) { r.Files[0].Data = strings.Repeat("x", 9<<20) },
	} {
		req := good()
		change(&req)
		if res := New().Answer(context.Background(), req, usual); res.Problem == "" {
			t.Errorf("%s: there is no problem", name)
		}
	}
	for _, place := range [][2]int{{-1, -1}, {1 << 30, 0}, {0, 1 << 30}} {
		req := good()
		req.Line, req.Character = place[0], place[1]
		if res := New().Answer(context.Background(), req, usual); res.Problem != "" {
			t.Errorf("%v: %s", place, res.Problem)
		}
	}
}

// TestEnds has code without an end not keep the one who asks.
func TestEnds(t *testing.T) {
	req := at(t, `
-- app.yml --
#@ load("@ytt:data", "data")
#@ for i in range(1000*1000*1000*1000):
#@ end
a: #@ data.values.‸
-- schema.yml --
#@data/values-schema
---
a: 1
`, "hover")
	began := time.Now()
	New().Answer(context.Background(), req, playground.Limits{Time: time.Second, Memory: 2 << 30})
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestManyItemsAreCut(t *testing.T) {
	var schema strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&schema, "key%d: 1\n", i)
	}
	res := ask(t, New(), "-- app.yml --\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.‸\n"+
		"-- schema.yml --\n#@data/values-schema\n---\n"+schema.String(), "complete")
	if len(res.Items) != maxItems {
		t.Errorf("%d items", len(res.Items))
	}
}
