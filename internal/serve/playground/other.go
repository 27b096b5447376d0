//go:build !first

package playground

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"weft"
)

// otherFlags are the flags of commands other than render, in examples of the documentation. Like more.go, they
// are in the program that a page loads when one is needed.
type otherFlags struct {
	long     bool // prints the whole history
	prove    bool
	diff     bool // prints a diff instead of the result
	patch    bool
	a, b     string // the flags of one side
	to       string // the edited output
	as       weft.SuggestForm
	set      []string
	sel      []string
	ignore   []string
	override weft.OverrideOptions
}

// isOther reports whether a page can run the command. web/live/live.js has the same list.
func isOther(name string) bool {
	return slices.Contains([]string{"blame", "diff", "explain", "impact", "override", "suggest"}, name)
}

// turnOnOther sets a flag without a value, and reports whether the command has it.
func (c *command) turnOnOther(flag string) bool {
	o := &c.other
	switch c.name + " " + flag {
	case "blame --long":
		o.long = true
	case "blame --prove", "impact --prove":
		o.prove = true
	case "override --diff":
		o.diff = true
	case "override --explain":
		o.override.Explain = true
	case "override --strict", "override -s":
		o.override.Strict = true
	case "override --force":
		o.override.Force = true
	case "override --split-aliases":
		o.override.SplitAliases = true
	default:
		return false
	}
	return true
}

// setOther sets a flag with a value, and reports whether the command has it.
func (c *command) setOther(flag, value string) bool {
	o := &c.other
	list := &o.set
	switch c.name + " " + flag {
	case "impact --set", "suggest --set":
	case "impact --select", "explain --select", "diff --select", "override --select":
		list = &o.sel
	case "diff --ignore":
		list = &o.ignore
	case "override --merge-key":
		list = &o.override.MergeKeys
	case "override --lists":
		list = &o.override.Lists
	case "override --profile":
		o.override.CEKit = value == "cekit"
		return o.override.CEKit || value == "generic"
	case "diff --a":
		o.a = value
		return true
	case "diff --b":
		o.b = value
		return true
	case "suggest --to":
		o.to = value
		return true
	case "suggest --as":
		form := slices.Index([]string{"auto", "values", "overlay", "override"}, value)
		o.as = weft.SuggestForm(max(form, 0))
		return form >= 0
	case "suggest -o", "suggest --output":
		o.patch = value == "patch"
		return o.patch || value == "text"
	default:
		return false
	}
	*list = append(*list, value)
	return true
}

// isAboutFiles reports whether the command changes or compares files as they are, without a project.
func (c *command) isAboutFiles() bool {
	return c.name == "override" || len(c.plain()) > 0
}

// plain returns the files that diff compares as they are.
func (c *command) plain() []string {
	if c.name == "diff" && len(c.words) == 2 && strings.ContainsAny(c.words[0], "./") {
		return c.words
	}
	return nil
}

// otherPaths returns the files that the command names besides those that are rendered.
func (c *command) otherPaths() []string {
	list := c.plain()
	if c.name == "override" {
		list = c.words
	}
	if c.other.to != "" {
		list = append(slices.Clip(list), c.other.to)
	}
	return list
}

// printOther prints what a command other than render does.
func (r *run) printOther(to *bytes.Buffer, opts weft.Options) error {
	switch r.command.name {
	case "blame":
		return r.printBlame(to, opts)
	case "diff":
		return r.printDiff(to, opts)
	case "explain":
		return r.printExplain(to, opts)
	case "impact":
		return r.printImpact(to, opts)
	case "override":
		return r.printOverride(to)
	}
	return r.printSuggest(to)
}

// warned is a report that may have warnings.
type warned interface {
	weft.Report
	Warnings() weft.Messages
}

// reports prints the warnings of a report, and the report.
func (r *run) reports(to *bytes.Buffer, report warned, how weft.ReportOptions) error {
	r.message(to, report.Warnings())
	return r.hide(to, report, how)
}

// hide prints a report without secrets.
func (r *run) hide(to *bytes.Buffer, report weft.Report, how weft.ReportOptions) error {
	var b bytes.Buffer
	err := report.Write(&b, how)
	to.Write(r.redactor.Redact(b.Bytes()))
	return err
}

func (r *run) printBlame(to *bytes.Buffer, opts weft.Options) error {
	c := &r.command
	c.words = r.afterEnvironment()
	what := weft.BlameOptions{Select: c.word(0), Path: c.word(1), Prove: c.other.prove}
	report, err := weft.Blame(r.ctx, opts, what)
	if err != nil {
		return err
	}
	return r.reports(to, report, weft.ReportOptions{Long: c.other.long})
}

// afterEnvironment returns the words after the environment, if the first one names it.
func (r *run) afterEnvironment() []string {
	if env := r.res.Environment; env != "" && r.command.word(0) == env {
		return r.command.words[1:]
	}
	return r.command.words
}

