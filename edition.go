package weft

import "weft/internal/project/fleet"

// Edition is a set of rules for what files mean and for what is allowed in them. An explicit option
// overrides the edition.
type Edition uint8

// The editions.
const (
	// EditionYTT reads files as ytt does: YAML 1.1, and canonical output without comments.
	EditionYTT = Edition(fleet.EditionYTT)
	// Edition2026 reads YAML 1.2 and keeps comments and literals. It allows plain comments in
	// templates, and rejects duplicate keys and annotations that mean nothing or have no effect.
	Edition2026 = Edition(fleet.Edition2026)
)

// String returns the name of the edition, as in weft.yml and --edition.
func (e Edition) String() string { return fleet.Edition(e).String() }
