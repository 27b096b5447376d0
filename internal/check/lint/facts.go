package lint

import (
	"path/filepath"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
)

// facts is what static analysis found in some files. The facts of all files of a project
// are those of its parts joined, so that only files that have changed are read again.
type facts struct {
	found   []conditional
	errors  diag.List       // of the analyses
	loaded  map[string]bool // names that files load from other files
	schemas schemas
	folders map[string]bool // where templates are
	ignores *ignores
}

func newFacts() *facts {
	return &facts{loaded: map[string]bool{}, schemas: schemas{}, folders: map[string]bool{}}
}

// conditional is a finding that may depend on other files.
type conditional struct {
	*diag.Diagnostic
	condition
}

// condition is what must be true of all files together for a finding to count. The zero value always holds.
type condition struct {
	notLoaded string   // no file loads this name
	library   string   // the folder of the library whose schemas are asked for certain
	certain   []string // the path of a data value that exists in every run
	noSchema  bool     // no file has a schema
}

// isCertain returns the condition that a data value exists in every run of the file.
func (f *file) isCertain(path []string) condition {
	return condition{library: libraryOf(f.File.Name()), certain: path}
}

// holds reports whether a condition holds.
func (c condition) holds(loaded map[string]bool, s schemas) bool {
	if d := s[c.library]; len(c.certain) > 0 && (d == nil || !d.certain(c.certain)) {
		return false
	}
	return !(c.noSchema && len(s) > 0) && !(c.notLoaded != "" && loaded[c.notLoaded])
}

// analysed adds what follows from an analysis alone.
func (f *facts) analysed(a *compile.Analysis) {
	f.errors = append(f.errors, a.Errors...)
	if a.Role != compile.ForSchema && a.Role != compile.ForValues && a.Code != nil {
		f.folders[inputFolder(a.File.Shown(), a.File.Name())] = true
	}
}

// inputFolder returns the folder that was an input, for a file below it.
func inputFolder(shown, name string) string {
	return strings.TrimSuffix(filepath.ToSlash(shown), name)
}

// together returns the findings of all files of a project: those that only declare data values, and the rest.
// That there is no schema is found once, first in files that declare.
func together(rest, declaring *facts) (inRest, inDeclaring diag.List) {
	loaded, declared := both(rest.loaded, declaring.loaded), rest.schemas.join(declaring.schemas)
	hasNoSchema := false
	findings := func(f *facts) (list diag.List) {
		for _, x := range f.found {
			if x.holds(loaded, declared) && !(x.noSchema && hasNoSchema) {
				list, hasNoSchema = append(list, x.Diagnostic), hasNoSchema || x.noSchema
			}
		}
		return list
	}
	inDeclaring = findings(declaring)
	return findings(rest), inDeclaring
}