func (r *run) printExplain(to *bytes.Buffer, opts weft.Options) error {
	report, failed := weft.Explain(r.ctx, opts, weft.ExplainOptions{Select: r.command.other.sel})
	if report == nil || r.ctx.Err() != nil {
		return failed
	}
	if failed == nil {
		r.message(to, report.Warnings())
	}
	if err := r.hide(to, report, weft.ReportOptions{}); err != nil {
		return err
	}
	return failed
}

func (r *run) printImpact(to *bytes.Buffer, opts weft.Options) error {
	o := &r.command.other
	if len(o.set) > 0 {
		b := opts
		opts.Observe.Print = nil
		b.DataValues.KVYAML = slices.Concat(opts.DataValues.KVYAML, o.set)
		return r.compare(to, weft.Side{Options: opts}, weft.Side{Options: b}, weft.DiffOptions{Select: o.sel})
	}
	what := weft.ImpactOptions{Paths: r.afterEnvironment(), Select: o.sel, Prove: o.prove}
	report, err := weft.Impact(r.ctx, opts, what)
	if err != nil {
		return err
	}
	return r.reports(to, report, weft.ReportOptions{})
}

func (r *run) printOverride(to *bytes.Buffer) error {
	c := &r.command
	what := c.other.override
	what.Inputs, what.Overrides, what.Select, what.FS = c.words, c.opts.Overrides, c.other.sel, r.base.FS
	what.Edition, what.YAML = c.opts.Edition, c.opts.YAML
	what.Effective = what.CEKit && !c.other.diff
	report, err := weft.ApplyOverrides(r.ctx, what)
	if err != nil {
		return err
	}
	r.message(to, report.Warnings())
	switch {
	case c.other.diff:
		_, err = report.Diff(to)
	case what.Explain:
		err = r.hide(to, report, weft.ReportOptions{})
	default:
		_, err = report.WriteTo(to)
	}
	return err
}

func (r *run) printDiff(to *bytes.Buffer, opts weft.Options) error {
	c := &r.command
	what := weft.DiffOptions{Ignore: c.other.ignore, Select: c.other.sel, Causes: true}
	sides := [2]weft.Side{{Options: opts, Name: "--a"}, {Options: opts, Name: "--b"}}
	var err error
	for i, flags := range []string{c.other.a, c.other.b} {
		s := &sides[i]
		switch {
		case len(c.plain()) > 0:
			s.Name, s.Plain, s.Inputs = c.words[i], true, c.words[i:i+1]
		case len(c.words) == 2:
			s.Name = c.words[i]
			s.Options, err = r.environment(s.Name)
		default:
			s.Options, err = r.side(opts, flags)
		}
		if err != nil {
			return err
		}
	}
	sides[0].Observe.Print = nil
	return r.compare(to, sides[0], sides[1], what)
}

// environment returns the options of an environment.
func (r *run) environment(name string) (weft.Options, error) {
	p, err := weft.OpenProject(r.ctx, weft.ProjectOptions{FS: r.base.FS, Path: r.command.project})
	if err != nil {
		return r.base, err
	}
	opts, err := p.Options(name, r.base)
	opts.Limits.Steps = min(opts.Limits.Steps, r.limits.Steps)
	return opts, err
}

// side returns options with the flags of one side.
func (r *run) side(opts weft.Options, flags string) (weft.Options, error) {
	c := command{opts: opts}
	c.opts.Inputs = slices.Clip(opts.Inputs)
	problem := c.readFlags(strings.Fields(flags))
	if problem == "" {
		problem = r.req.checkInputs(c.paths())
	}
	if problem != "" {
		return opts, fmt.Errorf("%s", problem)
	}
	return c.opts, nil
}

// compare prints how two sides differ.
func (r *run) compare(to *bytes.Buffer, a, b weft.Side, what weft.DiffOptions) error {
	d, err := weft.Diff(r.ctx, a, b, what)
	if err != nil {
		return err
	}
	return r.reports(to, d, weft.ReportOptions{})
}

func (r *run) printSuggest(to *bytes.Buffer) error {
	c := &r.command
	what := weft.SuggestOptions{FS: r.base.FS, Options: r.base, Set: c.other.set, As: c.other.as}
	what.Options.Observe.Print = nil
	if r.res.Project {
		what.Project, what.Environment = "weft.yml", r.res.Environment
	}
	if c.other.to != "" {
		text, err := fs.ReadFile(r.base.FS, c.other.to)
		if err != nil {
			return err
		}
		what.Edited = []weft.File{{Path: c.other.to, Data: text}}
	}
	found, err := weft.Suggest(r.ctx, what)
	if err != nil {
		return err
	}
	if c.other.patch {
		return r.hide(to, found, weft.ReportOptions{Format: weft.Patch})
	}
	err = r.hide(to, found, weft.ReportOptions{})
	if found.Found() {
		to.WriteString("suggest: nothing is written; --write applies the change\n")
	}
	return err
}
