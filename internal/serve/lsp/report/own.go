package report

import (
	"bytes"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project/test"
	"weft/internal/serve/lsp/workspace"
)

// ownFindings returns what is wrong in an open file that no evaluation reads, but other commands of weft do:
// a test file, or the configuration of a function.
func (f *folder) ownFindings(s *workspace.Snapshot, path string) []finding {
	text := s.OpenText(path)
	if text == nil {
		return nil
	}
	var found diag.List
	switch d := s.Document(path); {
	case d.IsTestFile():
		suite, err := test.Decode(text)
		found = diag.Of(err)
		if p := d.Project(); err == nil && p != nil && len(p.Environments()[0]) > 0 {
			for _, one := range suite.Tests {
				found = append(found, one.UnknownEnvs(p.Environments())...)
			}
		}
	case bytes.Contains(text.Data(), []byte(functionVersion)):
		found = checkFunctions(text, d.Syntax())
	}
	var list []finding
	for _, x := range found {
		list = append(list, finding{Diagnostic: x, files: source.Single(text), path: path})
	}
	return list
}
