// Package wire is how weft and weft-engines talk: lines of JSON on the standard input and output of
// weft-engines, which weft starts. weft-engines says first which versions it has. Then weft sends one request
// after the other. Before the answer to a request, weft-engines may ask for files; each question has one
// reply. It opens no file itself, so weft alone decides what it may read.
//
//	wire.go    the messages
//	conn.go    lines, and the conversation about one request
//	check.go   answers and questions are checked: charts can make engines send anything
package wire

// Version is the version of the conversation. Both programs must have the same.
const Version = 5

// Hello is the first line of weft-engines.
type Hello struct {
	Version   int    `json:"v"`
	Helm      string `json:"helm"`
	Kustomize string `json:"kustomize"`
}

// Request asks for the documents of a chart or of a kustomization, or for texts as Kubernetes reads them.
type Request struct {
	Chart         *Chart         `json:"chart,omitempty"`
	Kustomization *Kustomization `json:"kustomization,omitempty"`
	Read          []string       `json:"read,omitempty"` // YAML; the answer has each of its documents as JSON

	Origins bool `json:"origins,omitempty"` // whether to find out where lines come from, which takes longer
	Seconds int  `json:"seconds,omitempty"` // how long it may take; 0 is DefaultSeconds
}

// DefaultSeconds is how long a request may take if it does not say so.
const DefaultSeconds = 60

// Chart is a Helm chart to render.
type Chart struct {
	Path        string       `json:"path"`             // a directory or an archive
	Source      int          `json:"source,omitempty"` // equal ones have equal files, loaded once; 0 is unknown
	Release     string       `json:"release"`
	Namespace   string       `json:"namespace"`
	Kubernetes  string       `json:"kubernetes"` // the version that templates see
	APIVersions []string     `json:"apiVersions,omitempty"`
	Values      []ValuesFile `json:"values,omitempty"` // later ones win
	CRDs        bool         `json:"crds"`
	Hooks       bool         `json:"hooks"`
	Order       string       `json:"order"`  // Helm4 or Helm3
	Random      string       `json:"random"` // RandomError or RandomSeeded
}

// The orders of documents, and what to do about functions with another result in each run.
const (
	Helm4        = "helm4"
	Helm3        = "helm3"
	RandomError  = "error"
	RandomSeeded = "seeded"
)

// ValuesFile is a file of values for a chart.
type ValuesFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Kustomization is a directory with a kustomization to build.
type Kustomization struct {
	Path string `json:"path"`
}

// FromEngines is a line of weft-engines after the first: a question, or the answer to a request.
type FromEngines struct {
	Ask    *string `json:"ask,omitempty"` // the path of a file or a directory; "" is the project
	Answer *Answer `json:"answer,omitempty"`
}

// Reply is what is at a path: a file, a directory, or nothing. Denied says why it must not be read.
type Reply struct {
	File    *[]byte  `json:"file,omitempty"`
	Dir     bool     `json:"dir,omitempty"`
	Entries []string `json:"entries,omitempty"` // names in a directory
	Denied  string   `json:"denied,omitempty"`
}

// Answer is the result of a request.
type Answer struct {
	Docs     []Doc     `json:"docs,omitempty"`
	Chains   [][]Place `json:"chains,omitempty"` // what Doc.Origins refer to
	Warnings []Error   `json:"warnings,omitempty"`
	Error    *Error    `json:"error,omitempty"`
}

// Doc is the text of a document, or of several from one template.
type Doc struct {
	Source string `json:"source"` // the template, with the chart's name as first folder
	Text   string `json:"text"`

	// Origins has one number for each line of Text: n means Answer.Chains[n-1], and 0 that nothing is known
	// but Source. It is empty if the request did not ask for origins. See Answer.Origin.
	Origins []int `json:"origins,omitempty"`
}

// Place is where text comes from: a line of a file, or a value. In a chain, the place of the text itself is
// the first, and the places that included it follow: a line of a helper, then the line that includes it. A
// line with several values has all of them at the beginning of its chain.
type Place struct {
	// File is a path as in Ask. A file in an archive has the path of the archive as its first part.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // from 1; 0 is the whole file

	// Values is the path of a value of a chart, from the top of its values; items of lists have their index
	// as a decimal number. File is empty if values files of the request set the value; otherwise, it is the
	// values.yaml of the chart or of its dependency, with the line of its default.
	Values []string `json:"values,omitempty"`
}

// Error is why a request failed, or a warning.
type Error struct {
	Message string   `json:"message"`
	Code    string   `json:"code,omitempty"` // one of the codes, if weft has a hint to give
	File    string   `json:"file,omitempty"` // as in Place
	Line    int      `json:"line,omitempty"`
	Values  []string `json:"values,omitempty"` // the path of a value that would help if it was set, or that is wrong
	Near    string   `json:"near,omitempty"`   // the key that the last one of Values may have meant

	Rendered *Doc `json:"rendered,omitempty"` // the text that an error is about, with origins; it is not YAML
}

// The codes of errors and warnings.
const (
	CodeRandom     = "random"     // a function has another result in each run
	CodeLookup     = "lookup"     // a template asks a cluster, which has nothing here
	CodeLibrary    = "library"    // a library chart cannot be rendered
	CodeDependency = "dependency" // dependencies of Chart.yaml are not in charts/
	CodeSchema     = "schema"     // values do not fit values.schema.json
	CodeValues     = "values"     // a values file cannot be read
	CodeKey        = "key"        // a key of a values file is probably misspelled
	CodeRemote     = "remote"     // something would have to be fetched
	CodeHelm       = "helm"       // a kustomization inflates charts, which weft's key charts does
	CodePlugin     = "plugin"     // a kustomization runs functions or plugins
	CodeMissing    = "missing"    // a kustomization names a file that does not exist
	CodeLimit      = "limit"      // it takes too long or too much memory; after this answer, weft-engines ends
)

func (e *Error) Error() string { return e.Message }

// Origin returns the chain of places that a line of a document comes from, or nil if nothing is known. Lines
// count from 0.
func (a *Answer) Origin(d *Doc, line int) []Place {
	if line >= len(d.Origins) || d.Origins[line] == 0 {
		return nil
	}
	return a.Chains[d.Origins[line]-1]
}
