package override

import "weft/internal/tree"

// rule says how the value at one place is merged with what an override has for it. Rules are data: a profile is a table of them, and one engine
// follows the table. The zero rule is that of any YAML: mappings are merged deeply, lists of mappings by name, everything else is replaced.
type rule struct {
	// Of mappings.
	fields   map[string]*rule // how their values are merged, by key
	others   *rule            // those of other keys; nil is the zero rule
	whole    bool             // the override's mapping takes the place of the base's
	inherits []string         // keys that a mapping which takes another's place keeps from it, unless it says otherwise
	own      []string         // keys that only the override can give: the base's do not outlive it
	noFalse  bool             // keys of the base whose value counts as false do not outlive an override
	nulls    bool             // a null in a new mapping stays: that it was said counts later

	// Of lists.
	list  listMode
	key   string // the key by which a list's entries are told apart
	entry *rule  // how entries with the same key are merged; nil is the zero rule

	// nameOf is what an entry without the key is known by; nil if it is not known then.
	nameOf func(tree.Value) (tree.Value, bool)

	// Of any value.
	keepIfFalse bool // an override that counts as false ("", 0, [], {}) changes nothing
	data        bool // what the override says is data: a null inside of it is a value
}

// genericRule is that of any YAML. Exceptions are looked up by path: see Rules.
var genericRule = &rule{}

// listMode is how two lists are merged.
type listMode uint8

const (
	byKey       listMode = iota // entries with the same key are merged, others added; replaced if an entry has no key
	replaceList                 // the override's takes the place of the base's
	appendList                  // the override's behind the base's
	unionList                   // what the base does not have yet is added behind it
	unionMoving                 // what only the base has, then the override's as it stands
	alwaysKeyed                 // as byKey, for lists whose entries are known to have the key
)

// field is the rule for the value of a key.
func (r *rule) field(key string) *rule {
	if f := r.fields[key]; f != nil {
		return f
	}
	if r.others != nil {
		return r.others
	}
	return genericRule
}

func (r *rule) forEntry() *rule {
	if r.entry != nil {
		return r.entry
	}
	return genericRule
}
