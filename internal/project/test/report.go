package test

import "time"

// Outcome is the outcome of a case: a test in an environment, for a directory.
type Outcome struct {
	Name     string
	Env      string // "" if the project has no environments
	File     string // the test file, as messages show it
	Line     int    // the line of the test
	Took     time.Duration
	Failures []Failure
	Error    string // an unexpected error of the render, for people; or ""
	Updated  string // the golden file that was written, or ""
}

// Failed reports whether the case failed.
func (o *Outcome) Failed() bool { return o.Failures != nil || o.Error != "" }

// Title returns the name of the case for reports: the name of the test, and the environment in
// brackets.
func (o *Outcome) Title() string { return Title(o.Name, o.Env) }

// Title returns the name of a case for reports.
func Title(name, env string) string {
	if env == "" {
		return name
	}
	return name + " [" + env + "]"
}

// Report is the outcome of all cases, in the order of the files.
type Report struct {
	Outcomes []Outcome

	Coverage *Coverage // nil if it was not requested
}

// Failed returns how many cases failed.
func (r *Report) Failed() (n int) {
	for i := range r.Outcomes {
		if r.Outcomes[i].Failed() {
			n++
		}
	}
	return n
}

// Updated returns how many golden files were written.
func (r *Report) Updated() (n int) {
	for i := range r.Outcomes {
		if r.Outcomes[i].Updated != "" {
			n++
		}
	}
	return n
}
