package yaml

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
)

// Grammar selects what the parser accepts. The package comment lists the differences.
type Grammar uint8

// The grammars.
const (
	Lenient Grammar = iota
	YAML12
)

// The default limits.
const (
	DefaultMaxDepth = 500
	DefaultMaxNodes = 10_000_000
)

// Options configures Parse. The zero value accepts what ytt accepts, with the default limits.
type Options struct {
	Grammar  Grammar
	Schema   Schema
	MaxDepth int // how deeply collections may be nested
	MaxNodes int // how many nodes a document may have after its aliases are expanded

	UniqueKeys bool // Check rejects duplicate keys; merged keys may be overridden
	NoteKeys   bool // Check records duplicate keys: see Tree.Overridden
	Typed      bool // the text comes from a flag, so there is no spelling to keep

	Workers parallel.Workers // how many parts of a large file are parsed at a time
}

// Parse parses f. The error is a *diag.Diagnostic.
//
// The parser is a recursive descent over the bytes that appends nodes in the order of the text: there
// is no token stream and no look-ahead beyond the line. Two facts make that possible in YAML. A
// mapping becomes visible only after its first key, but a key is a scalar on one line, so it is
// scanned first and added after the node of its mapping. (A flow collection as a key, which is rare,
// is moved by one node: see insertMapping.) And a collection ends where a line begins further to the
// left, so every function returns with the parser at the next content, whose column the callers
// compare with their own.
//
// Errors are raised by panic and caught here, at the only entry point: checks in every function would
// cost time and hide the grammar.
func Parse(f *source.File, opt Options) (*Tree, error) {
	src, lines, err := text(f)
	if err != nil {
		return nil, err
	}
	return parseRange(f, src, 0, lines, opt)
}

// text returns the bytes of f as the parser needs them, and the number of lines.
func text(f *source.File) (src []byte, lines int, err error) {
	ft, bad := check(f)
	if bad != nil {
		return nil, 0, bad
	}
	if src = f.Data(); ft.returns {
		src = withoutLoneReturns(src)
	}
	return src, ft.lines, nil
}

// manyNodes is the maximum initial capacity for nodes. Longer texts grow on demand, since all of
// their lines may be one scalar.
const manyNodes = 1 << 20

// parseRange parses src from offset from on, where a document begins. lines is an estimate of the
// number of lines.
func parseRange(f *source.File, src []byte, from, lines int, opt Options) (*Tree, error) {
	p := newParser(f, src, from, lines, opt)
	if d := p.try(); d != nil {
		return nil, d
	}
	t := p.tree(opt)
	t.attachComments(from)
	return t, nil
}

func newParser(f *source.File, src []byte, from, lines int, opt Options) *parser {
	p := &parser{
		file:     f,
		src:      src,
		pos:      from,
		ls:       from,
		last:     from,
		lenient:  opt.Grammar == Lenient,
		maxDepth: opt.MaxDepth,
		maxNodes: opt.MaxNodes,
	}
	if p.maxDepth == 0 {
		p.maxDepth = DefaultMaxDepth
	}
	if p.maxNodes == 0 {
		p.maxNodes = DefaultMaxNodes
	}
	// A line of block YAML is two nodes. Memory that is reserved but never written costs nothing.
	p.nodes = make([]node, 0, min(2*lines+16, len(p.src)-from+16, manyNodes))
	p.props = make([]props, 1)
	return p
}

// try parses the whole text. It returns the error, or nil.
func (p *parser) try() (d *diag.Diagnostic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bailout:
			d = r.d
		default:
			panic(r)
		}
	}()
	p.stream()
	return nil
}

// tree returns the parsed tree. Its comments have no owners yet.
func (p *parser) tree(opt Options) *Tree {
	return &Tree{
		file: p.file, text: p.src, nodes: p.nodes, props: p.props,
		comments: p.comments, directives: p.directives, grammar: opt.Grammar, schema: opt.Schema,
		unique: opt.UniqueKeys, noteKeys: opt.NoteKeys, typed: opt.Typed, work: p.work,
	}
}

// bailout carries the first error up to Parse.
type bailout struct{ d *diag.Diagnostic }

