package weft

import (
	"bytes"
	"context"
	"io"

	"weft/internal/lang/secret"
	"weft/internal/origin/compare"
)

// Redactor hides the secrets of runs in what a program prints about them: in messages, reports and
// logs. It learns them from all calls whose context comes from WithRedactor. The zero value is ready
// to use. It is safe for concurrent use.
type Redactor struct{ keeper secret.Keeper }

// WithRedactor returns a context whose calls report their secrets to r.
func WithRedactor(ctx context.Context, r *Redactor) context.Context {
	return secret.WithKeeper(ctx, &r.keeper)
}

// Redact hides all secrets in a text, even if they are quoted, escaped or in base64.
func (r *Redactor) Redact(text []byte) []byte { return r.keeper.Mask(text) }

// withoutData writes a diff of files without the data of Kubernetes Secrets in them.
func withoutData(w io.Writer, texts []compare.Text, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	var list []string
	for _, t := range texts {
		list = secret.TextsIn(secret.TextsIn(list, t.Old), t.New)
	}
	var rules secret.Rules
	rules.Hide(list)
	_, err := io.WriteString(w, rules.MaskWritten(b.String()))
	return err
}
