package cekit

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// CEKit's schema of descriptors as data: the keys of each node, their types, and which are
// required.

// valueType is a type of CEKit's schema.
type valueType uint8

const (
	anyValue valueType = iota
	strType
	textType // a string or a number
	intType
	boolType
	seqType  // of anything
	strsType // a list of strings
	mapType
	sumType // a checksum: a string or, unlike in CEKit, unquoted digits
)

func (t valueType) String() string {
	return [...]string{
		anyValue: "any", strType: "str", textType: "text", intType: "int",
		boolType: "bool", seqType: "seq", strsType: "seq", mapType: "map", sumType: "str",
	}[t]
}

// field is the schema of a key.
type field struct {
	typ      valueType
	required bool
	enum     []string
	inner    *node // of a mapType
}

// node is the schema of a mapping.
type node struct {
	name string // as in CEKit's messages
	open bool   // unknown keys are allowed
	make func() keys

	once sync.Once
	keys keys
}

// keys is the schema of the keys of a mapping.
type keys map[string]field

// fields returns the keys of the node. They are built on first use, since most runs do not use
// CEKit.
func (n *node) fields() keys {
	n.once.Do(func() { n.keys = n.make() })
	return n.keys
}

func fields(list ...keys) keys {
	all := keys{}
	for _, m := range list {
		for k, f := range m {
			all[k] = f
		}
	}
	return all
}

// optionalKeys returns optional keys of one type.
func optionalKeys(typ valueType, names ...string) keys {
	m := keys{}
	for _, k := range names {
		m[k] = field{typ: typ}
	}
	return m
}

// requiredKeys returns required keys of one type.
func requiredKeys(typ valueType, names ...string) keys {
	m := optionalKeys(typ, names...)
	for k, f := range m {
		f.required = true
		m[k] = f
	}
	return m
}

