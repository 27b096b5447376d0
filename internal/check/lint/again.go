package lint

import (
	"context"
	"slices"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Seen is what the linter has found in an evaluation, besides what follows from files and data values. It is
// found again as long as templates do the same: see Again.
type Seen struct {
	watched *engine.Watched
	found   diag.Failure
	rest    *facts // of all other files
}

// Seen returns what was found in the evaluation that was added last. It is nil if that failed, or if not
// everything is known that the findings depend on.
func (l *Linter) Seen() *Seen { return l.last }

func (l *Linter) noteSeen(env Environment, res *engine.Result, found diag.List, rest *facts) {
	if res.Watched != nil && env.Schemas.Version == "" && len(l.options.Select) == 0 {
		l.last = &Seen{res.Watched, diag.Failure{Files: res.Files, List: found}, rest}
	}
}

// Again is an evaluation that need not be done, because templates would do the same as before.
type Again struct {
	of        *Seen
	values    *engine.Result
	declaring []*compile.Analysis
}

// Again returns the evaluation of a session with origins, if its templates would do the same as in the run:
// then only data values are computed. It returns nil if they may do something else, if a finding is about
// something in a file that has changed, and if something is wrong.
func (r *Seen) Again(ctx context.Context, s *engine.Session) *Again {
	values, err := s.Evaluate(ctx, engine.Request{Goal: engine.DataValues})
	if err != nil {
		return nil
	}
	same, ok := r.watched.Holds(ctx, s, values)
	moved := func(d *diag.Diagnostic) bool { return !r.isOnlyAbout(d, same) }
	if !ok || slices.ContainsFunc(r.found.List, moved) {
		return nil
	}
	declaring := r.watched.Declaring(ctx, s)
	if ctx.Err() != nil { // some files are missing
		return nil
	}
	return &Again{r, values, declaring}
}

// Declaring returns the analyses of the files that only declare data values. They may have changed.
func (a *Again) Declaring() []*compile.Analysis { return a.declaring }

// aboutDocuments are the rules that report places of documents, which may come from data values.
var aboutDocuments = []diag.Code{
	codeOutputDuplicateObject, codeOutputPatch, codeOverlaySilentAppend, codeOverlayNearKey,
}

// isOnlyAbout reports whether all places of a finding are in some of the files, and always will be.
func (r *Seen) isOnlyAbout(d *diag.Diagnostic, some map[*source.File]bool) bool {
	in := func(s source.Span) bool { return some[r.found.Files.File(s.Pos)] }
	return !slices.Contains(aboutDocuments, d.Code) && (!d.At.IsValid() || in(d.At)) &&
		!slices.ContainsFunc(d.Related, func(r diag.Related) bool { return !in(r.At) }) &&
		(d.Fix == nil || !slices.ContainsFunc(d.Fix.Edits, func(e diag.Edit) bool { return !in(e.At) }))
}

// AddAgain adds the findings of an environment like Add. warnings are those of an evaluation without
// origins.
func (l *Linter) AddAgain(env Environment, s *engine.Session, again *Again, warnings diag.Failure) {
	project := FileSet{Files: again.declaring, PlainComments: env.plainComments()}
	declaring := readFacts(project, project.Files)
	x := begin(s, group{again.of.rest, again.of.found.Files}, group{declaring, s.Files()})
	x.files = again.values.Files
	value := again.values.Docs[0].Value
	x.found = append(x.found, valuesIn(again.values.Origins, value)...)
	x.found = append(x.found, again.of.watched.Unread(value, again.declaring)...)
	l.last = again.of
	l.end(x, again.of.found, warnings)
}
