package cli

import (
	"github.com/spf13/cobra"

	"weft/internal/rewrite/schemas"
	"weft/internal/serve/cli/complete"
	"weft/internal/serve/cli/process"
)

// flagChoices returns the completions of flags with a fixed set of values.
func flagChoices() complete.Choices {
	rendered := []cobra.Completion{"yaml", "json", "pos", "openapi-v3", "json-schema"}
	diffForms := []cobra.Completion{"unified", "semantic"}
	return complete.Choices{
		"color":       {"auto", "always", "never"},
		"coverage":    coverageForms,
		"diagnostics": {"text", "json"},
		"edition":     editions,
		"keep":        keepNames(),
		"profile":     {"generic", "cekit"},
		"sequences":   sequenceStyles,
		"warnings":    process.WarningModes,
		"yaml":        {"1.1", "1.2"},

		"import from":   schemas.Formats(),
		"export to":     exportForms,
		"export output": {"yaml", "json"},

		"weft diff":     diffForms,
		"template diff": diffForms,
		"render diff":   diffForms,
		"fleet diff":    diffForms,
		"override diff": diffForms,

		"weft output":     rendered,
		"template output": rendered,
		"render output":   append(rendered, "none"),
		"env output":      {"text", "name", "json", "jsonl"},
		"config output":   {"text", "yaml", "json"},
		"blame output":    blameForms,
		"diff output":     diffFormats,
		"explain output":  {"text", "json", "jsonl"},
		"fleet output":    {"yaml", "none"},
		"impact output":   {"text", "json", "jsonl"},
		"lint output":     lintForms,
		"override output": {"yaml", "json"},
		"suggest output":  {"text", "json", "patch"},
		"suggest as":      suggestForms,
		"test output":     testForms,
	}
}
