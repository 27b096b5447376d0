package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"weft"
)

// impacts maps each data value to the nodes that impact lists for it. Impact lists lines, so all nodes
// of a line count.
type impacts map[string]map[string]bool

// impactOf returns what impact reports for all data values of a project. lines has the nodes on each
// line of the same run, by file.
func impactOf(p *project, opts weft.Options, lines map[string]map[int][]string) (impacts, error) {
	x, err := weft.Impact(context.Background(), opts, weft.ImpactOptions{Paths: p.values.root.keys})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := x.Write(&text, weft.ReportOptions{Format: weft.JSON}); err != nil {
		return nil, err
	}
	var list []struct {
		Value string `json:"value"`
		Uses  []struct {
			File string `json:"file"`
			Line int    `json:"line"`
		} `json:"uses"`
	}
	if err := json.Unmarshal(text.Bytes(), &list); err != nil {
		return nil, err
	}
	listed := impacts{}
	for _, v := range list {
		for _, u := range v.Uses {
			add(listed, v.Value, lines[u.File][u.Line])
		}
	}
	return listed, nil
}

// names reports whether impact lists a node, or one of its parents, for the changed data value, for one
// around it, or for one inside it.
func (listed impacts) names(c change, path string) bool {
	for v, nodes := range listed {
		if v != c.path && !inside(c.path, v) && !inside(v, c.path) {
			continue
		}
		for up := path; up != ""; up = parent(up) {
			if nodes[up] {
				return true
			}
		}
	}
	return false
}

// impacted counts the pairs that impact names, and how many of its lines are right: changing the data
// value alone changes a node of the line, or something in it.
func (t *tally) impacted(seed uint64, listed impacts, pairs []pair, moved map[string]map[string]bool) {
	for _, p := range pairs {
		t.impact.pairs++
		if listed.names(p.change, p.path) {
			t.impact.found++
		} else {
			t.unlisted = append(t.unlisted, fmt.Sprintf("seed %d: %s → %s", seed, p.change.path, p.path))
		}
	}
	for v, nodes := range listed {
		for path := range nodes {
			t.impact.claims++
			if (claim{v, path}).shown(moved) {
				t.impact.right++
			}
		}
	}
}

// pair is a change and a node that it changes or removes.
type pair struct {
	change change
	path   string
}

// lineTable has the nodes on each line of the output, by file.
func (r *report) lineTable() map[string]map[int][]string {
	table := map[string]map[int][]string{"": {}}
	docs := r.documents()
	for _, n := range r.Nodes {
		table[""][n.Line] = append(table[""][n.Line], n.name(docs))
	}
	names := namer{}
	for _, t := range r.Texts {
		if table[t.File] == nil {
			table[t.File] = map[int][]string{}
		}
		word, _, _ := strings.Cut(strings.TrimSpace(t.Text), " ")
		table[t.File][t.Line] = append(table[t.File][t.Line], "text/"+names.name(word))
	}
	return table
}
