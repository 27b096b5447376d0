package lint

import (
	"io"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Report is a list of findings.
type Report struct{ Found []Finding }

// Finding is one finding.
type Finding struct {
	*diag.Diagnostic
	Level Level       // the level that the options set
	Files *source.Set // the files that its places refer to
	Safe  bool        // the fix does not change the meaning
}

// severities are the severities that levels are shown with.
var severities = [...]diag.Severity{Info: diag.Advice, Warning: diag.Warning, Error: diag.Error}

// Severity returns the severity that findings of a level are shown with.
func (l Level) Severity() diag.Severity { return severities[l] }

// Failed reports whether a finding is more than a suggestion.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Found, func(f Finding) bool { return f.Level >= Warning })
}

// WriteText writes the findings for people.
func (r *Report) WriteText(w io.Writer, color bool) error {
	for i, f := range r.Found {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		d := *f.Diagnostic
		d.Severity = f.Level.Severity()
		if err := diag.Render(w, f.Files, diag.List{&d}, diag.RenderOptions{Color: color}); err != nil {
			return err
		}
	}
	return nil
}
