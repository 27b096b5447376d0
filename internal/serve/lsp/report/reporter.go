// Package report evaluates the files of a workspace and publishes diagnostics.
//
// A Reporter observes the folders of a workspace.Session. After each edit it checks a folder in three
// tiers, from quick to thorough; the next edit cancels tiers that are not done:
//
//  1. each open document by itself: syntax errors, names that are not defined
//  2. the document that has changed, evaluated with what is known about the other files
//  3. after a pause, all environments of the open projects, then the linter
//
// At rest, a client has the diagnostics that `weft render` and `weft lint` print. While the user
// types, a file with errors is evaluated in its last version without errors, so that diagnostics of
// other files do not come and go with each key.
//
//	reporter.go   folders, and what features need
//	tiers.go      what is evaluated, and when
//	bulk.go       when garbage is collected
//	requests.go   requests that are being answered, for which tier 3 waits
//	lint.go       what the linter finds, at the end of tier 3
//	own.go        what is wrong in test files and in configurations of functions
//	functions.go, functions_playground.go  checks configurations of functions; none in a browser
//	findings.go   what the tiers have found in a file
//	convert.go    findings → diagnostics of the protocol
//	publish.go    diagnostics of a file → the client, if they have changed
package report

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Options says how a Reporter works. All functions must be set.
type Options struct {
	// Debounce is how long nothing must change before everything is evaluated.
	Debounce time.Duration

	// Publish is called with the diagnostics of a file, one call at a time.
	Publish func(protocol.PublishDiagnosticsParams)

	// Refresh is called when requests would have another answer although nothing was edited.
	Refresh func(Refresh)

	// Unknown is called once per folder, with an open document for which it is unknown which files
	// are rendered together with it.
	Unknown func(*workspace.TextDocument)

	// Log receives lines for people who look for a problem.
	Log func(format string, args ...any)
}

// Refresh is a set of requests that clients should send again.
type Refresh uint8

// The requests whose answers depend on evaluations.
const (
	RefreshHints Refresh = 1 << iota
	RefreshLenses
	RefreshTokens
)

// Reporter publishes the diagnostics of a workspace. Its methods may be called from several
// goroutines.
type Reporter struct {
	opt       Options
	requests  requests
	published published

	mu      sync.Mutex
	folders map[*workspace.Folder]*folder
}

// New returns a Reporter for one workspace.Session, which calls Observe.
func New(opt Options) *Reporter {
	return &Reporter{opt: opt, folders: map[*workspace.Folder]*folder{}}
}

// folder is what is known about a workspace folder.
type folder struct {
	*workspace.Folder
	reporter *Reporter
	bulk     bulk

	mu        sync.Mutex
	work      work
	analyzed  map[string]analyzed  // what tier 1 has seen, by path
	evaluated map[string]evaluated // what tier 2 has seen, by path
	linted    map[string]linted    // what the linter has found, by key of the project
	lintedOf  map[string]lintedOf  // what it has looked at, by key of the project
	rest      rest
	sent      map[string]protocol.PublishDiagnosticsParams // what was sent, by path
	unread    string                                       // see unreadChanged
	asked     bool                                         // Options.Unknown was called

	sending sync.Mutex // held while diagnostics are sent, so that the newest ones are sent last
}

// Observe begins to report a folder.
func (r *Reporter) Observe(of *workspace.Folder) workspace.Observer {
	f := &folder{
		Folder: of, reporter: r, work: newWork(), linted: map[string]linted{}, lintedOf: map[string]lintedOf{},
		analyzed: map[string]analyzed{}, evaluated: map[string]evaluated{},
		sent: map[string]protocol.PublishDiagnosticsParams{},
	}
	r.mu.Lock()
	r.folders[of] = f
	r.mu.Unlock()
	go f.runQuickTiers()
	go f.deeply()
	return workspace.Observer{Changed: f.begin, Closed: func() { r.forget(f) }}
}

// forget stops the work on a folder, and withdraws its diagnostics.
func (r *Reporter) forget(f *folder) {
	r.mu.Lock()
	delete(r.folders, f.Folder)
	r.mu.Unlock()
	f.end()
	r.withdraw(f)
}

// Close makes the Reporter publish nothing from now on.
func (r *Reporter) Close() {
	r.published.mu.Lock()
	defer r.published.mu.Unlock()
	r.published.closed = true
}

// Settle waits until there is nothing left to do: all diagnostics have been published. The error is
// that of ctx.
func (r *Reporter) Settle(ctx context.Context) error {
	r.mu.Lock()
	folders := slices.Collect(maps.Values(r.folders))
	r.mu.Unlock()
	for _, f := range folders {
		if err := f.settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Finding is a diagnostic of a document, in the form of the client and in that of weft.
type Finding struct {
	Published protocol.Diagnostic
	Of        *diag.Diagnostic
	Files     *source.Set // the files that places in Of refer to
	Lint      bool        // it was found by the linter
	Safe      bool        // its fix does not change the output
}

// Findings returns the diagnostics of a document, except for those about text that has changed.
func (r *Reporter) Findings(d *workspace.TextDocument) []Finding {
	f := r.folderOf(d)
	if f == nil {
		return nil
	}
	var list []Finding
	for _, x := range f.findings(d.Snapshot(), d.Path(), f.outcomes()) {
		if p, ok := convert(d.Snapshot(), x); ok {
			list = append(list, Finding{p, x.Diagnostic, x.files, x.lint, x.safe})
		}
	}
	return list
}

// codeUnread is the code of data values that nothing reads.
const codeUnread diag.Code = "values/unread"

// Unread returns the keys of data values in a document that nothing reads, as far as the linter knows.
func (r *Reporter) Unread(d *workspace.TextDocument) []source.Span {
	f := r.folderOf(d)
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []source.Span
	for _, l := range f.linted {
		for _, x := range l[d.Path()] {
			if x.Code == codeUnread && x.files.File(x.At.Pos).SameText(d.File()) {
				list = append(list, d.File().Span(x.At.Offset(), x.At.End()))
			}
		}
	}
	return list
}

// folderOf returns the folder of a document, or nil if it was closed.
func (r *Reporter) folderOf(d *workspace.TextDocument) *folder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folders[d.Snapshot().Folder()]
}
