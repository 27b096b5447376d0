//go:build !js

package outdir

import "golang.org/x/text/unicode/norm"

// decomposed returns text with each letter parted from its accents, as some file systems store
// names.
func decomposed(s string) string { return norm.NFD.String(s) }
