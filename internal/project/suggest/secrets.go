package suggest

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// This file keeps secret data values out of files that do not have them, and what takes their place, too: the
// new password is a secret.

// replacement is a text that takes the place of secret data values.
type replacement struct {
	text string
	of   []string
	// They are defaults of the schema. A default is no secret yet, and the file that gets the first secret
	// does not have it.
	first bool
}

// gains reports whether the new text of a file has a secret that the old one does not have, in any form. What
// replaces a secret may be where the secret was.
func (s *search) gains(old, now string) bool {
	return gains(s.res.Secrets, old, now) || slices.ContainsFunc(s.fresh, func(x replacement) bool {
		return !x.first && gains([]string{x.text}, old, now) && !holdsAll(x.of, old)
	})
}

// gainsFirst is gains for a new overlay or override: it is no place for the first secret, either.
func (s *search) gainsFirst(old, now string) bool {
	return s.gains(old, now) || slices.ContainsFunc(s.fresh, func(x replacement) bool {
		return x.first && gains([]string{x.text}, old, now)
	})
}

// gains reports whether a new text has one of the secrets that the old one does not have.
func gains(secrets []string, old, now string) bool {
	return slices.ContainsFunc(secrets, func(text string) bool { return holds(text, now) && !holds(text, old) })
}

// holds reports whether a text has a secret, in any form.
func holds(hidden, text string) bool {
	var r secret.Rules
	r.Hide([]string{hidden})
	return text == hidden || r.MaskWritten(text) != text
}

// holdsAll reports whether a text has all of the secrets.
func holdsAll(secrets []string, text string) bool {
	return !slices.ContainsFunc(secrets, func(hidden string) bool { return !holds(hidden, text) })
}

// secretsIn returns those of the secrets that are in a value.
func secretsIn(secrets []string, v tree.Value) (list []string) {
	if len(secrets) == 0 || v.Empty() {
		return nil
	}
	forms := []string{diff.Inline(v), block(v)}
	if v.Kind() == tree.ScalarKind {
		forms = []string{v.Text()}
	}
	for _, hidden := range secrets {
		if slices.ContainsFunc(forms, func(text string) bool { return holds(hidden, text) }) {
			list = append(list, hidden)
		}
	}
	return list
}

// replaces returns the secrets that a change replaces by something else.
func replaces(secrets []string, c *diff.Change) []string {
	if c.Object.A < 0 || c.Object.B < 0 || c.After.Empty() || c.After.IsNull() {
		return nil
	}
	list := secretsIn(secrets, c.Before)
	if len(list) == 0 {
		return nil
	}
	stay := secretsIn(list, c.After)
	return slices.DeleteFunc(list, func(hidden string) bool { return slices.Contains(stay, hidden) })
}

// findReplacements finds what replaces secret data values. The default of a schema is not a secret yet: it
// comes with the project, and may be replaced anywhere. What replaces it is one.
func (s *search) findReplacements() {
	if len(s.res.Secrets) == 0 {
		return
	}
	defaults := map[string]bool{}
	s.eachDefault(s.values, nil, func(text string) { defaults[text] = true })
	s.guarded = slices.DeleteFunc(slices.Clone(s.res.Secrets), func(text string) bool { return defaults[text] })
	known := len(s.guarded)
	for _, c := range s.difference(s.docs).Changes {
		of := replaces(s.res.Secrets, &c)
		if len(of) == 0 {
			continue
		}
		guarded := replaces(s.guarded[:known], &c)
		for _, text := range newTexts(&c) {
			if len(guarded) == 0 {
				s.fresh = append(s.fresh, replacement{text, of, true})
				continue
			}
			s.fresh = append(s.fresh, replacement{text, guarded, false})
			s.guarded = append(s.guarded, text)
		}
	}
}

// eachDefault calls f for the texts of data values that are defaults of a schema.
func (s *search) eachDefault(v tree.Value, way []tree.Step, f func(text string)) {
	if v.Kind() == tree.ScalarKind {
		layers := s.blame.DataValueAt(s.own, way).Layers
		if len(layers) > 0 && layers[len(layers)-1].By == tree.ByDefault {
			f(v.Text())
		}
		return
	}
	for i, it := range entriesOf(v) {
		step := tree.Step{Index: i}
		if v.Kind() == tree.MapKind {
			step = tree.Step{Key: tree.KeyText(it.Key), Index: -1}
		}
		s.eachDefault(it.Value, append(slices.Clip(way), step), f)
	}
}

