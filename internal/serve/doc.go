// Package serve holds the top floor, above the public API: who asks. Command lines, editors, web pages and
// other programs come in; calls of the public API and their answers come out.
package serve
