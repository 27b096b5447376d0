package feature

import (
	"context"
	"path"

	"weft/internal/engine/compile"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Tests returns the tests that `weft test` runs in the projects of a workspace, for clients that run them.
func Tests(ctx context.Context, snaps []*workspace.Snapshot) (*protocol.Tests, error) {
	answer := &protocol.Tests{Files: []protocol.TestFile{}}
	for _, snap := range snaps {
		files, err := snap.TestFiles(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if run, ok := testRun(f.TextDocument, path.Dir(f.Project), ""); ok {
				answer.Files = append(answer.Files, protocol.TestFile{
					URI: f.URI(), Path: f.Path(), Run: run, Tests: testsOf(f),
				})
			}
		}
	}
	return answer, nil
}

// testsOf returns the tests of a file. Names are unique in a file without errors; of others, the first counts.
func testsOf(f workspace.TestFile) []protocol.Test {
	list := []protocol.Test{}
	syntax := yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core, Workers: 1}
	t := workspace.Analyse(f.File(), compile.PlainYAML, compile.Options{YAML: syntax}).Tree
	seen := map[string]bool{}
	eachTest(t, func(key, value yaml.NodeID) {
		name := text(t, value)
		if t.IsString(key, "tests") || seen[name] {
			return
		}
		seen[name] = true
		run, _ := testRun(f.TextDocument, path.Dir(f.Project), name)
		at := t.Span(value)
		list = append(list, protocol.Test{
			Name: name, Range: f.Mapper().Range(at.Offset(), at.End()), Run: run,
		})
	})
	return list
}