type parser struct {
	file     *source.File
	src      []byte
	lenient  bool
	maxDepth int
	maxNodes int

	pos int // the next byte
	ls  int // where its line begins

	// Set by gap on its way to pos:
	broke bool // pos is the first content of its line
	// the column of pos; if tabs are before it, the number of spaces before them; -1 at the end
	// of a document
	col int
	tab int // offset of the first tab in the white space before pos on its line, or -1

	work  int // see Tree.work
	last  int // after the last token, where empty nodes are placed
	depth int

	nodes      []node
	props      []props
	comments   []Comment
	directives []directives

	// Of the current document:
	doc  NodeID
	tags *directives
	// name to index in anchored; a later anchor replaces an earlier one of the same name
	anchors  map[string]int
	anchored []NodeID
	aliases  []aliasUse
}

// withoutLoneReturns replaces each "\r" without a "\n" after it by "\n", so that the parser has to
// know only one line break. Offsets stay the same.
func withoutLoneReturns(src []byte) []byte {
	copied := false
	for i := 0; ; i++ {
		j := bytes.IndexByte(src[i:], '\r')
		if j < 0 {
			return src
		}
		i += j
		if i+1 == len(src) || src[i+1] != '\n' {
			if !copied {
				src, copied = bytes.Clone(src), true
			}
			src[i] = '\n'
		}
	}
}

// class of a byte, for the loops over text.
type class uint8

const (
	blank     class = 1 << iota // space and tab
	lineEnd                     // line feed, carriage return
	flowMark                    // , [ ] { }
	plainStop                   // a byte at which the scan of a plain scalar has to look closer
	indicator                   // cannot begin a plain scalar
	endMark                     // 0, which marks the end of the text
	odd                         // first byte of NEL, LS and PS, among others
)

var classes = func() (c [256]class) {
	set := func(s string, k class) {
		for i := range len(s) {
			c[s[i]] |= k
		}
	}
	set(" \t", blank)
	set("\n\r", lineEnd)
	set(",[]{}", flowMark)
	set(" \t\n\r:#,[]{}\x00", plainStop)
	set("-?:,[]{}#&*!|>'\"%@`", indicator)
	set("\x00", endMark)
	set("\xc2\xe2", odd)
	return c
}()

const white = blank | lineEnd | endMark // what may follow an indicator

// at returns the byte at offset i, or 0 after the end. The text contains no zero bytes: check rejects
// them.
func (p *parser) at(i int) byte {
	if i < len(p.src) {
		return p.src[i]
	}
	return 0
}

// is reports whether the byte at offset i is of one of the classes k.
func (p *parser) is(i int, k class) bool { return classes[p.at(i)]&k != 0 }

// spaced reports whether white space, or what ytt takes for a line break, is at offset i.
func (p *parser) spaced(i int) bool { return p.is(i, white) || p.oddBreaks(i) > 0 }

// gap skips white space, comments and line breaks up to the next content. In a document it stops at
// `---` or `...` as at the end of the text: col is then -1, left of every collection.
func (p *parser) gap() {
	src, i := p.src, p.pos
	p.broke, p.tab = i == p.ls, -1
	for {
		for i < len(src) && src[i] == ' ' {
			i++
		}
		if i == len(src) {
			p.work += i - p.pos
			p.pos, p.col, p.broke = i, -1, true
			return
		}
		switch src[i] {
		case '\t':
			if p.tab < 0 {
				p.tab = i
			}
			i++
		case '\n':
			i++
			p.ls, p.broke, p.tab = i, true, -1
		case '\r':
			i++ // "\n" follows
		case '#':
			if i > p.ls && classes[src[i-1]]&blank == 0 && !p.lenient {
				p.failComment(i)
			}
			i = p.comment(i, !p.broke)
		default:
			if classes[src[i]]&odd != 0 {
				if n := p.oddBreaks(i); n > 0 {
					i += n
					continue
				}
			}
			p.work += i - p.pos
			p.pos, p.col = i, i-p.ls
			if p.tab >= 0 {
				p.col = p.tab - p.ls
			} else if p.col == 0 && p.atMarker(i) {
				p.col = -1
			}
			return
		}
	}
}

// oddBreaks returns the length of the rest of the line at i if it consists only of NEL, LS, PS and
// blanks, and begins with one of the three; otherwise 0. YAML 1.1 reads them as line breaks, so
// this rest is blank for ytt. Elsewhere on a line they are text: editors and YAML 1.2 show one line
// there, and positions must match theirs.
func (p *parser) oddBreaks(start int) int {
	if !p.is(start, odd) || !p.lenient {
		return 0
	}
	i := start
	for ; !p.is(i, lineEnd|endMark); i++ {
		if n := unicodeBreak(p.src[i:]); n > 0 {
			i += n - 1
		} else if !p.is(i, blank) {
			return 0
		}
	}
	return i - start
}

