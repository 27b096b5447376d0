package fleet

import (
	"cmp"

	"weft/internal/lang/keep"
)

// Edition is a set of rules for the meaning of files and for what they may contain. An explicit
// option overrides the edition.
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

// Everything that an edition decides is in this file.

// settled returns the options with the defaults of the edition filled in.
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

// uniqueKeys reports whether duplicate keys are errors, also outside of templates.
func (o Options) uniqueKeys() bool {
	return o.Edition == Edition2026 && !o.ImplicitMapKeyOverrides
}

// knownAnnotations reports whether unknown annotations are errors.
func (o Options) knownAnnotations() bool { return o.Edition == Edition2026 }
