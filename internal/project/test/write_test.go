package test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample has all that a report can tell.
var sample = Report{Outcomes: []Outcome{
	{Name: "production", Env: "prod", File: "tests/a.test.yml", Line: 2, Took: 3 * time.Millisecond},
	{
		Name: "whole #1 <\x1b>", Env: "dev", File: "tests/a.test.yml", Line: 9, Took: time.Second,
		Failures: []Failure{
			{
				At: "golden/dev.yml:8", Message: "~ Deployment/web  spec.replicas: 2 → 3",
				Found: "app.yml:14 ← replicas envs/dev.yml:2",
			},
			{
				At: "tests/a.test.yml:10", Object: "Deployment/web", Path: "spec",
				Message: "differs", Below: []string{"~ a: 1 → 2", "- b: \"x\""},
			},
		},
	},
	{Name: "broken", File: "tests/b.test.yml", Line: 2, Error: "a.yml:1:1: error: wrong [x/y]\nhint: no\n"},
	{Name: "new", File: "tests/b.test.yml", Line: 5, Updated: "golden/new.yml"},
}}

func TestWriteText(t *testing.T) {
	check(t, func(w io.Writer) error { return sample.WriteText(w, TextOptions{Times: true}) },
		`ok    production [prod]                         3.0 ms
FAIL  "whole #1 <\x1b> [dev]"                   1000 ms
      golden/dev.yml:8: ~ Deployment/web  spec.replicas: 2 → 3   app.yml:14 ← replicas envs/dev.yml:2
      tests/a.test.yml:10: Deployment/web spec: differs
          ~ a: 1 → 2
          - b: "x"
FAIL  broken                                    0.0 ms
      a.yml:1:1: error: wrong [x/y]
      hint: no
wrote new  golden/new.yml                       0.0 ms
4 tests, 2 failed, 1 golden file written
`)
}

func TestWriteColor(t *testing.T) {
	r := Report{Outcomes: sample.Outcomes[:1]}
	check(t, func(w io.Writer) error { return r.WriteText(w, TextOptions{Color: true}) },
		"\x1b[32mok\x1b[0m    production [prod]\n1 test\n")
	check(t, func(w io.Writer) error { return r.WriteText(w, TextOptions{Quiet: true}) }, "")
}

func TestWriteTAP(t *testing.T) {
	check(t, sample.WriteTAP, `TAP version 14
1..4
ok 1 - production [prod]
not ok 2 - "whole \#1 <\\x1b> [dev]"
  ---
  at: "tests/a.test.yml:9"
  messages:
  - "golden/dev.yml:8: ~ Deployment/web  spec.replicas: 2 → 3   app.yml:14 ← replicas envs/dev.yml:2"
  - "tests/a.test.yml:10: Deployment/web spec: differs"
  - "    ~ a: 1 → 2"
  - "    - b: \"x\""
  ...
not ok 3 - broken
  ---
  at: "tests/b.test.yml:2"
  messages:
  - "a.yml:1:1: error: wrong [x/y]"
  - "hint: no"
  ...
ok 4 - new
`)
}

func TestWriteJUnit(t *testing.T) {
	check(t, sample.WriteJUnit, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="2" time="1.0030">
  <testsuite name="tests/a.test.yml" tests="2" failures="1" time="1.0030">
    <testcase name="production [prod]" classname="tests/a.test.yml" file="tests/a.test.yml" line="2" time="0.0030"></testcase>
    <testcase name="whole #1 &lt;�&gt; [dev]" classname="tests/a.test.yml" file="tests/a.test.yml" line="9" time="1.0000">
      <failure message="golden/dev.yml:8: ~ Deployment/web  spec.replicas: 2 → 3   app.yml:14 ← replicas envs/dev.yml:2">golden/dev.yml:8: ~ Deployment/web  spec.replicas: 2 → 3   app.yml:14 ← replicas envs/dev.yml:2&#xA;tests/a.test.yml:10: Deployment/web spec: differs&#xA;    ~ a: 1 → 2&#xA;    - b: &#34;x&#34;</failure>
    </testcase>
  </testsuite>
  <testsuite name="tests/b.test.yml" tests="2" failures="1" time="0.0000">
    <testcase name="broken" classname="tests/b.test.yml" file="tests/b.test.yml" line="2" time="0.0000">
      <failure message="a.yml:1:1: error: wrong [x/y]">a.yml:1:1: error: wrong [x/y]&#xA;hint: no</failure>
    </testcase>
    <testcase name="new" classname="tests/b.test.yml" file="tests/b.test.yml" line="5" time="0.0000"></testcase>
  </testsuite>
</testsuites>
`)
	var b strings.Builder
	if err := sample.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Suites []struct{} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &back); err != nil || len(back.Suites) != 2 {
		t.Errorf("the XML cannot be read: %v", err)
	}
}

func TestWriteJSON(t *testing.T) {
	r := Report{Outcomes: sample.Outcomes[1:]}
	check(t, r.WriteJSON, `{
  "tests": [
    {
      "name": "whole #1 <\u001b>",
      "environment": "dev",
      "file": "tests/a.test.yml",
      "line": 9,
      "status": "failed",
      "seconds": 1,
      "failures": [
        {
          "at": "golden/dev.yml:8",
          "message": "~ Deployment/web  spec.replicas: 2 → 3",
          "from": "app.yml:14 ← replicas envs/dev.yml:2"
        },
        {
          "at": "tests/a.test.yml:10",
          "object": "Deployment/web",
          "path": "spec",
          "message": "differs",
          "details": [
            "~ a: 1 → 2",
            "- b: \"x\""
          ]
        }
      ]
    },
    {
      "name": "broken",
      "file": "tests/b.test.yml",
      "line": 2,
      "status": "failed",
      "seconds": 0,
      "error": "a.yml:1:1: error: wrong [x/y]\nhint: no\n"
    },
    {
      "name": "new",
      "file": "tests/b.test.yml",
      "line": 5,
      "status": "updated",
      "seconds": 0,
      "updated": "golden/new.yml"
    }
  ],
  "summary": {
    "tests": 3,
    "failed": 2,
    "updated": 1
  }
}
`)
}

func check(t *testing.T, write func(io.Writer) error, want string) {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
