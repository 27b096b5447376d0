package fleet

import (
	"cmp"

	"weft/internal/lang/keep"
)

// Edition is a set of rules for what files mean and for what is allowed in them. What a single
// option says explicitly wins over the edition.
type Edition uint8

// The editions.
const (
	// EditionYTT reads files as ytt does: YAML 1.1, and canonical output without comments.
	EditionYTT Edition = iota
	// Edition2026 reads YAML 1.2 and keeps comments and literals. It allows plain comments in
	// templates, and rejects duplicate keys and annotations that mean nothing or have no effect.
	Edition2026
)

// String returns the name of the edition, as in weft.yml and --edition.
func (e Edition) String() string {
	if e == Edition2026 {
		return "2026"
	}
	return "ytt"
}

// What an edition decides is here and nowhere else.

// settled returns the options with those that the edition decides.
func (o Options) settled() Options {
	if o.Edition == Edition2026 {
		o.YAML = cmp.Or(o.YAML, YAML12)
		o.Keep = cmp.Or(o.Keep, keep.Comments|keep.Literals)
		o.IgnoreUnknownComments = true
	}
	o.YAML = cmp.Or(o.YAML, YAML11)
	if o.Keep == KeepNothing {
		o.Keep = 0
	}
	return o
}

// uniqueKeys reports whether a mapping may have each key once only, also outside of templates.
func (o Options) uniqueKeys() bool {
	return o.Edition == Edition2026 && !o.ImplicitMapKeyOverrides
}

// knownAnnotations reports whether annotations have to mean something.
func (o Options) knownAnnotations() bool { return o.Edition == Edition2026 }
