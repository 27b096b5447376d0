package lint

import (
	"path/filepath"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
)

// PathRules is settings for files that match a pattern.
type PathRules struct {
	Pattern string   // the pattern of paths as messages show them, such as vendor/**
	Rules   []string // CODE=LEVEL; empty means that nothing is reported
}

// levelSet is the levels of rules, in total and per file.
type levelSet struct {
	all    map[diag.Code]Level
	chosen map[diag.Code]bool // rules whose level the options set
	paths  []pathLevels
}

type pathLevels struct {
	pattern string
	own     map[diag.Code]Level // nil means that nothing is reported
}

// levels returns the levels of the rules.
func (o *Options) levels() (*levelSet, error) {
	levels := &levelSet{all: map[diag.Code]Level{}, chosen: map[diag.Code]bool{}}
	for _, r := range rules {
		levels.all[r.Code] = r.Level()
	}
	general, err := parseLevels(o.Rules)
	if err != nil {
		return nil, err
	}
	for code, level := range general {
		levels.all[code], levels.chosen[code] = level, true
	}
	for _, p := range o.Paths {
		forPath := pathLevels{pattern: p.Pattern}
		if len(p.Rules) > 0 {
			if forPath.own, err = parseLevels(p.Rules); err != nil {
				return nil, err
			}
		}
		levels.paths = append(levels.paths, forPath)
	}
	return levels, nil
}

// parseLevels reads the levels of rules: CODE=LEVEL.
func parseLevels(rules []string) (map[diag.Code]Level, error) {
	levels := map[diag.Code]Level{}
	for _, text := range rules {
		name, value, ok := strings.Cut(text, "=")
		level, known := ParseLevel(value)
		if !ok || !known {
			return nil, diag.Failf(CodeRule, "expected CODE=LEVEL with one of the levels %s, "+
				"but found '%s'", strings.Join(Levels(), ", "), text)
		}
		code, err := Named(name)
		if err != nil {
			return nil, err
		}
		levels[code] = level
	}
	return levels, nil
}

// of returns the level of a finding in a file. Diagnostics that are not rules have the level of
// their severity.
func (l *levelSet) of(d *diag.Diagnostic, file string) Level {
	level, ok := l.all[d.Code]
	switch {
	case ok && (d.Severity != diag.Error || l.chosen[d.Code]):
	case d.Severity == diag.Error: // an error of a run is never just a suggestion
		level = Error
	default:
		level = Warning
	}
	if level == Warning && !l.chosen[d.Code] && IsVendored(file) {
		level = Info
	}
	for _, p := range l.paths {
		if !load.MatchPath(p.pattern, filepath.ToSlash(file)) {
			continue
		}
		if p.own == nil {
			level = Off
		} else if pathLevel, ok := p.own[d.Code]; ok {
			level = pathLevel
		}
	}
	return level
}
