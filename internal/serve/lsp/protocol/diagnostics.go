package protocol

// PublishDiagnosticsParams are all diagnostics of a document.
type PublishDiagnosticsParams struct {
	URI         DocumentURI  `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a message about a range of a document.
type Diagnostic struct {
	Range              Range                `json:"range"`
	Severity           DiagnosticSeverity   `json:"severity"`
	Code               string               `json:"code,omitempty"`
	Source             string               `json:"source"`
	Message            string               `json:"message"`
	Tags               []DiagnosticTag      `json:"tags,omitempty"`
	RelatedInformation []RelatedInformation `json:"relatedInformation,omitempty"`
}

// RelatedInformation is a message about another place.
type RelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// DiagnosticSeverity is the severity of a diagnostic.
type DiagnosticSeverity int

// The severities.
const (
	SeverityError       DiagnosticSeverity = 1
	SeverityWarning     DiagnosticSeverity = 2
	SeverityInformation DiagnosticSeverity = 3
	SeverityHint        DiagnosticSeverity = 4
)

// DiagnosticTag says how to show the text of the range.
type DiagnosticTag int

// The tags.
const (
	Unnecessary DiagnosticTag = 1 // faded
	Deprecated  DiagnosticTag = 2 // struck through
)
