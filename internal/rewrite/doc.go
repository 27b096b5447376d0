// Package rewrite holds the fourth floor: files that are changed and not lost. The text of a file comes in;
// the same file in weft's layout, or for another edition, comes out.
package rewrite
