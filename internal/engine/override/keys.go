package override

// Directive is a key of an override of any YAML that has a meaning for the merge.
type Directive struct {
	Name, Doc string

	Document bool // it may be in the override itself, as its first key
	Mapping  bool // it may be in the value of a key
	Entry    bool // it may be in an entry of a list
}

// Directives returns the keys of overrides that have a meaning for the merge, those that people write most
// first.
func Directives() []Directive {
	return []Directive{
		{Name: keySelect, Doc: "The documents that the override is for, such as `Deployment/web` or " +
			"`{kind: Deployment}`. It is the first key of the override.", Document: true},
		{Name: keyMatch, Doc: "What the entries of the list have that this mapping is for, such as " +
			"`{uses: {$matches: ^actions/checkout@}}`.", Entry: true},
		{Name: keyRemove, Doc: "`true`: the entry that this mapping names is removed.", Mapping: true, Entry: true},
		{
			Name: keyReplace, Doc: "`true`: the mapping with this key replaces the existing one, without a merge.",
			Mapping: true, Entry: true,
		},
		{
			Name: keyAt, Doc: "The index of the entry of the list that this mapping is for, from 0; -1 is the last.",
			Entry: true,
		},
		{
			Name: keyRemoveItems, Doc: "The scalars that are removed from the list. It is the only key of its mapping.",
			Mapping: true,
		},
	}
}
