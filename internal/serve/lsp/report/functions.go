//go:build !playground

package report

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/krm"
)

// functionVersion is the apiVersion of configurations of functions.
const functionVersion = krm.APIVersion

// checkFunctions returns what is wrong with the configurations of functions in a file.
func checkFunctions(f *source.File, opt yaml.Options) (found diag.List) {
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return nil // not for weft to report
	}
	for doc := range t.Documents() {
		found = append(found, krm.Check(tree.FromSyntax(t, t.Root(doc)))...)
	}
	return found
}