// unicodeBreak returns the length of NEL, LS or PS at the beginning of text, or 0.
func unicodeBreak(text []byte) int {
	switch {
	case len(text) > 1 && text[0] == 0xC2 && text[1] == 0x85:
		return 2
	case len(text) > 2 && text[0] == 0xE2 && text[1] == 0x80 && text[2]&^1 == 0xA8:
		return 3
	}
	return 0
}

// beforeOdd returns the end of a plain scalar on a line that ends at end, without trailing NEL, LS
// and PS.
func (p *parser) beforeOdd(start, end int) int {
	for i := end; p.lenient && i > start && p.src[end-1] >= 0x80; end = i {
		if i = end - 2; i <= start || unicodeBreak(p.src[i:end]) == 0 {
			if i = end - 3; i <= start || unicodeBreak(p.src[i:end]) == 0 {
				return end
			}
		}
		for i > start && classes[p.src[i-1]]&blank != 0 {
			i--
		}
	}
	return end
}

// comment records the comment at i and returns the offset of its end.
func (p *parser) comment(i int, trailing bool) int {
	end := p.lineEnd(i)
	p.comments = append(
		p.comments,
		Comment{off: uint32(i), end: uint32(end), owner: NoOwner, trailing: trailing},
	)
	return end
}

// lineEnd returns the offset of the line break at or after i.
func (p *parser) lineEnd(i int) int {
	n := bytes.IndexByte(p.src[i:], '\n')
	if n < 0 {
		p.work += len(p.src) - i
		return len(p.src)
	}
	p.work += n
	if n > 0 && p.src[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// atMarker reports whether a document marker is at i, the beginning of a line.
func (p *parser) atMarker(i int) bool {
	if len(p.src)-i < 3 {
		return false
	}
	c := p.src[i]
	return (c == '-' || c == '.') && p.src[i+1] == c && p.src[i+2] == c && p.spaced(i+3)
}

// stream parses all documents.
func (p *parser) stream() {
	p.skipBOM()
	bare := true // a document without `---` may begin here
	for {
		p.startDocument()
		p.gap()
		dirs := p.takeDirectives()
		marker := p.col < 0 && p.pos < len(p.src)
		switch {
		case p.pos == len(p.src):
			if dirs >= 0 {
				p.fail(diag.Errorf(p.span(dirs, p.lineEnd(dirs)), CodeDirective,
					"a directive must be followed by a document").
					WithHint("add a `---` line after the directive"))
			}
			return
		case marker && p.src[p.pos] == '.':
			if dirs >= 0 {
				p.fail(diag.Errorf(p.span(p.pos, p.pos+3), CodeDirective,
					"expected `---` after the directives, found `...`").
					WithRelated(p.span(dirs, p.lineEnd(dirs)), "the directives begin here").
					WithHint("put a `---` line before the `...`, or remove the directives"))
			}
			p.documentEnd()
			bare = true
			continue
		case !marker && dirs >= 0:
			p.fail(diag.Errorf(p.here(), CodeDirective, "expected `---` after the directives").
				WithRelated(p.span(dirs, p.lineEnd(dirs)), "the directives begin here").
				WithHint("add a `---` line between the directives and the document"))
		case !marker && !bare:
			p.trailing()
		}
		bare = p.document(marker)
		p.skipBOM()
	}
}

// document parses one document. It reports whether it ended with `...`.
func (p *parser) document(marker bool) bool {
	p.doc = NodeID(len(p.nodes))
	if p.tags != nil {
		p.tags.doc = p.doc
		p.directives = append(p.directives, *p.tags)
	}
	doc := node{kind: Document, start: uint32(p.pos), off: uint32(p.pos)}
	inline := afterKey
	if marker {
		doc.flags |= explicit | item
		p.pos += 3
		p.last = p.pos
		p.nodes = append(p.nodes, doc)
		p.gap()
		if p.broke {
			inline = ownLine
		}
	} else {
		// Comments before a document without `---` do not belong to it, except in the first document.
		if p.doc == 0 {
			doc.start = 0
		}
		inline = ownLine
		p.nodes = append(p.nodes, doc)
	}
	if p.col < 0 {
		p.push(
			node{kind: Scalar, start: uint32(p.last), off: uint32(p.last), end: uint32(p.last)},
			propsAt{},
		)
	} else {
		p.blockNode(p.pos, -1, inline, false)
	}
	if p.col >= 0 {
		if p.lenient && p.pos == p.ls && bytes.HasPrefix(p.src[p.pos:], []byte("%TAG ")) {
			p.close(p.doc)
			return true
		}
		p.trailing()
	}
	p.close(p.doc)
	if p.pos < len(p.src) && p.src[p.pos] == '.' {
		p.nodes[p.doc].flags |= ended
		p.documentEnd()
		return true
	}
	return false
}

// documentEnd skips `...` and checks that only a comment follows it.
func (p *parser) documentEnd() {
	p.pos += 3
	p.last = p.pos
	i := p.pos
	for p.is(i, blank) {
		i++
	}
	if c := p.at(i); c != '#' && !p.is(i, white) {
		p.fail(
			diag.Errorf(p.span(i, p.textEnd(i)), CodeDocument,
				"nothing but a comment may follow `...` on its line").
				WithHint("put %s on the next line", shown(p.src[i:p.textEnd(i)])),
		)
	}
}

func (p *parser) skipBOM() {
	if bytes.HasPrefix(p.src[p.pos:], []byte("\ufeff")) {
		p.pos += 3
		p.ls = p.pos
	}
}

func (p *parser) startDocument() {
	p.tags = nil
	clear(p.anchors)
	p.anchored = p.anchored[:0]
	p.aliases = p.aliases[:0]
}

// takeDirectives parses the lines that begin with `%`. It returns the offset of the first, or -1.
func (p *parser) takeDirectives() int {
	first := -1
	for p.pos < len(p.src) && p.src[p.pos] == '%' && p.pos == p.ls {
		if first < 0 {
			first = p.pos
			p.tags = &directives{off: uint32(p.pos), handles: map[string]string{}}
		}
		p.directive()
		p.gap()
	}
	return first
}

func (p *parser) directive() {
	start, end := p.pos, p.lineEnd(p.pos)
	text := string(p.src[start:end])
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
		p.comment(start+i+1, true)
	} else if i := strings.Index(text, "\t#"); i >= 0 {
		text = text[:i]
		p.comment(start+i+1, true)
	}
	at := p.span(start, start+len(strings.TrimRight(text, " \t")))
	words := strings.Fields(text)
	switch words[0] {
	case "%YAML":
		if p.tags.version != "" {
			p.fail(diag.Errorf(at, CodeDirective, "a document can have only one %%YAML directive").
				WithHint("remove one of them"))
		}
		if len(words) != 2 {
			p.fail(diag.Errorf(at, CodeDirective,
				"expected one version after %%YAML, found %d words", len(words)-1).
				WithHint("write `%%YAML 1.2`"))
		}
		v := words[1]
		if i := strings.IndexByte(v, '#'); i >= 0 && p.lenient {
			v = v[:i]
		}
		if !isVersion(v) {
			p.fail(
				diag.Errorf(at, CodeDirective, "%s is not a version of YAML", shown([]byte(words[1]))).
					WithHint("write `%%YAML 1.2`"),
			)
		}
		if !strings.HasPrefix(v, "1.") {
			p.fail(
				diag.Errorf(at, CodeDirective, "YAML %s cannot be read, only YAML 1.x", excerpt(v)).
					WithHint("write `%%YAML 1.2`"),
			)
		}
		p.tags.version = v
	case "%TAG":
		if len(words) != 3 || !isHandle(words[1]) {
			p.fail(diag.Errorf(at, CodeDirective,
				"expected a handle such as `!name!` and a prefix after %%TAG").
				WithHint("write `%%TAG !name! tag:example.com,2026:`"))
		}
		if _, ok := p.tags.handles[words[1]]; ok {
			p.fail(
				diag.Errorf(at, CodeDirective, "the handle %s is declared twice", shown([]byte(words[1]))).
					WithHint("remove one of the two lines, or give the handles different names"),
			)
		}
		p.tags.handles[words[1]] = words[2]
	case "%":
		p.fail(diag.Errorf(at, CodeDirective, "expected the name of a directive after `%%`").
			WithHint("write `%%YAML 1.2` or `%%TAG !name! prefix`; a comment begins with `#`"))
	}
	p.pos = end
	p.last = end
	p.tags.end = uint32(end)
}

func isVersion(s string) bool {
	major, minor, ok := strings.Cut(s, ".")
	digits := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return ok && digits(major) && digits(minor)
}

func isHandle(s string) bool {
	if s == "!" || s == "!!" {
		return true
	}
	if len(s) < 3 || s[0] != '!' || s[len(s)-1] != '!' {
		return false
	}
	for _, c := range []byte(s[1 : len(s)-1]) {
		if !isTagWord(c) {
			return false
		}
	}
	return true
}

// isTagWord reports whether c is a word character of the YAML grammar, as in the handle of a tag.
func isTagWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-'
}

