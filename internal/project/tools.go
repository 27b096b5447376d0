package project

import (
	"path/filepath"

	"weft/internal/lang/yaml"
)

// Lint is the settings of weft lint.
type Lint struct {
	Rules []string // CODE=LEVEL; the last one for a code wins
	Paths []LintPath
}

// LintPath is the settings for some files.
type LintPath struct {
	Pattern string   // the pattern of the paths of the files, as messages show them
	Rules   []string // as in Lint; none means that all rules are off
}

// Lint returns the settings of weft lint, starting with those of extended files.
func (p *Description) Lint() Lint {
	var out Lint
	for _, f := range p.layers {
		n := f.root.Get(keyLint)
		if n == nil {
			continue
		}
		out.Rules = append(out.Rules, levels(n.Get("rules"))...)
		if paths := n.Get("paths"); paths != nil {
			for _, e := range paths.Entries {
				pattern := filepath.ToSlash(filepath.Join(filepath.Dir(f.Path), e.Key))
				path := LintPath{Pattern: pattern}
				if e.Value.Kind == yaml.Mapping {
					path.Rules = levels(e.Value)
				}
				out.Paths = append(out.Paths, path)
			}
		}
	}
	return out
}

// levels returns the rules of a mapping with their levels.
func levels(n *Node) []string {
	if n == nil {
		return nil
	}
	var rules []string
	for _, e := range n.Entries {
		rules = append(rules, e.Key+"="+e.Value.Text)
	}
	return rules
}

// Sequences returns the style of lists for weft fmt, or "".
func (p *Description) Sequences() string {
	style := ""
	for _, f := range p.layers {
		if n := f.root.Get(keyFmt); n != nil {
			if s := n.Get("sequences"); s != nil {
				style = s.Text
			}
		}
	}
	return style
}

// FormatExclude returns the patterns of files that weft fmt skips, as absolute paths.
func (p *Description) FormatExclude() (patterns []string) {
	for _, f := range p.layers {
		n := f.root.Get(keyFmt)
		if n == nil || n.Get("exclude") == nil {
			continue
		}
		dir, err := filepath.Abs(filepath.Dir(f.Path))
		if err != nil {
			continue
		}
		for _, item := range n.Get("exclude").Items {
			patterns = append(patterns, filepath.ToSlash(filepath.Join(dir, item.Text)))
		}
	}
	return patterns
}
