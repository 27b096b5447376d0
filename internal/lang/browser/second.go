package browser

import "weft/internal/lang/diag"

// CodeLater is the code of the error that the first program of the page returns for what only the second one can
// do. The page then asks that one.
const CodeLater diag.Code = "playground/later"

// Later returns the error for what the first program of the page leaves to the second one.
func Later() *diag.Diagnostic {
	return diag.Failf(CodeLater, "overrides, JSON Schemas and kept comments need the program that the page loads later")
}
