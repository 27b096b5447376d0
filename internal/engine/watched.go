package engine

import (
	"context"
	"slices"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Watched is what the templates of a project have seen in an evaluation: data values and files. It tells
// whether they would do the same after files have changed.
type Watched struct {
	inputs    []load.Input
	declaring []int            // the indexes of inputs that only declare data values
	rest      compile.Mentions // what the code of the other inputs may read
	values    tree.Value
	secrets   []string
	reads     *tree.Reads
	uses      *eval.Uses
}

// watched returns what the templates have seen. It is nil if that was not requested, or if not everything
// that they depend on is known.
func (e *evaluation) watched() *Watched {
	c := e.config
	if !c.WarnUnused || e.final == nil || e.final.typ.Computes() ||
		len(c.Generators)+len(c.Overrides)+len(c.Load.Libraries) > 0 {
		return nil
	}
	w := &Watched{
		inputs: e.session.inputs, values: e.final.stack.Value,
		secrets: slices.Clone(e.secrets), reads: e.reads[""], uses: e.uses,
	}
	w.rest.Join(&e.mentions().rest)
	declaring, _ := Declaring(e.session.Analyse(e.ctx))
	for i, in := range w.inputs { // both are in order
		if len(declaring) > 0 && declaring[0].File == in.File {
			w.declaring, declaring = append(w.declaring, i), declaring[1:]
		}
	}
	return w
}

// Declaring returns the analyses of the files that only declare data values, in a session for which w holds.
func (w *Watched) Declaring(ctx context.Context, s *Session) []*compile.Analysis {
	inputs := make([]load.Input, len(w.declaring))
	for i, index := range w.declaring {
		inputs[i] = s.inputs[index]
	}
	return s.analyse(ctx, inputs)
}

// Holds reports whether the templates of another session, which has the same configuration and these data
// values, would do the same. That is the case if the data values that they have read and secrets are the
// same, and if files differ only in what they declare. It returns the files that are the same.
func (w *Watched) Holds(
	ctx context.Context, s *Session, values *Result,
) (same map[*source.File]bool, ok bool) {
	if len(s.inputs) != len(w.inputs) || len(values.Docs) != 1 ||
		!w.reads.Alike(w.values, values.Docs[0].Value, edit.Identical) || !slices.Equal(w.secrets, values.Secrets) {
		return nil, false
	}
	same = make(map[*source.File]bool, len(w.inputs))
	for i, was := range w.inputs {
		now := s.inputs[i]
		switch {
		case !was.SameKind(now):
			return nil, false
		case was.File == nil: // it is read on demand, so nothing is known about its text
			if w.uses.Has(was.Path) {
				return nil, false
			}
		case was.File.SameText(now.File):
			same[was.File] = true
		case w.uses.Has(was.Path) || !slices.Contains(w.declaring, i) || !s.onlyDeclares(ctx, now):
			return nil, false
		}
	}
	return same, true
}

func (s *Session) onlyDeclares(ctx context.Context, in load.Input) bool {
	list := s.analyse(ctx, []load.Input{in})
	return len(list) == 1 && onlyDeclares(list[0])
}

// Unread returns the warnings about data values that no template reads, if templates do the same as in the
// evaluation that w is of. declaring are the files that only declare data values.
func (w *Watched) Unread(values tree.Value, declaring []*compile.Analysis) diag.List {
	now := mentioned{rest: w.rest}
	for _, a := range declaring {
		now.declaring.Add(a)
	}
	if code := now.all(); !code.Nothing() {
		return unreadIn(values, "", w.reads, code)
	}
	return nil
}
