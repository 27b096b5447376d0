// Package charttest reads the charts below engines/chart/testdata, which are rendered by weft-engines and, in
// tools/integrationtest, by Helm itself. Only tests import it.
package charttest

import (
	"regexp"
	"strings"
	"testing"

	"weft/internal/project/engines/wire"
	"weft/internal/testing/cases"
)

// Case is a chart and what Helm makes of it. It is a txtar archive: its comment has a line about what it
// tests, and settings such as "order: helm3"; its files are those of the project, with the chart in the folder
// chart, and
//
//	values.yml   values for the chart, if any
//	want         what `helm template` prints, or
//	error        a part of the error
//	origins      the lines of want, and where they come from
type Case struct {
	About    string
	Settings map[string]string
	Files    map[string]string // of the project
	Want     string
	Error    string
	Origins  string
}

// setting is a line of a comment that sets something.
var setting = regexp.MustCompile(`^([a-z]+): (.*)$`)

// Read reads a case.
func Read(tb testing.TB, path string) *Case {
	tb.Helper()
	a := cases.Archive(tb, path)
	c := &Case{Settings: map[string]string{}, Files: map[string]string{}}
	for line := range strings.Lines(string(a.Comment)) {
		if m := setting.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			c.Settings[m[1]] = m[2]
		} else {
			c.About += line
		}
	}
	for _, f := range a.Files {
		text := string(f.Data)
		switch f.Name {
		case "want":
			c.Want = text
		case "error":
			c.Error = strings.TrimSpace(text)
		case "origins":
			c.Origins = text
		default:
			if f.Name == c.Settings["crlf"] {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			c.Files[f.Name] = text
		}
	}
	return c
}

// The names of all releases, and the version of the cluster.
const (
	Release    = "web"
	Namespace  = "shop"
	Kubernetes = "1.33.0"
)

// Chart returns the request for a case.
func (c *Case) Chart() *wire.Chart {
	r := &wire.Chart{
		Path: "chart", Release: Release, Namespace: Namespace, Kubernetes: Kubernetes,
		CRDs: true, Hooks: true, Order: wire.Helm4, Random: wire.RandomError,
	}
	if v := c.Settings["order"]; v != "" {
		r.Order = v
	}
	if v := c.Settings["random"]; v != "" {
		r.Random = v
	}
	if v := c.Settings["api"]; v != "" {
		r.APIVersions = strings.Fields(v)
	}
	if text, ok := c.Files["values.yml"]; ok {
		r.Values = []wire.ValuesFile{{Name: "values.yml", Text: text}}
	}
	return r
}

// Args returns the arguments with which Helm prints the same, run in a directory with the files.
func (c *Case) Args() []string {
	args := []string{
		"template", Release, "chart", "--namespace=" + Namespace, "--kube-version=" + Kubernetes, "--include-crds",
	}
	for _, v := range c.Chart().APIVersions {
		args = append(args, "--api-versions="+v)
	}
	if len(c.Chart().Values) > 0 {
		args = append(args, "--values=values.yml")
	}
	return args
}

// Reader returns what weft replies about the files.
func (c *Case) Reader() func(path string) wire.Reply {
	return func(path string) wire.Reply {
		if text, ok := c.Files[path]; ok {
			data := []byte(text)
			return wire.Reply{File: &data}
		}
		r := wire.Reply{}
		seen := map[string]bool{}
		for name := range c.Files {
			below, ok := strings.CutPrefix(name, path+"/")
			if path == "" {
				below, ok = name, true
			}
			if first, _, _ := strings.Cut(below, "/"); ok && !seen[first] {
				seen[first] = true
				r.Entries = append(r.Entries, first)
			}
		}
		r.Dir = len(r.Entries) > 0
		return r
	}
}

// gap is what is before a document, which Helm prints in several ways.
var gap = regexp.MustCompile(`\s*\n---\n# Source: `)

// Normal returns what Helm prints with one line break before each document.
func Normal(text string) string {
	return strings.TrimSpace(gap.ReplaceAllString("\n"+text, "\n---\n# Source: ")) + "\n"
}

// Print returns documents as Helm prints them.
func Print(docs []wire.Doc) string {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString("---\n# Source: " + d.Source + "\n" + d.Text + "\n")
	}
	return Normal(b.String())
}
