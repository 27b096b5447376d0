package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"weft"
)

// options returns the options of a run with the given data values, without one of the files.
func (p *project) options(root *mapping, without string) weft.Options {
	all := p.values.files(root)
	maps.Copy(all, p.files)
	opts := weft.Options{
		Format: weft.JSON, Limits: weft.Limits{Parallelism: 1}, Warnings: weft.WarningsOff, Cache: &p.cache,
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name != without {
			opts.Files = append(opts.Files, weft.File{Path: name, Data: []byte(all[name])})
		}
	}
	for _, o := range p.overrides {
		if o != without {
			opts.Overrides = append(opts.Overrides, weft.Override{Text: o})
		}
	}
	return opts
}

// output maps the path of each node of a result to its scalar, or to the kind of its collection.
type output map[string]string

func render(opts weft.Options) (output, error) {
	res, err := weft.Render(context.Background(), opts)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := res.WriteTo(&b); err != nil {
		return nil, err
	}
	out := output{}
	names := namer{}
	for line := range bytes.Lines(b.Bytes()) {
		var v any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		m, _ := v.(map[string]any)
		out.add(names.name(fmt.Sprint(m["id"])), v)
	}
	for _, f := range res.Texts() {
		names := namer{}
		for line := range strings.Lines(string(f.Data)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			out["text/"+names.name(word)] = line
		}
	}
	return out, nil
}

// namer makes names unique.
type namer map[string]int

func (n namer) name(s string) string {
	n[s]++
	return fmt.Sprintf("%s#%d", s, n[s])
}

func (out output) add(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		out[path] = "map"
		for k, x := range v {
			out.add(path+"/"+strings.ReplaceAll(k, "/", "~"), x)
		}
	case []any:
		out[path] = "list"
		for i, x := range v {
			out.add(path+"/"+strconv.Itoa(i), x)
		}
	default:
		out[path] = fmt.Sprintf("%T %v", v, v)
	}
}

// claims is what the report of blame says.
type claims struct {
	nodes  map[string]map[string]bool  // by path, the data values
	files  map[string]map[string]bool  // by path, the files
	absent map[string]map[string]bool  // by the document, or "", absent values
	lines  map[string]map[int][]string // by file and line, the nodes
	parts  map[claim]string            // the first part of the report that makes the claim
}

// These types decode the parts of blame's JSON report that name data values and files.
type (
	report struct {
		Nodes  []node               `json:"nodes"`
		Texts  []textLine           `json:"texts"`
		Absent []missing            `json:"absent"`
		Values map[string][]layerOf `json:"values"`
	}
	node struct {
		Doc     int       `json:"doc"`
		Path    []any     `json:"path"`
		Line    int       `json:"line"`
		Value   any       `json:"value"`
		History []event   `json:"history"`
		When    []event   `json:"when"`
		Instead []missing `json:"instead"`
	}
	event struct {
		At      string   `json:"at"`
		By      string   `json:"by"`
		Values  []string `json:"values"`
		Matched []string `json:"matched"`
	}
	textLine struct {
		File    string    `json:"file"`
		Line    int       `json:"line"`
		Text    string    `json:"text"`
		Made    *event    `json:"made"`
		When    []event   `json:"when"`
		Instead []missing `json:"instead"`
	}
	missing struct {
		Doc    int      `json:"doc"`
		At     string   `json:"at"`
		Values []string `json:"values"`
	}
	layerOf struct {
		Values []string `json:"values"`
	}
)

// blame returns the claims that blame makes about a run.
func blame(opts weft.Options) (*claims, error) {
	b, err := weft.Blame(context.Background(), opts, weft.BlameOptions{})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := b.Write(&text, weft.ReportOptions{Format: weft.JSON}); err != nil {
		return nil, err
	}
	var r report
	if err := json.Unmarshal(text.Bytes(), &r); err != nil {
		return nil, err
	}
	return r.claims(), nil
}

