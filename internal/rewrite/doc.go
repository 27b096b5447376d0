// Package rewrite holds the fourth floor: files that are changed and not lost. Files come in; the same files
// in weft's layout, for another edition, or with overrides applied, come out.
package rewrite