var (
	checksums       = []string{"md5", "sha1", "sha256", "sha512"}
	sourceChecksums = []string{"source-md5", "source-sha1", "source-sha256"}

	topFields = func() keys {
		return fields(
			optionalKeys(intType, "schema_version"),
			optionalKeys(textType, "release", "description"),
			optionalKeys(strType, "from", "follow_tag"),
			optionalKeys(
				anyValue,
				"args",
				"labels",
				"envs",
				"ports",
				"run",
				"artifacts",
				"modules",
				"packages",
				"osbs",
				"volumes",
			),
			keys{
				"help": {
					typ: mapType,
					inner: &node{
						make: func() keys {
							return fields(optionalKeys(boolType, "add"),
								optionalKeys(textType, "template"))
						},
					},
				},
			},
		)
	}

	imageNode = &node{
		name: "Image",
		make: func() keys {
			return fields(topFields(), requiredKeys(strType, "name"),
				requiredKeys(textType, "version"))
		},
	}
	overrideNode = &node{
		name: "Overrides",
		make: func() keys {
			return fields(topFields(), optionalKeys(strType, "name"), optionalKeys(textType, "version"))
		},
	}

	labelNode = &node{
		name: "Label",
		make: func() keys {
			return fields(requiredKeys(strType, "name", "value"), optionalKeys(strType, "description"))
		},
	}
	argNode = &node{
		name: "Arg",
		make: func() keys {
			return fields(requiredKeys(strType, "name"),
				optionalKeys(strType, "value", "example", "description"))
		},
	}
	envNode = &node{name: "Env", make: func() keys {
		return fields(
			requiredKeys(strType, "name"),
			optionalKeys(anyValue, "value", "example"),
			optionalKeys(strType, "description"),
		)
	}, open: true}
	portNode = &node{name: "Port", make: func() keys {
		return fields(
			requiredKeys(intType, "value"),
			optionalKeys(strType, "protocol", "service", "description"),
			optionalKeys(boolType, "expose"),
		)
	}}
	volumeNode = &node{
		name: "Volume",
		make: func() keys { return fields(requiredKeys(strType, "path"), optionalKeys(strType, "name")) },
	}
	runNode = &node{name: "Run", make: func() keys {
		return fields(
			optionalKeys(strType, "workdir"),
			optionalKeys(textType, "user"),
			optionalKeys(strsType, "cmd", "entrypoint"),
		)
	}}

	modulesNode = &node{
		name: "Modules",
		make: func() keys { return optionalKeys(seqType, "repositories", "install") },
	}
	installNode = &node{
		name: "Install",
		make: func() keys { return fields(requiredKeys(strType, "name"), optionalKeys(strType, "version")) },
	}

	packagesNode = &node{name: "Packages", make: func() keys {
		return fields(
			optionalKeys(anyValue, "content_sets"),
			optionalKeys(strType, "content_sets_file", "manager_flags"),
			optionalKeys(seqType, "repositories", "remove", "install", "reinstall"),
			keys{
				"manager": {
					typ:  strType,
					enum: []string{"yum", "dnf", "microdnf", "apk", "apt-get"},
				},
			},
		)
	}}
	repositoryNode = &node{name: "Repository", make: func() keys {
		return fields(
			requiredKeys(strType, "name"),
			optionalKeys(strType, "id", "rpm", "description"),
			keys{
				"url": {
					typ:   mapType,
					inner: &node{make: func() keys { return optionalKeys(strType, "repository") }},
				},
			},
		)
	}}

	osbsNode = &node{name: "Osbs", make: func() keys {
		return fields(
			optionalKeys(anyValue, "repository", "configuration"),
			optionalKeys(strType, "koji_target", "extra_dir", "extra_dir_target"),
		)
	}}
	osbsRepository = &node{
		name: "Repository",
		make: func() keys { return optionalKeys(strType, "name", "branch") },
	}
	osbsConfiguration = &node{name: "Configuration", make: func() keys {
		return fields(optionalKeys(anyValue, "container"),
			optionalKeys(strType, "container_file", "gating_file"))
	}}

	resourceFields = func() keys { return optionalKeys(strType, "name", "target", "description") }
	pathNode       = &node{name: "_PathResource", make: func() keys {
		return fields(
			resourceFields(),
			optionalKeys(strType, "dest"),
			optionalKeys(sumType, checksums...),
			requiredKeys(strType, "path"),
		)
	}}
	urlNode = &node{name: "_UrlResource", make: func() keys {
		return fields(
			resourceFields(),
			optionalKeys(strType, "dest", "source-url"),
			optionalKeys(sumType, checksums...),
			optionalKeys(sumType, sourceChecksums...),
			requiredKeys(strType, "url"),
		)
	}}
	gitNode = &node{name: "_GitResource", make: func() keys {
		return fields(
			resourceFields(),
			keys{
				"git": {
					typ:      mapType,
					required: true,
					inner:    &node{make: func() keys { return requiredKeys(strType, "url", "ref") }},
				},
			},
		)
	}}
	plainNode = &node{name: "_PlainResource", make: func() keys {
		return fields(
			resourceFields(),
			optionalKeys(strType, "dest", "source-url"),
			optionalKeys(sumType, checksums...),
			optionalKeys(sumType, sourceChecksums...),
			requiredKeys(strType, "name"),
		)
	}}
	contentNode = &node{
		name: "_ImageContentResource",
		make: func() keys {
			return fields(resourceFields(), optionalKeys(strType, "dest"),
				requiredKeys(strType, "image", "path"))
		},
	}
	pncNode = &node{name: "_PncResource", make: func() keys {
		return fields(
			resourceFields(),
			optionalKeys(strType, "dest", "url"),
			requiredKeys(strType, "pnc_build_id", "pnc_artifact_id"),
		)
	}}
)

// resourceKinds are the keys that determine the kind of an artifact or a repository of modules. The
// first one present decides.
var resourceKinds = []struct {
	key  string
	node *node
}{
	{"image", contentNode},
	{"path", pathNode},
	{"pnc_build_id", pncNode},
	{"url", urlNode},
	{"git", gitNode},
	{"sha512", plainNode},
	{"sha256", plainNode},
	{"sha1", plainNode},
	{"md5", plainNode},
}

// resourceKind returns the kind of a resource, or nil if no key determines it.
func resourceKind(v tree.Value) *node {
	for _, k := range resourceKinds {
		if _, ok := v.Lookup(k.key); ok {
			return k.node
		}
	}
	return nil
}

// checker checks descriptors against the schema.
type checker struct {
	problems diag.List
	path     override.Path
}

// fail records a schema violation in CEKit's words, since people search for them.
func (c *checker) fail(n *node, at source.Span, format string, args ...any) {
	d := diag.Errorf(
		at,
		CodeSchema,
		"Cannot validate schema: %s: %s",
		n.name,
		fmt.Sprintf(format, args...),
	)
	d.Path = c.path.String()
	c.problems = append(c.problems, d)
}

// refuse records another reason to reject a descriptor.
func (c *checker) refuse(at source.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(at, CodeSchema, format, args...)
	d.Path = c.path.String()
	c.problems = append(c.problems, d)
	return d
}