// push adds a node with its properties and returns its id. A scalar is complete; a collection is
// closed later.
func (p *parser) push(n node, pr propsAt) NodeID {
	id := NodeID(len(p.nodes))
	if n.kind >= Scalar {
		n.next = id + 1
	}
	if !pr.empty() {
		n.ref = p.addProps(pr, id)
	}
	if len(p.nodes) == cap(p.nodes) {
		p.growNodes()
	}
	p.nodes = append(p.nodes, n)
	return id
}

// growNodes makes room for as many nodes as the rest of the text needs at the current rate. Nearly
// all texts grow once.
func (p *parser) growNodes() {
	maxNodes := len(p.src) - p.pos + 16
	p.nodes = slices.Grow(
		p.nodes,
		min(
			maxNodes,
			max(
				len(p.nodes)/4,
				int(float64(len(p.nodes))*1.02*float64(len(p.src))/float64(p.pos+1))-len(p.nodes),
			),
		),
	)
}

// close ends a collection or document: all nodes added since it was opened are its content.
func (p *parser) close(id NodeID) {
	nd := &p.nodes[id]
	nd.next = NodeID(len(p.nodes))
	nd.end = max(nd.off, uint32(p.last))
}

// enter counts the depth. Recursive functions must limit it, because a stack overflow cannot be
// caught.
func (p *parser) enter(at int) {
	if p.depth++; p.depth > p.maxDepth {
		p.fail(
			diag.Errorf(p.span(at, at+1), CodeLimit,
				"collections are nested more than %d levels deep", p.maxDepth).
				WithHint("if the file is trusted, raise the limit with --max-depth"),
		)
	}
}

