package suggest

import (
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
	"weft/internal/origin/diff"
)

// This file keeps secret data values out of files that do not have them.

// gains reports whether the new text of a file has a secret data value that the old one does not have, in any
// form.
func (s *search) gains(old, now string) bool {
	return slices.ContainsFunc(s.res.Secrets, func(text string) bool {
		var r secret.Rules
		r.Hide([]string{text})
		return r.MaskWritten(now) != now && r.MaskWritten(old) == old
	})
}

// refuseSecret returns why a new overlay or override cannot have what it would need: a secret data value is
// part of a text that was edited.
func (s *search) refuseSecret(docs []tree.Doc, file string) error {
	where := "the edited output"
	for _, c := range s.difference(docs).Changes {
		if c.Object.A < 0 || !s.gains("", diff.Inline(c.After)) && !s.gains("", block(c.After)) {
			continue
		}
		where = c.Object.Name.String() + " " + c.Path.String()
		if doc, known := s.today(&c); known {
			if from := s.blame.Source(s.numbers[doc], c.Path); from != "" {
				where += ", which comes from " + from + ","
			}
		}
		break
	}
	return diag.Failf(diff.CodeSecret, "%s contains a secret, and '%s' would have it as text",
		s.rules.MaskText(where), file).
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