func (r *report) claims() *claims {
	c := &claims{
		nodes: map[string]map[string]bool{}, files: map[string]map[string]bool{},
		absent: map[string]map[string]bool{}, lines: r.lineTable(), parts: map[claim]string{},
	}
	docs := r.documents()
	for _, n := range r.Nodes {
		r.addClaims(c, n.name(docs), n.History, n.When, n.Instead)
	}
	names := namer{}
	for _, t := range r.Texts {
		word, _, _ := strings.Cut(strings.TrimSpace(t.Text), " ")
		var events []event
		if t.Made != nil {
			events = []event{*t.Made}
		}
		r.addClaims(c, "text/"+names.name(word), events, t.When, t.Instead)
	}
	for _, a := range r.Absent {
		name := ""
		if a.Doc >= 0 {
			name = docs[a.Doc]
		}
		add(c.absent, name, r.through(a.Values))
		add(c.absent, name, []string{"file " + fileOf(a.At)})
	}
	return c
}

// name returns the path of a node, which starts with the name of its document.
func (n *node) name(docs map[int]string) string {
	path := docs[n.Doc]
	for _, s := range n.Path {
		switch s := s.(type) {
		case string:
			path += "/" + strings.ReplaceAll(s, "/", "~")
		case float64:
			path += "/" + strconv.Itoa(int(s))
		}
	}
	return path
}

// addClaims adds what the report says about a node.
func (r *report) addClaims(c *claims, path string, history, when []event, instead []missing) {
	add(c.nodes, path, nil)
	add(c.files, path, nil)
	for i, e := range append(slices.Clone(history), when...) {
		part := "history"
		if i >= len(history) {
			part = "when"
		}
		r.name(c, path, part+" "+e.At, e.Values)
		r.name(c, path, "matched "+e.At, e.Matched)
		add(c.files, path, []string{fileOf(e.At), fileOf(e.By)})
	}
	for _, m := range instead {
		r.name(c, path, "instead "+m.At, m.Values)
		add(c.absent, path[:strings.LastIndexByte(path, '/')+1], r.through(m.Values))
	}
}

// name adds the data values that a part of the report names at a node.
func (r *report) name(c *claims, path, part string, values []string) {
	found := r.through(values)
	add(c.nodes, path, found)
	for _, v := range found {
		if at := (claim{v, path}); c.parts[at] == "" {
			c.parts[at] = part
		}
	}
}

func add(m map[string]map[string]bool, key string, names []string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	for _, n := range names {
		if n != "" {
			m[key][n] = true
		}
	}
}

func fileOf(at string) string {
	name, _, _ := strings.Cut(at, ":")
	return name
}

// documents returns the names of documents, by number.
func (r *report) documents() map[int]string {
	docs, names := map[int]string{}, namer{}
	for _, n := range r.Nodes {
		if len(n.Path) == 1 && n.Path[0] == "id" {
			docs[n.Doc] = names.name(fmt.Sprint(n.Value))
		}
	}
	return docs
}

