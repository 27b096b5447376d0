package test

import (
	"io"

	"weft/internal/engine/emit"
)

// jsonReport is a report for programs. Its names are stable; new ones may be added.
type jsonReport struct {
	Tests   []jsonOutcome `json:"tests"`
	Summary jsonSummary   `json:"summary"`
}

type jsonOutcome struct {
	Name        string        `json:"name"`
	Environment string        `json:"environment,omitempty"`
	File        string        `json:"file"`
	Line        int           `json:"line"`
	Status      string        `json:"status"` // ok, failed or updated
	Seconds     float64       `json:"seconds"`
	Failures    []jsonFailure `json:"failures,omitempty"`
	Error       string        `json:"error,omitempty"`   // how the render failed
	Updated     string        `json:"updated,omitempty"` // the golden file that was written
}

type jsonFailure struct {
	At      string   `json:"at,omitempty"` // where the test expects it
	Object  string   `json:"object,omitempty"`
	Path    string   `json:"path,omitempty"`
	Message string   `json:"message"`
	Details []string `json:"details,omitempty"`
	From    string   `json:"from,omitempty"` // where the value comes from
}

type jsonSummary struct {
	Tests   int `json:"tests"`
	Failed  int `json:"failed"`
	Updated int `json:"updated"`
}

// WriteJSON writes a report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	out := jsonReport{
		Tests:   make([]jsonOutcome, len(r.Outcomes)),
		Summary: jsonSummary{len(r.Outcomes), r.Failed(), r.Updated()},
	}
	for i := range r.Outcomes {
		out.Tests[i] = r.Outcomes[i].json()
	}
	return emit.Report(w, out)
}

func (o *Outcome) json() jsonOutcome {
	j := jsonOutcome{
		Name: o.Name, Environment: o.Env, File: o.File, Line: o.Line, Status: "ok",
		Seconds: o.Took.Seconds(), Error: o.Error, Updated: o.Updated,
	}
	switch {
	case o.Failed():
		j.Status = "failed"
	case o.Updated != "":
		j.Status = "updated"
	}
	for _, f := range o.Failures {
		j.Failures = append(j.Failures, jsonFailure{
			At: f.At, Object: f.Object, Path: f.Path, Message: f.Message, Details: f.Below,
			From: f.Found,
		})
	}
	return j
}
