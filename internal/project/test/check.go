// Package test implements `weft test`: it finds and decodes test files, renders their cases,
// compares the documents with what a test expects, and prints the outcome.
//
// Inputs are read and compiled once for all cases that share them. Check compares documents with
// the expectations of a test, and CheckError the error of a failed render.
package test

import (
	"regexp"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this package's diagnostics.
const (
	CodeKey   diag.Code = "test/key"   // a key that is unknown or missing
	CodeValue diag.Code = "test/value" // a value that a key cannot have
	CodePath  diag.Code = "test/path"  // a path or a pattern that matches nothing
	CodeNone  diag.Code = "test/none"  // there is nothing to test

	CodeCoverage diag.Code = "test/coverage" // tests cover less than they must
)

// Suite is a test file. It never changes.
type Suite struct {
	File  *source.File
	Tests []*Test
}

// Test is one entry of a test file. It becomes several cases if it is for several environments or
// directories.
type Test struct {
	Name       Text
	Each       Text // the pattern of directories, or ""
	Envs       []Text
	AllEnvs    bool
	Values     source.Span // the mapping of data values, if it is valid
	ValueFiles []Text

	// At least one of these is set; Error excludes the others.
	Expect []Expectation
	Error  *ExpectedError
	Golden Text
	Star   *Star
}

// Text is a text and where it is.
type Text struct {
	Text string
	At   source.Span
}

// Expectation is a condition on documents.
type Expectation struct {
	At     source.Span
	Select selector.Selector // the zero value means all documents
	Least  int               // the minimum number of selected documents
	Most   int               // the maximum number; -1 means any number

	Equal    []Equal
	Matches  []Match
	Contains *tree.Value
	Absent   []Place
}

// Place is a place in documents.
type Place struct {
	Text
	Pattern path.Pattern
}

// Equal is a value that must be at a place.
type Equal struct {
	Place
	Value tree.Value
}

// Match is a regular expression that a scalar at a place must match.
type Match struct {
	Place
	Regexp *regexp.Regexp
}

// ExpectedError is how a render must fail.
type ExpectedError struct {
	At      source.Span
	Code    string         // "" means any
	Place   string         // FILE, FILE:LINE or FILE:LINE:COLUMN; "" means any
	Message *regexp.Regexp // nil means any
}

// Star is a function that checks the documents.
type Star struct{ File, Call Text }
