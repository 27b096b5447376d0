// Package upgrade finds out what an update of vendored sources does to a project: to its output in each
// environment, to its overlays and to its tests. Candidates come in, which nothing has written yet; a Report
// comes out, for people, for pull requests and for programs.
//
//	try.go          Try: tries the project, and those that extend it, with the old and the new files
//	project.go      one project: that of the sources, or one that extends it; its tests
//	environment.go  one environment: which overlays fail, and what the others do
//	judge.go        what becomes of each overlay, over all environments
//	borrow.go       Borrow: a revision with the sources of today
//	files.go        the files of a repository with others in some folders
//	report.go       Report: what was found
//	text.go         a report for people
//	markdown.go     a report for pull requests
package upgrade

import (
	"slices"

	"weft/internal/origin/diff"
)

// Report is what an update does. The names in JSON are stable: programs depend on them.
type Report struct {
	Sources      []Source      `json:"sources"`
	Environments []Environment `json:"environments"`
	Overlays     Overlays      `json:"overlays"`
	Tests        Tests         `json:"tests"`
	Unknown      []Problem     `json:"unknown,omitempty"` // what could not be found out
	Failed       []Problem     `json:"failed,omitempty"`  // sources that could not be fetched
	Verdict      string        `json:"verdict"`           // fits, broken or unknown
	Written      bool          `json:"written"`           // whether the update was written
}

// Source is a source with the versions before and after.
type Source struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Old     string `json:"old,omitempty"` // versions
	New     string `json:"new,omitempty"`
	OldID   string `json:"oldID,omitempty"` // commits or digests
	NewID   string `json:"newID,omitempty"`
	Summary Counts `json:"upstream"` // the objects in its files

	Difference *diff.Difference `json:"-"`
}

// Counts are numbers of objects.
type Counts struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
}

// Environment is what changes in the output of an environment.
type Environment struct {
	Project string   `json:"project,omitempty"` // the folder of a project that extends this one
	Name    string   `json:"name"`
	Summary Counts   `json:"output"`
	Errors  []string `json:"errors,omitempty"` // why it does not render with the new files

	Difference *diff.Difference `json:"-"`
}

// Overlays is what becomes of the overlays of the project. One that has several fates, in different
// environments, is in several lists.
type Overlays struct {
	Fit       int       `json:"fit"` // how many fit in all environments
	Broken    []Overlay `json:"broken,omitempty"`
	Dependent []Overlay `json:"dependent,omitempty"` // those that need a broken one, and could not be checked
	Untold    []Overlay `json:"untold,omitempty"`    // where the new files do not render
	Unneeded  []Overlay `json:"unneeded,omitempty"`  // those that change nothing any more
	Partly    []Overlay `json:"partly,omitempty"`    // lines that change nothing any more, of those that fit
}

// Overlay is an overlay that does not do what it did.
type Overlay struct {
	Place        string   `json:"place"`    // FILE:LINE
	Document     string   `json:"document"` // where the overlay begins, as FILE:LINE
	Message      string   `json:"message"`
	Hint         string   `json:"hint,omitempty"`
	Near         []Near   `json:"near,omitempty"`
	Environments []string `json:"environments,omitempty"` // where that is so
	Fits         []string `json:"fits,omitempty"`         // the other environments in which it fits
}

// Near is a place that nearly matches, or that explains an error.
type Near struct {
	Place   string `json:"place,omitempty"`
	Message string `json:"message"`
}

// Tests are the outcomes of the tests of the project.
type Tests struct {
	Passed       int      `json:"passed"`
	Failed       []string `json:"failed,omitempty"`       // those that passed before
	FailedBefore []string `json:"failedBefore,omitempty"` // those that failed before, too
}

// Problem is something that could not be found out.
type Problem struct {
	Project     string   `json:"project,omitempty"` // the folder of a project that extends this one
	Environment string   `json:"environment,omitempty"`
	Message     string   `json:"message"`
	Errors      []string `json:"errors,omitempty"`
}

// relocate replaces all places: shown returns what people see instead.
func (r *Report) relocate(shown func(place string) string) {
	o := &r.Overlays
	for _, list := range [][]Overlay{o.Broken, o.Dependent, o.Untold, o.Unneeded, o.Partly} {
		for i := range list {
			x := &list[i]
			x.Place, x.Document = shown(x.Place), shown(x.Document)
			for k := range x.Near {
				x.Near[k].Place = shown(x.Near[k].Place)
			}
		}
	}
}

// IsBroken reports whether something that worked does not work with the update.
func (r *Report) IsBroken() bool { return len(r.Overlays.Broken) > 0 || len(r.Tests.Failed) > 0 }

// IsUnknown reports whether something could not be found out. In an environment that does not render with
// the new files, nobody knows what becomes of the overlays.
func (r *Report) IsUnknown() bool {
	fails := func(e Environment) bool { return e.Errors != nil }
	return len(r.Unknown) > 0 || slices.ContainsFunc(r.Environments, fails)
}

// Fail notes the sources that could not be fetched.
func (r *Report) Fail(err error) {
	if err == nil {
		return
	}
	for _, text := range diagnostics(err) {
		r.Failed = append(r.Failed, Problem{Message: "a source is not updated", Errors: []string{text}})
	}
}

// Fits reports whether the update of the sources that were fetched breaks nothing.
func (r *Report) Fits() bool { return !r.IsBroken() && !r.IsUnknown() }

// Decide sets the verdict.
func (r *Report) Decide() {
	switch {
	case r.IsBroken():
		r.Verdict = "broken"
	case r.IsUnknown() || len(r.Failed) > 0:
		r.Verdict = "unknown"
	default:
		r.Verdict = "fits"
	}
}
