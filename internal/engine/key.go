package engine

import (
	"fmt"
	"reflect"
	"strconv"
	"sync/atomic"

	"weft/internal/engine/load"
	"weft/internal/engine/values"
)

// Key returns everything in the configuration that defines a session, as text. Configurations with
// the same key can share a session, and the results that one run keeps for the next. The number of
// workers does not matter. A test compares the key with the fields of Config.
func (c *Config) Key() string {
	k := keyWriter{content: true}
	k.config(c)
	return string(k.text)
}

// QuickKey is like Key for configurations that exist at the same time. Data in memory is compared
// by address: thousands of environments share the same project files, and reading them that often
// would be slow.
func (c *Config) QuickKey() string {
	var k keyWriter
	k.config(c)
	return string(k.text)
}

// keyWriter writes a key. Texts are prefixed by their length, so that no two keys collide.
type keyWriter struct {
	text    []byte
	content bool // data is compared by content
}

func (k *keyWriter) config(c *Config) {
	k.load(&c.Load)
	compiling := c.Compile
	compiling.YAML.Workers = 0
	k.plain(compiling)
	k.values(&c.Values)
	k.memory(c.Project)
	k.lists(c.Variables, c.AllowedVariables, c.Without)
	limits := &c.Eval
	k.plain([]uint64{limits.MaxSteps, uint64(limits.MaxNodes)})
	k.flags(limits.Overrides, limits.Literals)
	if c.Shortcuts != nil {
		k.plain(*c.Shortcuts)
	}
	k.plain(len(c.Generators))
	for _, g := range c.Generators {
		k.lists([]string{g.Kind, g.Name, g.Key})
		k.plain(g.At)
		k.plain(g.Values)
	}
	k.plain(len(c.Overrides))
	for _, x := range c.Overrides {
		k.string(x.Text)
		k.flags(x.File)
		k.string(x.Select)
	}
	k.flags(c.ByName, c.TypedTexts, c.LateChecks, c.NoValidation, c.WarnUnused, c.Once, c.Again, c.Origins)
	k.plain([]uint8{uint8(c.Warnings), uint8(c.Keep)})
	for _, p := range c.Secret {
		k.plain(p)
	}
	k.identity(c.Cover)
	k.identity(c.Timings)
	k.identity(c.Debug)
}

func (k *keyWriter) load(o *load.Options) {
	k.memory(o.Memory)
	k.lists(o.Paths, o.Exclude, o.Marks, o.Symlinks.Allowed, o.Untrusted, o.Allowed)
	k.plain(len(o.Libraries))
	for _, l := range o.Libraries {
		k.lists([]string{l.Name, l.Dir, l.Problem, l.Hint})
	}
	k.flags(o.Symlinks.All)
	k.identity(o.Stdin)
	if k.string(o.Revision); o.Revision == "" {
		k.identity(o.FS)
	}
	k.flags(o.FS != nil)
	if o.Rewrite != nil || o.Fetch != nil {
		k.unique() // functions cannot be compared
	}
}

func (k *keyWriter) values(v *values.Flags) {
	k.lists(v.Files, v.Env, v.EnvYAML, v.KV, v.KVYAML, v.KVFile, v.JSONSchemas)
	k.memory(v.Texts)
	k.flags(v.Project != nil)
	if v.Project != nil {
		k.plain(*v.Project)
	}
}

func (k *keyWriter) string(s string) {
	k.text = append(strconv.AppendInt(k.text, int64(len(s)), 10), ':')
	k.text = append(k.text, s...)
}

func (k *keyWriter) lists(lists ...[]string) {
	for _, list := range lists {
		k.text = append(strconv.AppendInt(k.text, int64(len(list)), 10), ' ')
		for _, s := range list {
			k.string(s)
		}
	}
}

func (k *keyWriter) flags(flags ...bool) {
	for _, on := range flags {
		k.text = strconv.AppendBool(k.text, on)
	}
}

// memory writes files in memory.
func (k *keyWriter) memory(files []load.Memory) {
	k.text = append(strconv.AppendInt(k.text, int64(len(files)), 10), ' ')
	for _, f := range files {
		k.string(f.Path)
		k.flags(f.Plain)
		k.text = append(strconv.AppendInt(k.text, int64(len(f.Data)), 10), ':')
		switch {
		case k.content:
			k.text = append(k.text, f.Data...)
		case len(f.Data) > 0:
			k.identity(&f.Data[0])
		}
	}
}

// plain writes a value without pointers.
func (k *keyWriter) plain(v any) { k.text = fmt.Appendf(k.text, "%#v ", v) }

// identity writes the address of v. The session keeps the configuration, and with it v, alive:
// nothing else can get the same address.
func (k *keyWriter) identity(v any) {
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Invalid:
		k.text = append(k.text, "nil "...)
	case reflect.Pointer, reflect.Map:
		k.text = fmt.Appendf(k.text, "%T %x ", v, x.Pointer())
	default:
		k.unique()
	}
}

// keys numbers values that equal nothing else.
var keys atomic.Uint64

func (k *keyWriter) unique() { k.text = fmt.Appendf(k.text, "#%d ", keys.Add(1)) }