// shortestFresh is the minimum length of a new secret that is looked for in other text.
const shortestFresh = 4

// newTexts returns the texts that a change writes in place of a secret: the new value, and what differs in
// it.
func newTexts(c *diff.Change) (list []string) {
	add := func(text string) {
		if text = strings.TrimSpace(text); len(text) >= shortestFresh && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if c.After.Kind() != tree.ScalarKind {
		for _, it := range entriesOf(c.After) {
			below := *c
			below.After = it.Value
			list = append(list, newTexts(&below)...)
		}
		return list
	}
	now := c.After.Text()
	add(now)
	if c.Before.Kind() == tree.ScalarKind {
		was := c.Before.Text()
		for was != "" && now != "" && was[0] == now[0] {
			was, now = was[1:], now[1:]
		}
		for was != "" && now != "" && was[len(was)-1] == now[len(now)-1] {
			was, now = was[:len(was)-1], now[:len(now)-1]
		}
		add(now)
	}
	return list
}

// mayReplace returns an error if a change in place writes what replaces a secret to a file that does not have
// the secret. A data value that is not secret may be set, even if it is next to one in a text.
func (s *search) mayReplace(e edited, file, old string) error {
	for _, x := range s.fresh {
		if v, _ := tree.At(s.values, e.leaf); !x.first || e.kind == Value && len(secretsIn(x.of, v)) > 0 {
			continue // the data value gets its first secret
		}
		for _, c := range e.choices {
			if len(secretsIn([]string{x.text}, c.change.After)) > 0 {
				return s.refuse(&c.change, file)
			}
		}
	}
	if e.kind == Value {
		if v, _ := tree.At(s.values, e.leaf); len(secretsIn(s.guarded, v)) == 0 {
			return nil
		}
	}
	for _, c := range e.choices {
		if of := replaces(s.guarded, &c.change); len(of) > 0 && !holdsAll(of, old) {
			return s.refuse(&c.change, file)
		}
	}
	return nil
}

// refuse returns why a file cannot have what replaces a secret.
func (s *search) refuse(c *diff.Change, file string) error {
	return diag.Failf(diff.CodeSecret, "%s replaces a secret, and '%s' would have the new one as text",
		s.whereFrom(c), file).
		WithHint("set the data value where the secret is now; everything that reads it changes, too")
}

// whereFrom returns the place of a change, and where its value comes from.
func (s *search) whereFrom(c *diff.Change) string {
	where := c.Object.Name.String() + " " + c.Path.String()
	if doc, known := s.today(c); known {
		if from := s.blame.Source(doc, c.Path); from != "" {
			where += ", which comes from " + from + ","
		}
	}
	return s.rules.MaskText(where)
}

// keepsSecrets returns an error if files of a plan gain secrets of an environment.
func (p *Plan) keepsSecrets(env string, secrets []string) error {
	for _, f := range p.Files {
		if gains(secrets, string(f.Old), string(f.New)) {
			return diag.Failf(diff.CodeSecret, "'%s' would have a secret of environment '%s' as text", f.Path,
				env).WithHint("read a data value that is marked as secret in its place")
		}
	}
	return nil
}

// refuseSecret returns why a new overlay or override cannot have what it would need: a secret data value is
// part of a text that was edited.
func (s *search) refuseSecret(docs []tree.Doc, file string) error {
	where := "the edited output"
	for _, c := range s.difference(docs).Changes {
		if c.Object.A >= 0 && (s.gainsFirst("", diff.Inline(c.After)) || s.gainsFirst("", block(c.After))) {
			where = s.whereFrom(&c)
			break
		}
	}
	return diag.Failf(diff.CodeSecret, "%s contains a secret, and '%s' would have it as text", where, file).
		WithHint("change the template, or a data value that it reads")
}

// keepSecret returns the error that says more: that a secret would be written down, or the last one.
func keepSecret(failed, err error) error {
	if failed != nil && slices.ContainsFunc(diag.FailureOf(failed).List, func(d *diag.Diagnostic) bool {
		return d.Code == diff.CodeSecret
	}) {
		return failed
	}
	return err
}
