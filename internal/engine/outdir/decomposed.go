//go:build !js

package outdir

import "golang.org/x/text/unicode/norm"

// decomposed returns text with letters and their accents separated, as some file systems store
// names.
func decomposed(s string) string { return norm.NFD.String(s) }
