package override

import "weft/internal/lang/tree"

// Rule says how the value at one place is merged with what an override has for it. Rules are data:
// a dialect is a table of them, and one engine follows the table. The zero rule is that of any
// YAML: mappings are merged deeply, lists of mappings by name, everything else is replaced.
type Rule struct {
	// Of mappings.
	Fields  map[string]*Rule // how their values are merged, by key
	Others  *Rule            // those of other keys; nil is the zero rule
	Whole   bool             // the override's mapping takes the place of the base's
	Own     []string         // keys that only the override can give: the base's are dropped
	NoFalse bool             // keys of the base whose value counts as false are dropped
	Nulls   bool             // a null in a new mapping stays: that it was said counts later

	// Keys that a mapping which takes another's place keeps from it, unless it has a value for them
	// itself; of the second list, unless it says null.
	Inherits, InheritsUnlessNull []string

	// Of lists.
	List  ListMode
	Key   string // the key by which a list's entries are told apart
	Entry *Rule  // how entries with the same key are merged; nil is the zero rule

	// NameOf is what an entry without the key is known by; nil if it is not known then.
	NameOf func(tree.Value) (tree.Value, bool)

	// Of any value.
	KeepIfFalse bool // an override that counts as false ("", 0, [], {}) changes nothing
	Data        bool // what the override says is data: a null inside it is a value
}

// genericRule is that of any YAML. Exceptions are looked up by path: see Rules.
var genericRule = &Rule{}

// ListMode is how two lists are merged.
type ListMode uint8

// The ways to merge lists.
const (
	// entries with the same key are merged, others added; replaced if an entry has no key
	ByKey       ListMode = iota
	ReplaceList          // the override's takes the place of the base's
	AppendList           // the override's after the base's
	UnionList            // what the base does not have yet is added after it
	UnionMoving          // what only the base has, then the override's as it is
	AlwaysKeyed          // as ByKey, for lists whose entries are known to have the key
)

// field returns the rule for the value of a key.
func (r *Rule) field(key string) *Rule {
	if f := r.Fields[key]; f != nil {
		return f
	}
	if r.Others != nil {
		return r.Others
	}
	return genericRule
}

func (r *Rule) forEntry() *Rule {
	if r.Entry != nil {
		return r.Entry
	}
	return genericRule
}