// descriptor checks an image or an override.
func (c *checker) descriptor(n *node, v tree.Value, pos source.Pos) {
	if !c.node(n, v, pos) {
		return
	}
	c.section(v, "labels", labelNode)
	c.section(v, "args", argNode)
	c.section(v, "envs", envNode)
	c.section(v, "ports", portNode)
	c.single(v, "run", runNode)
	c.resources(v, "artifacts")
	if modules, ok := c.single(v, "modules", modulesNode); ok {
		c.path = append(c.path, override.Key("modules"))
		c.section(modules, "install", installNode)
		c.resources(modules, "repositories")
		c.path = c.path[:len(c.path)-1]
	}
	if packages, ok := c.single(v, "packages", packagesNode); ok {
		c.path = append(c.path, override.Key("packages"))
		c.packages(packages)
		c.path = c.path[:len(c.path)-1]
	}
	if osbs, ok := c.single(v, "osbs", osbsNode); ok {
		c.path = append(c.path, override.Key("osbs"))
		c.single(osbs, "repository", osbsRepository)
		if conf, ok := c.single(osbs, "configuration", osbsConfiguration); ok &&
			has(conf, "container") &&
			has(conf, "container_file") {
			c.refuse(
				override.KeySpan(conf, "container_file"),
				"You cannot specify container and container_file together!",
			)
		}
		c.path = c.path[:len(c.path)-1]
	}
	c.section(v, "volumes", volumeNode)
}

// node checks a mapping, and reports whether v is one.
func (c *checker) node(n *node, v tree.Value, pos source.Pos) bool {
	if v.Kind() != tree.MapKind {
		c.fail(n, valueSpan(v, pos), "Value '%s' is not a dict. Value path: ''", pyRepr(v, true))
		if section := bareSection(n, v); section != "" {
			c.problems[len(c.problems)-1].WithHint("put the list under the name of its "+
				"section, as in {%s}", section)
		}
		return false
	}
	c.fields(n, n, v, pos, "")
	return true
}

// bareSection returns the section that was probably meant if an override is a list, or "".
func bareSection(n *node, v tree.Value) string {
	if n != overrideNode || v.Kind() != tree.ArrayKind {
		return ""
	}
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		switch {
		case it.Value.Kind() == tree.ScalarKind:
			return "packages: {install: [...]}"
		case it.Value.Kind() != tree.MapKind:
			return ""
		case resourceKind(it.Value) != nil:
			return "artifacts: [...]"
		case has(it.Value, "name") && has(it.Value, "version"):
			return "modules: {install: [...]}"
		case has(it.Value, "name") && has(it.Value, "value"):
			return "envs: [...]"
		case has(it.Value, "value"):
			return "ports: [...]"
		}
	}
	return "artifacts: [...]"
}

// fields checks the keys of a mapping, which is n or is inside n at the path where.
func (c *checker) fields(n, inner *node, v tree.Value, pos source.Pos, where string) {
	var r tree.Reader
	seen := map[string]bool{}
	for _, it := range r.Items(nil, v) {
		key := override.KeyText(it.Key)
		if override.IsDirective(it.Key) {
			continue
		}
		seen[key] = true
		f, ok := inner.fields()[key]
		if !ok {
			if !inner.open {
				d := len(c.problems)
				c.fail(n, override.ItemSpan(it), "Key '%s' was not defined. Path: '%s'", key, where)
				c.problems[d].Hint = unknownHint(inner, it)
			}
			continue
		}
		c.path = append(c.path, override.Key(key))
		c.field(n, f, it, where+"/"+key)
		c.path = c.path[:len(c.path)-1]
	}
	for _, key := range keysOf(inner.fields()) {
		if inner.fields()[key].required && !seen[key] {
			c.fail(n, valueSpan(v, pos), "Cannot find required key '%s'. Path: '%s'", key, where)
		}
	}
}

// unknownHint returns a suggestion for a key that a node does not have.
func unknownHint(n *node, it tree.Item) string {
	key := override.KeyText(it.Key)
	if hint, ok := override.DirectiveHint(it); ok {
		return hint
	}
	if near := diag.Nearest(key, keysOf(n.fields())); near != "" {
		return "did you mean " + near + "?"
	}
	if first, rest, ok := strings.Cut(key, "."); ok && rest != "" {
		if _, ok := n.fields()[first]; ok {
			return "nest the mappings, as in " + override.Nested(key, ".")
		}
	}
	return ""
}

