package cekit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Adapt makes a reader read descriptors and overrides as CEKit does.
func Adapt(r *override.Reader) {
	a := reader{r}
	r.Check, r.Argument, r.AnyKind = readable, a.argument, true
}

type reader struct{ *override.Reader }

// argument reads an override; both flags accept the same. An argument is a URL, "-" for standard
// input, or YAML. YAML that is just a string is the path of a file.
func (r reader) argument(
	ctx context.Context, a override.Argument, name string,
) ([]tree.Doc, error) {
	if a.Text == "-" || load.IsURL(a.Text) {
		return r.file(ctx, a.Text)
	}
	docs, err := r.Text(name, []byte(a.Text), true)
	if err != nil {
		list := diag.Of(err)
		for _, d := range list {
			d.Message = "Cannot load descriptor: " + d.Message
		}
		return nil, list
	}
	if len(docs) == 1 && docs[0].Value.Kind() == tree.ScalarKind {
		if kind, _, _ := pyResolve(docs[0].Value); kind == pyStr {
			return r.file(ctx, a.Text)
		}
	}
	return docs, readable(docs)
}

func (r reader) file(ctx context.Context, p string) ([]tree.Doc, error) {
	docs, err := r.File(ctx, p)
	if err == nil {
		return docs, readable(docs)
	}
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.Code == load.CodeNotFound {
		d.Code, d.Message = override.CodeArgument, fmt.Sprintf(
			"Descriptor ('%s') could not be found on the path, please check your arguments!",
			load.DiskPath(p),
		)
	}
	return docs, err
}

// readable rejects what CEKit's reader rejects.
func readable(docs []tree.Doc) error {
	for _, d := range docs {
		if err := unreadable(d.Value); err != nil {
			return err
		}
	}
	return nil
}

// unreadable finds tags that CEKit does not know, and `=`, which its reader cannot convert.
func unreadable(v tree.Value) error {
	t, n, ok := v.Syntax()
	if !ok {
		return nil
	}
	for i := n; i < t.Next(n); i++ {
		switch {
		case t.Kind(i) == yaml.Alias:
		case t.HasTag(i) && t.Tag(i) != "!" && !strings.HasPrefix(t.Tag(i), "tag:yaml.org,2002:"):
			return diag.Errorf(
				t.Span(i),
				CodeSchema,
				"Cannot load descriptor: CEKit does not know the tag %s",
				t.Tag(i),
			)
		case t.Kind(i) == yaml.Scalar && t.Style(i) == yaml.Plain && string(t.Raw(i)) == "=" && !t.HasTag(i):
			return diag.Errorf(t.Span(i), CodeSchema, "Cannot load descriptor: CEKit cannot read a plain =").
				WithHint("put it in quotes")
		}
	}
	return nil
}
