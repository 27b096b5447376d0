package override

import (
	"context"
	"strings"

	"weft/internal/diag"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// cekitArgument reads an override as CEKit does: both options take either. An argument is a URL, "-" for standard input, or YAML; and YAML that is nothing but a text is the path of a file.
func (r *Reader) cekitArgument(ctx context.Context, a Argument, name string) ([]tree.Document, error) {
	if a.Text == "-" || parseURL(a.Text) != nil {
		return r.checked(r.file(ctx, a.Text))
	}
	docs, err := r.text(name, []byte(a.Text), true)
	if err != nil {
		list := diag.Of(err)
		for _, d := range list {
			d.Message = "Cannot load descriptor: " + d.Message
		}
		return nil, list
	}
	if len(docs) == 1 && docs[0].Value.Kind() == tree.ScalarKind {
		if kind, _, _ := pyResolve(docs[0].Value); kind == pyStr {
			return r.checked(r.file(ctx, a.Text))
		}
	}
	return r.checked(docs, nil)
}

// checked refuses what CEKit's reader does.
func (r *Reader) checked(docs []tree.Document, err error) ([]tree.Document, error) {
	for _, d := range docs {
		if list := unreadableByCEKit(d.Value); list != nil && err == nil {
			err = list
		}
	}
	return docs, err
}

// unreadableByCEKit finds tags that CEKit does not know, and `=`, which its reader has no value for.
func unreadableByCEKit(v tree.Value) error {
	t, n, ok := v.Syntax()
	if !ok {
		return nil
	}
	for i := n; i < t.Next(n); i++ {
		switch {
		case t.Kind(i) == yaml.Alias:
		case t.HasTag(i) && t.Tag(i) != "!" && !strings.HasPrefix(t.Tag(i), "tag:yaml.org,2002:"):
			return diag.Errorf(t.Span(i), CodeSchema, "Cannot load descriptor: CEKit does not know the tag %s", t.Tag(i))
		case t.Kind(i) == yaml.Scalar && t.Style(i) == yaml.Plain && string(t.Raw(i)) == "=" && !t.HasTag(i):
			return diag.Errorf(t.Span(i), CodeSchema, "Cannot load descriptor: CEKit cannot read a plain =").WithHint("put it in quotes")
		}
	}
	return nil
}
