// Package feature has the answers of the language server to requests, one file per feature: a
// function that takes a document of a snapshot and the parameters of a request, and returns the
// answer.
//
// A feature gets the text, the analysis, the project and the view from the document; see package
// workspace. It keeps nothing and changes nothing. A new feature is a file here, a line in the table
// of requests (lsp/methods.go), a capability there, and an action for markers (lsp/marker_test.go).
package feature
