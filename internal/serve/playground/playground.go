// Package playground answers requests of the playground page: files and settings go in, and what the
// page shows comes out. The page calls it in the browser, as WebAssembly (cmd/weft-wasm), or on the
// user's machine, through the server of `weft playground` (internal/serve/playground/local).
//
// What the page sends may come from a link that someone else created. So nothing here uses the disk,
// the network or the environment, and everything has a limit.
package playground

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"weft"
	"weft/internal/engine/budget"
	"weft/internal/lang/lazy"
)

// Request is a request of the page.
type Request struct {
	// Files are all files. Paths are relative, with forward slashes.
	Files []File `json:"files"`

	// Inputs are the files and directories to render, in this order, as with -f. Without them, a
	// weft.yml among the files says what to render; if there is none, all files are rendered, sorted
	// by path.
	Inputs []string `json:"inputs,omitempty"`

	// Args are the arguments of weft in an example of the documentation, for the want screen. They say what
	// to render, and how, instead of the fields around this one.
	Args []string `json:"args,omitempty"`

	// Environment is an environment of the project; "" means its default, or its first one.
	Environment string `json:"environment,omitempty"`

	// Values are data values, key=YAML. They win over those of files.
	Values []string `json:"values,omitempty"`

	// Format is yaml, json or pos; "" means that the project decides.
	Format string `json:"format,omitempty"`

	// Want lists what the page shows: see wanted and wantedLater.
	Want []string `json:"want"`

	// Pinned is the output that the current one is compared with, for the want diff.
	Pinned string `json:"pinned,omitempty"`

	// Edited is the output as the user edited it, for the want suggest.
	Edited string `json:"edited,omitempty"`

	// File is the file to format, or the one with the cursor.
	File string `json:"file,omitempty"`
}

// File is a file of the page.
type File struct {
	Path string `json:"path"`
	Data string `json:"data"`
}

// Response is the answer. Which fields are set depends on what the request wants.
type Response struct {
	// Failed means that there is no output, and that the diagnostics have errors.
	Failed      bool         `json:"failed"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`

	Screen    string   `json:"screen,omitempty"` // what a terminal shows of the command in Args
	Output    string   `json:"output,omitempty"` // the documents
	Texts     []File   `json:"texts,omitempty"`  // files that are not YAML
	Prints    []string `json:"prints,omitempty"` // what templates print
	Truncated bool     `json:"truncated,omitempty"`

	// Project means that there is a weft.yml. Environment is the environment that was rendered.
	Project      bool     `json:"project,omitempty"`
	Environments []string `json:"environments,omitempty"`
	Environment  string   `json:"environment,omitempty"`

	// Form describes the data values: their JSON Schema, and their values.
	Form *Form `json:"form,omitempty"`

	Explain   json.RawMessage `json:"explain,omitempty"` // the output of weft explain -o json
	Blame     json.RawMessage `json:"blame,omitempty"`   // see weft.BlameReport.WriteLines
	Diff      *Diff           `json:"diff,omitempty"`
	Suggested *Suggested      `json:"suggested,omitempty"`
	Formatted *string         `json:"formatted,omitempty"`

	Millis float64 `json:"millis"` // how long it took
}

// Form is what the page builds a form from.
type Form struct {
	Schema json.RawMessage `json:"schema"`
	Values json.RawMessage `json:"values,omitempty"` // missing if the values have errors
}

// Diff is how the output differs from the pinned one.
type Diff struct {
	Same  bool   `json:"same"`
	Text  string `json:"text"`  // the output of weft diff
	Patch string `json:"patch"` // a unified diff
}

// Suggested is how the sources must change to produce the edited output.
type Suggested struct {
	Text  string `json:"text"`            // the output of weft suggest
	Files []File `json:"files,omitempty"` // the changed and new files; none if nothing is suggested
}