// insertMapping inserts the node of a mapping before node id, because the value that was parsed
// turned out to be its first key. That happens only with flow collections on one line of at most
// maxKey bytes, so the cost is bounded.
func (p *parser) insertMapping(id NodeID, m node) {
	p.nodes = slices.Insert(p.nodes, int(id), m)
	p.work += len(p.nodes) - int(id)
	for i := int(id) + 1; i < len(p.nodes); i++ {
		nd := &p.nodes[i]
		if nd.next != 0 {
			nd.next++
		}
		if nd.kind == Alias && nd.ref >= uint32(id) {
			nd.ref++
		}
	}
	for i := len(p.anchored) - 1; i >= 0 && p.anchored[i] >= id; i-- {
		p.anchored[i]++
	}
	for i := len(p.aliases) - 1; i >= 0 && p.aliases[i].node >= id; i-- {
		p.aliases[i].node++
	}
}

// maxKey is the maximum length of a key without `?` in the YAML specification.
const maxKey = 1024

// aliasUse records how much one alias adds to the size of its document.
type aliasUse struct {
	node  NodeID
	total uint64 // nodes added by this alias and those before it
}

// expand counts the nodes that the alias at node id, which refers to target, adds to the document
// when it is expanded, and rejects the document if that is too much. The size of a target is already
// known: its nodes, plus what the aliases in it add. So ten lines that expand to billions of nodes
// are found without expanding them.
func (p *parser) expand(id, target NodeID) {
	before := func(n NodeID) uint64 { // added by aliases before node n
		i, _ := slices.BinarySearchFunc(
			p.aliases,
			n,
			func(a aliasUse, n NodeID) int { return int(a.node) - int(n) },
		)
		if i == 0 {
			return 0
		}
		return p.aliases[i-1].total
	}
	end := p.nodes[target].next
	size := uint64(end-target) + before(end) - before(target)
	total := before(id) + size
	if total > math.MaxUint32*uint64(1024) {
		total = math.MaxUint32 * 1024
	}
	p.aliases = append(p.aliases, aliasUse{id, total})
	if total+uint64(len(p.nodes))-uint64(p.doc) > uint64(p.maxNodes) {
		pr := p.props[p.nodes[target].ref]
		al := p.nodes[id]
		p.fail(
			diag.Errorf(p.span(int(al.off), int(al.end)), CodeLimit,
				"with its aliases expanded, the document has more than %d nodes", p.maxNodes).
				WithRelated(p.span(int(pr.anchor)-1, int(pr.anchorEnd)),
					"the anchor that this alias repeats holds %d nodes", size).
				WithHint("if the file is trusted, raise the limit with --max-nodes"),
		)
	}
}
