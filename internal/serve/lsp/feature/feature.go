// Package feature has what the language server answers, one file a feature: a function that takes a
// document of a snapshot and the parameters of a request, and gives the answer.
//
// A feature may ask the document for its text, its analysis, what it said when it was right, its
// project and its view; see package workspace. It keeps nothing and changes nothing. A new feature is
// a file here, a line in the table of requests (lsp/methods.go), a capability beside it, and an
// action for markers (lsp/marker_test.go).
package feature
