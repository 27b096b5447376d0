package override

import "weft/internal/lang/tree"

// Rule says how the value at one place is merged with that of an override. Rules are data: a
// dialect is a table of them, and one engine follows it. The zero rule is for any YAML: mappings
// are merged deeply, lists of mappings by name, and everything else is replaced.
type Rule struct {
	// For mappings.
	Fields       map[string]*Rule // how their values are merged, by key
	Others       *Rule            // for other keys; nil is the zero rule
	Whole        bool             // the override's mapping replaces the base's
	OverrideOnly []string         // keys that only the override can set: the base's are dropped
	NoFalse      bool             // keys of the base whose value counts as false are dropped
	Nulls        bool             // nulls in a new mapping stay: they matter later

	// The keys that a mapping keeps from the one that it replaces: keys in Inherits unless it has a
	// value for them, and keys in InheritsUnlessNull unless it has a value or a null.
	Inherits, InheritsUnlessNull []string

	// For lists.
	List  ListMode
	Key   string // the key that identifies entries of a list
	Entry *Rule  // how entries with the same key are merged; nil is the zero rule

	// NameOf returns the identity of an entry without the key; nil means that it has none.
	NameOf func(tree.Value) (tree.Value, bool)

	// For any value.
	KeepIfFalse bool // an override that counts as false ("", 0, [], {}) changes nothing
	Data        bool // the override is data: a null inside it is a value
}

// genericRule is the rule for any YAML. Exceptions are looked up by path: see Rules.
var genericRule = &Rule{}

// ListMode is how two lists are merged.
type ListMode uint8

// The ways to merge lists.
const (
	// entries with the same key are merged, others are added; the list is replaced if an entry has
	// no key
	ByKey       ListMode = iota
	ReplaceList          // the override's list replaces the base's
	AppendList           // the override's items are added after the base's
	UnionList            // items that the base lacks are added after it
	UnionMoving          // the items that only the base has, then the override's
	AlwaysKeyed          // like ByKey, for lists whose entries always have the key
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