// Limits limit a run.
type Limits struct {
	Steps  uint64        // steps of the code of one file
	Time   time.Duration // time for everything that a request wants
	Memory uint64        // in bytes
}

// want is something that a page may request.
type want struct {
	name string
	make func(*run)
}

// wanted and then wantedLater are what a page may request, in the order in which it is computed.
var wanted = []want{
	{"screen", (*run).screen},
	{"output", (*run).output},
	{"form", (*run).form},
	{"explain", (*run).explain},
	{"blame", (*run).blame},
}

// Run answers a request. There is always a response: errors are diagnostics in it.
func Run(ctx context.Context, req Request, limits Limits) (res Response) {
	began := time.Now()
	defer func() {
		if v := recover(); v != nil { // a bug in weft must not end the page
			res = Failure(fmt.Sprintf("internal error: %v; please report it", v))
		}
		res.Millis = float64(time.Since(began).Microseconds()) / 1000
	}()
	cmd, problem := req.command()
	if problem != "" {
		return Failure(problem)
	}
	ctx, cancel := budget.Timeout(ctx, limits.Time, limits.tooLong(), "")
	defer cancel()
	ctx = budget.WithHint(ctx, "let the code do less at once; this page has the limit, weft render may use more")
	ctx, stop := weft.LimitMemory(ctx, limits.Memory)
	defer stop()
	r := &run{req: req, limits: limits, command: cmd}
	r.ctx = weft.WithRedactor(ctx, &r.redactor)
	if err := r.open(); err != nil {
		r.fail(err)
		return r.res
	}
	for _, w := range slices.Concat(wanted, wantedLater) {
		if slices.Contains(req.Want, w.name) {
			w.make(r)
		}
	}
	return r.res
}

// Failure returns a response to a request that cannot be answered.
func Failure(message string) Response {
	return Response{Failed: true, Diagnostics: []Diagnostic{{
		Severity: string(weft.SeverityError), Message: message,
	}}}
}

// run is the state of one request.
type run struct {
	ctx     context.Context
	req     Request
	limits  Limits
	command command
	base    weft.Options // without what the project says
	opts    weft.Options
	lints   weft.LintOptions
	lists   weft.Sequences // where lists begin, according to the project
	res     Response

	redactor weft.Redactor // knows the secrets of the run
}

// open finds out what to render.
func (r *run) open() error {
	base := r.command.opts
	base.FS = memory(r.req.Files)
	base.Format = formats.Get()[r.command.format]
	base.Limits.Steps = r.limits.Steps
	base.Observe.Print = r.print
	r.base, r.opts = base, base
	if len(base.Inputs) > 0 || r.command.isAboutFiles() {
		return nil
	}
	p, err := weft.OpenProject(r.ctx, weft.ProjectOptions{FS: base.FS, Path: r.command.project})
	if err == weft.ErrNoProject && !r.namesEnvironment() {
		r.base.Inputs = []string{"."}
		r.opts.Inputs = r.base.Inputs
		return nil
	}
	r.res.Project = true
	if err != nil {
		return err
	}
	return r.project(p, base)
}

// project renders an environment of a project.
func (r *run) project(p *weft.Project, base weft.Options) (err error) {
	r.res.Environments = p.Names()
	if r.command.name != "" && slices.Contains(r.res.Environments, r.command.word(0)) {
		r.command.environment = r.command.word(0)
	}
	env := r.command.environment
	if !r.namesEnvironment() && !slices.Contains(r.res.Environments, env) { // it may have been renamed while the user typed
		if env, err = p.Default(); err != nil {
			env = r.res.Environments[0]
		}
	}
	r.res.Environment = env
	r.lints = p.LintSettings(r.lints)
	r.lists = p.FormatSettings(weft.FormatOptions{}).Sequences
	opts, err := p.Options(env, base)
	if err != nil {
		return err
	}
	opts.Limits.Steps = min(opts.Limits.Steps, r.limits.Steps)
	r.opts = opts
	return nil
}