// field checks the value of a key.
func (c *checker) field(n *node, f field, it tree.Item, where string) {
	v := it.Value
	at := override.ItemSpan(it)
	if v.Kind() == tree.ScalarKind && isPyNull(v) {
		switch {
		case f.required:
			c.fail(n, at, "required.novalue : '%s'", where)
			c.problems[len(c.problems)-1].WithHint("a required key cannot be removed")
		case f.typ == mapType:
			c.fail(n, at, "Value 'None' is not a dict. Value path: '%s'", where)
		}
		return
	}
	switch f.typ {
	case anyValue:
	case mapType:
		if v.Kind() != tree.MapKind {
			c.fail(n, at, "Value '%s' is not a dict. Value path: '%s'", pyRepr(v, true), where)
			return
		}
		c.fields(n, f.inner, v, it.Pos, where)
	case seqType, strsType:
		if v.Kind() != tree.ArrayKind {
			c.fail(n, at, "Value '%s' is not a list. Value path: '%s'", pyBytes(v), where)
			return
		}
		if f.typ == strsType {
			var r tree.Reader
			for i, item := range r.Items(nil, v) {
				if !fits(strType, item.Value) &&
					!(item.Value.Kind() == tree.ScalarKind && isPyNull(item.Value)) {
					c.fail(
						n,
						override.ItemSpan(item),
						"Value '%s' is not of type 'str'. Path: '%s/%d'",
						pyRepr(item.Value, true),
						where,
						i,
					)
				}
			}
		}
	default:
		if !fits(f.typ, v) {
			c.fail(
				n,
				at,
				"Value '%s' is not of type '%s'. Path: '%s'",
				pyRepr(v, true),
				f.typ,
				where,
			)
			return
		}
		if f.enum != nil && !slices.Contains(f.enum, v.Written()) {
			c.fail(
				n,
				at,
				"Enum '%s' does not exist. Path: '%s' Enum: ['%s']",
				v.Written(),
				where,
				strings.Join(f.enum, "', '"),
			)
		}
	}
}

// fits reports whether a value is of a scalar type.
func fits(t valueType, v tree.Value) bool {
	if v.Kind() != tree.ScalarKind {
		return false
	}
	switch kind, _, _ := pyResolve(v); t {
	case strType:
		return kind == pyStr
	case textType, sumType:
		return kind == pyStr || kind == pyInt || kind == pyFloat
	case intType:
		return kind == pyInt
	case boolType:
		return kind == pyBool
	}
	return true
}

func isPyNull(v tree.Value) bool {
	kind, _, _ := pyResolve(v)
	return kind == pyNull
}

// pyBytes returns a value as CEKit shows it where it expects a list: a string as bytes.
func pyBytes(v tree.Value) string {
	if v.Kind() == tree.ScalarKind {
		if kind, _, text := pyResolve(v); kind == pyStr {
			return "b'" + string(text) + "'"
		}
	}
	return pyRepr(v, true)
}

// section checks the entries of a list.
func (c *checker) section(v tree.Value, key string, n *node) {
	c.entries(v, key, n, func(it tree.Item) {
		if override.Removes(it.Value) {
			c.removed(n, it, identityOf(n))
			return
		}
		c.node(n, it.Value, it.Pos)
	})
}

// removed checks an entry that only names what to remove.
func (c *checker) removed(n *node, it tree.Item, key string) {
	if k, ok := it.Value.Lookup(key); !ok || k.Kind() != tree.ScalarKind || isPyNull(k) {
		c.fail(n, override.ItemSpan(it), "Cannot find required key '%s'. Path: ''", key)
	}
}

func identityOf(n *node) string {
	if n == portNode {
		return "value"
	}
	return "name"
}

// entries calls check for each entry of a list section. CEKit iterates over any value: an empty
// mapping or string is an empty list, and the keys or characters of others count as entries.
func (c *checker) entries(v tree.Value, key string, n *node, check func(tree.Item)) {
	list, ok := v.Lookup(key)
	if !ok || list.Kind() == tree.ScalarKind && isPyNull(list) {
		return
	}
	c.path = append(c.path, override.Key(key))
	defer func() { c.path = c.path[:len(c.path)-1] }()
	at := override.KeySpan(v, key)
	switch list.Kind() {
	case tree.MapKind:
		var r tree.Reader
		for _, it := range r.Items(nil, list) {
			c.fail(
				n,
				override.ItemSpan(it),
				"Value '%s' is not a dict. Value path: ''",
				override.KeyText(it.Key),
			)
			c.problems[len(c.problems)-1].WithHint(
				"%s is a list: begin each entry with a dash",
				key,
			)
			return
		}
	case tree.ScalarKind:
		kind, _, text := pyResolve(list)
		switch {
		case kind == pyStr && len(text) > 0:
			first, _ := utf8.DecodeRune(text)
			c.fail(n, at, "Value '%s' is not a dict. Value path: ''", string(first))
			c.problems[len(c.problems)-1].WithHint(
				"%s is a list: begin each entry with a dash",
				key,
			)
		case kind != pyStr:
			c.fail(n, at, "Value '%s' is not a list. Value path: ''", pyRepr(list, true))
		}
	default:
		var r tree.Reader
		for i, it := range r.Items(nil, list) {
			c.path = append(c.path, override.Index(i))
			if it.Value.Kind() == tree.MapKind {
				check(it)
			} else {
				c.fail(n, override.ItemSpan(it), "Value '%s' is not a dict. Value path: ''",
					pyRepr(it.Value, true))
			}
			c.path = c.path[:len(c.path)-1]
		}
	}
}

