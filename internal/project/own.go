package project

import (
	"path"
	"path/filepath"
	"strings"
)

// OwnFiles returns patterns of files in the inputs of an environment that the project needs for
// itself: its project files, its JSON Schemas, its charts with their values, its kustomizations, and what it
// writes. They are never inputs.
func (p *Description) OwnFiles(s *Settings) (patterns []string) {
	for _, in := range s.Inputs {
		for _, f := range p.layers {
			if rel, ok := below(in.Text, f.Path); ok {
				patterns = append(patterns, rel)
			}
		}
		for _, x := range s.Schemas {
			if rel, ok := below(in.Text, x.Text); ok {
				patterns = append(patterns, rel)
			}
		}
		for _, c := range s.Charts {
			if rel, ok := below(in.Text, c.Chart.Text); ok {
				patterns = append(patterns, rel, rel+"/**/*")
			}
			for _, x := range c.Values {
				if rel, ok := below(in.Text, x.Text); ok {
					patterns = append(patterns, rel)
				}
			}
		}
		for _, k := range s.Kustomizations {
			if rel, ok := below(in.Text, k.Dir.Text); ok {
				patterns = append(patterns, rel+"/**/*")
			}
		}
		rel, ok := below(in.Text, s.Output.all)
		switch {
		case !ok:
		case s.Output.File.Text != "":
			patterns = append(patterns, rel)
		default:
			patterns = append(patterns, rel+"/**/*")
		}
	}
	return patterns
}

// below returns a path relative to a directory that contains it. Both are relative to the same
// directory, or absolute.
func below(dir, name string) (string, bool) {
	dir, name = path.Clean(filepath.ToSlash(dir)), path.Clean(filepath.ToSlash(name))
	if dir == "." {
		return name, name != "." && !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../")
	}
	return strings.CutPrefix(name, dir+"/")
}
