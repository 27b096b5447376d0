// Package lint finds code in templates, schemas and overlays that is valid but likely a mistake, or
// harder to read than necessary.
//
// A rule is an entry of the table in table.go and a function that checks one file, or all files of
// a project together. Warnings of a run are not rules of this package: they keep their codes, and
// the table only sets their level. docs/lint has a page for each rule.
package lint

import (
	"slices"

	"weft/internal/lang/diag"
)

// Level is how severe a finding is.
type Level uint8

// The levels.
const (
	Off     Level = iota
	Info          // a suggestion, shown on request
	Warning       // a likely mistake
	Error         // a mistake
)

// levels are their names.
var levels = [...]string{Off: "off", Info: "info", Warning: "warning", Error: "error"}

func (l Level) String() string { return levels[l] }

// ParseLevel reads the name of a level.
func ParseLevel(s string) (Level, bool) {
	i := slices.Index(levels[:], s)
	return Level(max(i, 0)), i >= 0
}

// Levels returns the names of all levels.
func Levels() []string { return levels[:] }

// Needs is what a rule needs in order to decide.
type Needs uint8

// What rules need.
const (
	Text         Needs = iota // the files
	Run                       // one evaluation
	Environments              // an evaluation of every environment, to show what never happens
)

func (n Needs) String() string { return [...]string{"files", "a run", "all environments"}[n] }

// Fixing is whether a rule can fix what it finds.
type Fixing uint8

// The kinds of fixes.
const (
	NoFix     Fixing = iota
	SafeFix          // the meaning stays the same
	UnsafeFix        // the meaning may change, if a value is not what it seems
)

func (f Fixing) String() string { return [...]string{"no", "yes", "unsafe"}[f] }

// Rule is one rule.
type Rule struct {
	Code  diag.Code
	Grade Level // the level of its findings, if Sure or Real supports it
	Needs Needs
	Fix   Fixing
	Also  []string // other names that people know it by

	// Several means that the rule needs at least two environments: in a single one, nearly every
	// condition has only one result.
	Several bool

	// Shared means that a single run cannot decide about a file that is an input by itself, or with other
	// values only: other runs may combine it with other templates.
	Shared bool

	// Validates means that the rule checks documents against Kubernetes schemas, which is optional.
	Validates bool

	Sure string   // why Grade applies without evidence, or ""
	Real Evidence // what the rule found in real projects
}

// Why a rule needs no evidence.
const (
	isMessage   = "rendering reports it, too"
	isAboutWeft = "about comments for weft"
	onRequest   = "on request"
)

// Evidence is what a rule found in real projects. Each project has one vote: one of its findings
// was judged.
type Evidence struct {
	Findings, Projects int
	Right              int // the projects whose maintainers would change the file
}

// notJudged is the value of Evidence.Right for rules about style: their findings were not judged.
const notJudged = -1

// Judged reports whether the findings were judged.
func (e Evidence) Judged() bool { return e.Projects > 0 && e.Right != notJudged }

// What a rule must show before it may fail a run: this many findings, and this share of them right.
const (
	minFindings = 20
	percent     = 95
)

// proves reports whether a rule has shown that it is right.
func (e Evidence) proves() bool {
	return e.Findings >= minFindings && e.Judged() && e.Right*100 >= e.Projects*percent
}

// Level returns the default level of the rule. A rule without enough evidence only suggests.
func (r Rule) Level() Level {
	if r.Grade > Info && r.Sure == "" && !r.Real.proves() {
		return Info
	}
	return r.Grade
}

// Rules returns all rules, in the order of their codes.
func Rules() []Rule { return rules }

// Find returns the rule with a code, or with another name that it has.
func Find(name string) (Rule, bool) {
	for _, r := range rules {
		if string(r.Code) == name || slices.Contains(r.Also, name) {
			return r, true
		}
	}
	return Rule{}, false
}

// Named returns the code of the rule with a name, which may be an old name.
func Named(name string) (diag.Code, error) {
	r, ok := Find(name)
	if ok {
		return r.Code, nil
	}
	d := diag.Failf(CodeRule, "there is no rule '%s'", name)
	if _, known := diag.About(diag.Code(name)); known {
		return "", d.WithHint("it is a message of other commands: weft help %s", name)
	}
	return "", d.WithHint("weft lint --list lists the rules").WithNearest(name, Names())
}

// Names returns the codes and other names of all rules.
func Names() []string {
	var names []string
	for _, r := range rules {
		names = append(append(names, string(r.Code)), r.Also...)
	}
	return names
}
