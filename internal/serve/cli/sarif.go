package cli

import (
	"encoding/json"
	"io"
	"path/filepath"

	"weft"
	"weft/internal/serve/cli/process"
)

// The parts of SARIF 2.1.0 that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name    string      `json:"name"`
				Version string      `json:"version,omitempty"`
				Rules   []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// writeSARIF writes the findings for services that show them next to the code.
func writeSARIF(w io.Writer, list []weft.Finding) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	driver := &run.Tool.Driver
	driver.Name, driver.Version, driver.Rules = "weft", process.Version(), []sarifRule{}
	known := map[string]bool{}
	for _, f := range list {
		if !known[f.Code] {
			known[f.Code] = true
			driver.Rules = append(driver.Rules, sarifRule{f.Code})
		}
		run.Results = append(run.Results, sarifResultOf(f))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifResultOf(f weft.Finding) sarifResult {
	level := string(f.Severity)
	if f.Severity == weft.SeverityInfo {
		level = "note"
	}
	r := sarifResult{RuleID: f.Code, Level: level, Message: sarifText{findingText(f)}}
	if f.File != "" {
		var at sarifLocation
		at.Physical.Artifact.URI = filepath.ToSlash(f.File)
		if f.Line > 0 {
			at.Physical.Region = &sarifRegion{f.Line, max(f.Column, 1)}
		}
		r.Locations = []sarifLocation{at}
	}
	return r
}
