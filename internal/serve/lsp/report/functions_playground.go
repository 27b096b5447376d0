//go:build playground

package report

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// functionVersion is the apiVersion of configurations of functions.
const functionVersion = "weft/v1"

// checkFunctions checks nothing: a page in a browser has no functions.
func checkFunctions(*source.File, yaml.Options) diag.List { return nil }
