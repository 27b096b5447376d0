package protocol

import "encoding/json"

// EnvironmentsParams ask for the environments of a document's project: weft/environments, which is not
// in the protocol.
type EnvironmentsParams struct{ DocumentParams }

// Environments are the environments of a project.
type Environments struct {
	Project string   `json:"project"` // the path of weft.yml, or ""
	Names   []string `json:"names"`   // of all environments
	Active  string   `json:"active"`  // the one that features show
}

// SetEnvironmentParams make another environment the active one: weft/setEnvironment.
type SetEnvironmentParams struct {
	DocumentParams
	Environment string `json:"environment"`
}

// LanguageOfParams ask which language a document is in: weft/languageOf.
type LanguageOfParams struct{ DocumentParams }

// LanguageOf is the language of a document.
type LanguageOf struct {
	LanguageID string `json:"languageId"`
}

// The languages that weft distinguishes. All other documents have the language "".
const (
	LanguageTemplate = "weft-yaml" // YAML with code
	LanguageScript   = "weft-star"
	LanguageText     = "weft-text" // a text template
	LanguageYAML     = "yaml"      // YAML of a project without code
	LanguagePlain    = "plaintext" // the output of weft
)

// The scopes of a preview.
const (
	ScopeFile    = "file"    // the output of one file
	ScopeProject = "project" // the output of the project
)

// PreviewParams ask for the output of a file or its project: weft/preview.
type PreviewParams struct {
	DocumentParams
	Environment string `json:"environment"` // "" means the active one
	Scope       string `json:"scope"`
}

// Preview is an output, and where its lines come from.
type Preview struct {
	Text        string        `json:"text"`
	LanguageID  string        `json:"languageId"`
	Environment string        `json:"environment"`
	Stale       bool          `json:"stale"`  // the text is an earlier output: the inputs have errors
	Errors      []string      `json:"errors"` // the first line of each error
	Sources     []DocumentURI `json:"sources"`
	Map         []int         `json:"map"` // for each line, a source and a line in it, or -1 and -1
}

// Tests are the tests of a workspace: the answer to weft/tests.
type Tests struct {
	Files []TestFile `json:"files"`
}

// TestFile is a file that `weft test` runs.
type TestFile struct {
	URI   DocumentURI `json:"uri"`
	Path  string      `json:"path"` // its path in the workspace folder
	Run   TestRun     `json:"run"`  // runs all of its tests
	Tests []Test      `json:"tests"`
}

// Test is a test of a file.
type Test struct {
	Name  string  `json:"name"`
	Range Range   `json:"range"` // of its name
	Run   TestRun `json:"run"`
}

// TestRun is a command line, and where to run it.
type TestRun struct {
	Title     string   `json:"title"`
	Directory string   `json:"directory"` // the folder of weft.yml, or of the test file
	Arguments []string `json:"arguments"` // of weft; none is for a shell
}

// SuggestParams ask how the sources must change to give another output: weft/suggest. Either Line and Value
// say what changes, or Text.
type SuggestParams struct {
	PreviewParams
	Line  *int   `json:"line,omitempty"` // a line of the preview, from 0
	Value string `json:"value"`          // its new value, in YAML
	Text  string `json:"text,omitempty"` // the edited preview of the project
}

// Suggestions are changes of the sources that give the output, the best first. Each was tried.
type Suggestions struct {
	Suggestions []Suggestion `json:"suggestions"`
	Problems    []string     `json:"problems"` // why there is none
}

// Suggestion is a change of the sources. The client applies it.
type Suggestion struct {
	Title string         `json:"title"`
	Edit  *WorkspaceEdit `json:"edit"`
}

// ExecuteCommandParams ask for a command.
type ExecuteCommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// ExecuteCommandOptions says which commands there are.
type ExecuteCommandOptions struct {
	Commands []string `json:"commands"`
}

// CommandParams are the argument of each command of weft. Commands ignore fields that they do not
// need.
type CommandParams struct {
	DocumentParams
	Position    *Position `json:"position,omitempty"`
	Environment string    `json:"environment,omitempty"`
	Scope       string    `json:"scope,omitempty"`
	Line        *int      `json:"line,omitempty"` // the line of the preview
}

// CommandResult is the text that a command shows.
type CommandResult struct {
	Title      string `json:"title"`
	Text       string `json:"text"`
	LanguageID string `json:"languageId"`
}