// single checks a section that is one mapping, and returns it.
func (c *checker) single(v tree.Value, key string, n *node) (tree.Value, bool) {
	s, ok := v.Lookup(key)
	if !ok || s.Kind() == tree.ScalarKind && isPyNull(s) {
		return s, false
	}
	c.path = append(c.path, override.Key(key))
	defer func() { c.path = c.path[:len(c.path)-1] }()
	return s, c.node(n, s, override.KeySpan(v, key).Pos)
}

// resources checks artifacts, or repositories of modules.
func (c *checker) resources(v tree.Value, key string) {
	c.entries(v, key, plainNode, func(it tree.Item) {
		if override.Removes(it.Value) {
			c.removed(plainNode, it, "name")
			return
		}
		c.resource(it)
	})
}

func (c *checker) resource(it tree.Item) {
	n := resourceKind(it.Value)
	if n == nil {
		c.refuse(override.ItemSpan(it),
			"Unable to determine whether a URL/Git/Plain or PNC resource so '%s' is not supported",
			pyRepr(it.Value, true)).
			WithHint("add where the artifact comes from, even in an override: path, url, git, " +
				"image, pnc_build_id, or a checksum")
		return
	}
	before := len(c.problems)
	c.node(n, it.Value, it.Pos)
	if len(c.problems) > before || n == plainNode || !isEmptyText(it.Value, "name") {
		return
	}
	if name, ok := generatedName(it.Value); !ok || name.Written() == "" {
		d := c.refuse(override.ItemSpan(it),
			"no value found for 'name' in '%s' artifact; unable to generate default value",
			pyRepr(it.Value, true)).
			WithHint("give it a name")
		if n == pncNode {
			d.WithHint("give it a name or a target")
		}
	}
}

// packages checks the content of a packages section.
func (c *checker) packages(v tree.Value) {
	if has(v, "content_sets") && has(v, "content_sets_file") {
		c.refuse(
			override.KeySpan(v, "content_sets_file"),
			"You cannot specify 'content_sets' and 'content_sets_file' together in the packages section!",
		)
	}
	c.entries(v, "repositories", repositoryNode, func(it tree.Item) {
		if override.Removes(it.Value) {
			c.removed(repositoryNode, it, "name")
			return
		}
		before := len(c.problems)
		c.node(repositoryNode, it.Value, it.Pos)
		kinds := 0
		for _, k := range repositoryKinds {
			if has(it.Value, k) {
				kinds++
			}
		}
		if len(c.problems) == before && (kinds == 0 || kinds == 2) { // CEKit accepts all three
			name, _ := it.Value.Lookup("name")
			c.refuse(
				override.ItemSpan(it),
				"Repository '%s' is invalid, you can use only one of ['id', 'rpm', 'url']",
				name.Written(),
			)
		}
	})
}

var repositoryKinds = []string{"id", "rpm", "url"}

func has(v tree.Value, key string) bool {
	_, ok := v.Lookup(key)
	return ok
}

// isEmptyText reports whether v lacks the key, or its value is null.
func isEmptyText(v tree.Value, key string) bool {
	x, ok := v.Lookup(key)
	return !ok || x.Kind() == tree.ScalarKind && isPyNull(x)
}

// valueSpan returns the span of a value, or of the item that contains it.
func valueSpan(v tree.Value, pos source.Pos) source.Span {
	if t, n, ok := v.Syntax(); ok && t.Kind(n) == yaml.Scalar {
		return t.Span(n)
	}
	if !pos.IsValid() {
		pos = v.Start()
	}
	return pos.To(pos.Offset() + 1)
}

func keysOf(m map[string]field) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
