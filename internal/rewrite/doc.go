// Package rewrite is the fourth floor: it changes files without losing anything. Files come in; the
// same files come out in weft's layout, for another edition, or with overrides applied.
package rewrite
