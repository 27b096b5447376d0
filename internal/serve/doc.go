// Package serve holds the top floor, above the public API: who asks. Requests of command lines,
// editors, web pages and other programs come in; calls of the public API and their results come out.
package serve
