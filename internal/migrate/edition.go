package migrate

import (
	"weft/internal/diag"
	"weft/internal/edit"
	"weft/internal/source"
	"weft/internal/yaml"
)

// Edition is the text of a project file with another edition. The text stays as it is if the file
// names none. The error is a diag.List.
func Edition(f *source.File, edition string) ([]byte, error) {
	t, err := yaml.Parse(f, yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core})
	if err != nil {
		return nil, diag.Of(err)
	}
	if !t.More(t.First()) {
		return f.Data(), nil
	}
	root := t.Root(t.First())
	if t.Kind(root) != yaml.Mapping {
		return f.Data(), nil
	}
	for key := root + 1; key < t.Next(root); key = t.Next(t.Next(key)) {
		if string(t.Text(key)) == "weft" {
			at := t.Span(t.Next(key))
			named := edit.Splice{From: at.Offset(), To: at.End(), Text: edition}
			return edit.Spliced(f.Data(), []edit.Splice{named}), nil
		}
	}
	return f.Data(), nil
}