// through returns data values, replacing those of libraries by what they were computed from.
func (r *report) through(names []string) []string {
	var all []string
	seen := map[string]bool{}
	for todo := slices.Clone(names); len(todo) > 0; todo = todo[1:] {
		name := todo[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		if !strings.HasPrefix(name, "@") {
			all = append(all, name)
			continue
		}
		for _, l := range r.Values[name] {
			todo = append(todo, l.Values...)
		}
	}
	return all
}

// names reports whether claims contain the changed data value or a collection around it. If the change
// adds keys to a collection or removes some, the values in it count as well.
func names(claims map[string]bool, c change) bool {
	for n := range claims {
		if n == c.path || n == "data.values" || inside(c.path, n) || c.keys && inside(n, c.path) ||
			(c.path == "optmap" || c.path == "opt") && inside(n, c.path) {
			return true
		}
	}
	return false
}

// inside reports whether the data value at path is inside the one at around.
func inside(path, around string) bool {
	rest, ok := strings.CutPrefix(path, around)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

// score counts pairs.
type score struct {
	pairs, found, near int // near: named on the line of a parent, or in a note about an absent node
	claims, right      int
	alone              int // the part of right that needs no other data value changed
}

// tally holds the scores of each kind of construct, and the misses.
type tally struct {
	kinds          map[string]*score
	missed, wrong  []string
	failed, redraw int
	changes        int

	impact   score // for weft impact
	unlisted []string
}

func (t *tally) of(path string) *score {
	k := kindOf(path)
	if t.kinds[k] == nil {
		t.kinds[k] = &score{}
	}
	return t.kinds[k]
}

// kindOf returns the kind of construct that produced a node.
func kindOf(path string) string {
	parts := strings.Split(path, "/")
	doc, _, _ := strings.Cut(parts[0], "#")
	switch {
	case doc == "left out":
		return "files"
	case doc == "text":
		return "text file"
	case doc == "Lib":
		return "library"
	case strings.HasPrefix(doc, "T"):
		return "overlay"
	case len(parts) > 2:
		return strings.TrimRight(strings.SplitN(parts[2], "-", 2)[0], "0123456789yz")
	}
	return "document"
}

// judge changes one data value of a project at a time, then leaves out one file at a time, and compares
// the effect on the output with what blame says.
func (t *tally) judge(seed uint64, p *project) error {
	opts := p.options(p.values.root, "")
	base, err := render(opts)
	if err != nil {
		return err
	}
	claimed, err := blame(opts)
	if err != nil {
		return fmt.Errorf("blame: %w", err)
	}
	moved := map[string]map[string]bool{} // by data value, the nodes that it changes
	failing := map[string]bool{}          // data values with a change that does not render
	counted := map[[2]string]bool{}
	var pairs []pair
	for _, c := range p.values.changes() {
		t.changes++
		got, err := render(p.options(c.root, ""))
		if err != nil {
			t.failed++
			failing[c.path] = true
			continue
		}
		got = got.aligned(base)
		compare(base, got, func(path string, come bool) {
			add(moved, c.path, []string{path})
			if come || counted[[2]string{c.path, path}] {
				return
			}
			counted[[2]string{c.path, path}] = true
			t.pair(claimed, seed, c, path)
			pairs = append(pairs, pair{c, path})
		})
		t.added(seed, claimed, base, got, c, counted)
	}
	for _, file := range append(slices.Clone(p.left), p.overrides...) {
		got, err := render(p.options(p.values.root, file))
		if err != nil {
			t.failed++
			continue
		}
		t.leftOut(seed, claimed, base, got.aligned(base), file)
	}
	t.precision(seed, p, claimed, moved, failing)
	listed, err := impactOf(p, opts, claimed.lines)
	if err != nil {
		return fmt.Errorf("impact: %w", err)
	}
	t.impacted(seed, listed, pairs, moved)
	return nil
}

// aligned returns an output with its lists aligned to those of base. In a list of another length, equal
// items get the index that they have in base, and the other items get the free ones.
func (out output) aligned(base output) output {
	moved := map[string]string{} // prefixes of paths, old to new
	for path, v := range base {
		if v == "list" && out[path] == "list" && base.length(path) != out.length(path) {
			base.align(out, path, moved)
		}
	}
	if len(moved) == 0 {
		return out
	}
	to := output{}
	for path, v := range out {
		to[rename(path, moved)] = v
	}
	return to
}

// rename returns a path with its first moved prefix replaced.
func rename(path string, moved map[string]string) string {
	for i := range len(path) + 1 {
		if i < len(path) && path[i] != '/' {
			continue
		}
		if to, ok := moved[path[:i]]; ok {
			return to + path[i:] // lists inside a moved item are not aligned
		}
	}
	return path
}

// length returns the number of items of a list.
func (out output) length(path string) (n int) {
	for out[path+"/"+strconv.Itoa(n)] != "" {
		n++
	}
	return n
}

// item returns the content of a node as text.
func (out output) item(path string) string {
	var all []string
	for p, v := range out {
		if p == path || strings.HasPrefix(p, path+"/") {
			all = append(all, p[len(path):]+"="+v)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// align records the new index of each item in a list of got.
func (out output) align(got output, path string, moved map[string]string) {
	at := func(i int) string { return path + "/" + strconv.Itoa(i) }
	n, m := out.length(path), got.length(path)
	used, next := map[int]bool{}, 0
	var left []int
	for j := range m {
		found := -1
		for i := next; i < n && found < 0; i++ {
			if out.item(at(i)) == got.item(at(j)) {
				found = i
			}
		}
		if found < 0 {
			left = append(left, j)
			continue
		}
		used[found], next = true, found+1
		moved[at(j)] = at(found)
	}
	free := 0
	for _, j := range left {
		for used[free] {
			free++
		}
		moved[at(j)] = at(free)
		free++
	}
}

// compare calls f for each node that differs: first those of base, then those that only got has.
func compare(base, got output, f func(path string, come bool)) {
	for path, v := range base {
		if w, ok := got[path]; !ok || w != v {
			f(path, false)
		}
	}
	for path := range got {
		if _, ok := base[path]; !ok {
			f(path, true)
		}
	}
}

// pair counts a data value and a node of the output that it changes or removes.
func (t *tally) pair(claimed *claims, seed uint64, c change, path string) {
	s := t.of(path)
	s.pairs++
	if names(claimed.nodes[path], c) {
		s.found++
		return
	}
	for up := parent(path); up != ""; up = parent(up) {
		if names(claimed.nodes[up], c) {
			s.near++
			t.missed = append(t.missed, fmt.Sprintf("seed %d: %s → %s (around it)", seed, c.path, path))
			return
		}
	}
	t.missed = append(t.missed, fmt.Sprintf("seed %d: %s → %s", seed, c.path, path))
}

// added counts the outermost nodes that a change adds. The data value must be named on the line of their
// parent, of a sibling, or of a note about an absent node.
func (t *tally) added(
	seed uint64, claimed *claims, base, got output, c change, counted map[[2]string]bool,
) {
	for path := range got {
		up := parent(path)
		if _, ok := base[path]; ok {
			continue
		}
		if _, ok := base[up]; up != "" && !ok && !strings.HasPrefix(path, "text/") {
			continue
		}
		key := [2]string{c.path, "+" + up}
		if counted[key] {
			continue
		}
		counted[key] = true
		s := t.of(path)
		s.pairs++
		doc, _, _ := strings.Cut(path, "/")
		if doc == "text" || up == "" {
			doc = ""
		}
		ok := names(claimed.nodes[up], c) || names(claimed.absent[doc], c) || names(claimed.absent[up+"/"], c) ||
			doc == "" && names(claimed.absent["text/"], c)
		for beside, found := range claimed.nodes {
			ok = ok || parent(beside) == up && names(found, c) || up == "" && names(found, c)
		}
		if ok {
			s.found++
			continue
		}
		t.missed = append(t.missed, fmt.Sprintf("seed %d: %s → new %s", seed, c.path, path))
	}
}

// parent returns the path of a node's parent, or "".
func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i < 0 || path[:i] == "text" {
		return ""
	}
	return path[:i]
}

// leftOut counts the nodes that change without an overlay or override file. Their lines must name that
// file.
func (t *tally) leftOut(seed uint64, claimed *claims, base, got output, file string) {
	name := file
	if strings.Contains(file, "\n") {
		name = "override"
	}
	compare(base, got, func(path string, come bool) {
		if name == "override" {
			return // this override has no file
		}
		doc, _, _ := strings.Cut(path, "/")
		s := t.of("left out/")
		if _, ok := base[parent(path)]; come && !ok {
			return // its parent is missing as well
		}
		s.pairs++
		if come && (claimed.absent[doc]["file "+name] || claimed.absent[""]["file "+name]) ||
			claimed.files[path][name] || come && claimed.files[parent(path)][name] {
			s.found++
			return
		}
		t.missed = append(t.missed, fmt.Sprintf("seed %d: file %s → %s", seed, name, path))
	})
}