// namesEnvironment reports whether an environment is part of a command. That of the page is a
// choice from a list.
func (r *run) namesEnvironment() bool { return r.req.Args != nil && r.command.environment != "" }

var formats = lazy.Value[map[string]weft.Format]{New: func() map[string]weft.Format {
	return map[string]weft.Format{
		"": weft.YAML, "yaml": weft.YAML, "json": weft.JSON, "pos": weft.Pos,
	}
}}

// fail adds an error to the answer.
func (r *run) fail(err error) {
	r.res.Failed = true
	r.addNew(problems(weft.ErrorOf(r.shownError(err)).Diagnostics()))
}

// shownError is an error in the words of the page.
func (r *run) shownError(err error) error {
	if r.ctx.Err() == context.DeadlineExceeded && !isTimeout(err) {
		return errors.New(r.limits.tooLong())
	}
	return err
}

// tooLong returns the error that the time is over.
func (l Limits) tooLong() string {
	return fmt.Sprintf("stopped after %s: the code takes too long", l.Time.Round(min(l.Time, time.Second)/10))
}

// isTimeout reports whether an error means that the time is over. Such an error may have a place.
func isTimeout(err error) bool {
	e, ok := errors.AsType[*weft.Error](err)
	return ok && slices.ContainsFunc(e.Diagnostics(), func(d weft.Diagnostic) bool {
		return d.Code == string(budget.CodeTime)
	})
}

// print keeps what templates print, without duplicates: several wants evaluate the same templates.
func (r *run) print(line string) {
	if len(r.res.Prints) < maxPrints {
		r.res.Prints = append(r.res.Prints, clip(line, longestPrint))
	}
}

func (r *run) output() {
	res, err := weft.Render(r.ctx, r.opts)
	r.opts.Observe.Print = nil
	if err != nil {
		r.fail(err)
		return
	}
	r.addNew(problems(res.Warnings().Diagnostics()))
	var b bytes.Buffer
	_, _ = res.WriteTo(&b) // writing to a buffer cannot fail
	r.res.Output = r.limited(b.String())
	for _, f := range res.Texts() {
		r.res.Texts = append(r.res.Texts, File{f.Path, r.limited(string(f.Data))})
	}
}

// form describes the data values. Errors in them are reported with the output.
func (r *run) form() {
	opts := r.opts
	opts.Observe.Print = nil
	opts.Format = weft.JSON
	schema, err := weft.InspectSchema(r.ctx, opts, weft.JSONSchema)
	if err != nil {
		return
	}
	f := &Form{Schema: one(schema)}
	opts.DisableValidation = true
	if values, err := weft.InspectDataValues(r.ctx, opts); err == nil {
		f.Values = one(values)
	}
	if len(f.Schema)+len(f.Values) <= largestReport {
		r.res.Form = f
	}
}

// one returns a result of one document as JSON.
func one(res *weft.Result) json.RawMessage {
	var b bytes.Buffer
	_, _ = res.WriteTo(&b)
	if b.Len() == 0 {
		return nil
	}
	return b.Bytes()
}

// explain returns what overlays did, even if the run fails, because that is when users want to know.
func (r *run) explain() {
	opts := r.opts
	opts.Observe.Print = nil
	x, err := weft.Explain(r.ctx, opts, weft.ExplainOptions{})
	if r.ctx.Err() != nil {
		r.fail(err)
		return
	}
	r.res.Explain = r.report(x, weft.ReportOptions{Format: weft.JSON})
}

func (r *run) blame() {
	opts := r.opts
	opts.Observe.Print = nil
	opts.Keep = weft.KeepNothing // the lines of blame are those of canonical output
	b, err := weft.Blame(r.ctx, opts, weft.BlameOptions{})
	if err == nil {
		r.res.Blame = r.report(b, weft.ReportOptions{Format: weft.JSON, Lines: true})
	} else if !r.res.Failed {
		r.fail(err)
	}
}
