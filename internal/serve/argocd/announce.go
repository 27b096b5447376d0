package argocd

import (
	"bytes"
	"context"
	"strings"

	"weft"
	"weft/internal/engine/emit"
	"weft/internal/lang/tree"
)

// Announcement is a parameter in the form that Argo CD reads.
type Announcement struct {
	Name           string            `json:"name"`
	Title          string            `json:"title,omitempty"`
	Tooltip        string            `json:"tooltip,omitempty"`
	ItemType       string            `json:"itemType,omitempty"`       // string, number or boolean
	CollectionType string            `json:"collectionType,omitempty"` // string, array or map
	String         string            `json:"string,omitempty"`
	Array          []string          `json:"array,omitempty"`
	Map            map[string]string `json:"map,omitempty"`
}

// Announce lists the parameters of a run with these options: one for each data value that is not a
// map, named by its path. A list of scalars is a list. Other values that parameters cannot have are
// shown as JSON, and can be set as YAML. Values that the schema marks as secret are left out.
func Announce(ctx context.Context, opts weft.Options) ([]Announcement, error) {
	var secrets weft.Redactor
	d, err := inspect(weft.WithRedactor(ctx, &secrets), opts)
	if err != nil {
		return nil, err
	}
	all := d.announce([]Announcement{}, "")
	for i := range all { // a JSON Schema may mark secrets too
		if shown := all[i].String + strings.Join(all[i].Array, "\n"); string(secrets.Redact([]byte(shown))) != shown {
			all[i].String, all[i].Array = "", nil
		}
	}
	return all, nil
}

func (d declared) announce(all []Announcement, path string) []Announcement {
	secret := d.schema.TextAt("writeOnly") == "true"
	if d.values.Kind() == tree.MapKind && !secret && (path == "" || !d.values.Empty()) {
		for _, e := range d.values.Entries() {
			all = d.below(e.Key.Text()).announce(all, join(path, e.Key.Text()))
		}
		return all
	}
	if d.values.IsNull() && path == "" {
		return all // there are no data values
	}
	a := Announcement{
		Name: path, Title: d.schema.TextAt("title"), Tooltip: d.schema.TextAt("description"),
		ItemType: itemType(d.typeName()), CollectionType: "string",
	}
	switch {
	case d.values.IsNull(), secret:
	case d.values.Kind() == tree.ScalarKind:
		a.String = text(d.values)
	case d.values.Kind() == tree.ArrayKind && d.scalars():
		a.CollectionType, a.ItemType = "array", itemType(d.items().typeName())
		for v := range d.values.Elements() {
			a.Array = append(a.Array, text(v))
		}
	default:
		a.String = text(d.values)
	}
	return append(all, a)
}

// scalars reports whether the items of a list are scalars.
func (d declared) scalars() bool {
	for v := range d.values.Elements() {
		if v.Kind() != tree.ScalarKind {
			return false
		}
	}
	switch d.items().typeName() {
	case "object", "array":
		return false
	}
	return true
}

// itemType returns Argo CD's name for a type, or "" if it has none.
func itemType(name string) string {
	switch name {
	case "string", "boolean", "number":
		return name
	case "integer":
		return "number"
	}
	return ""
}

// text returns a value as text: a string unchanged, and other values as JSON.
func text(v tree.Value) string {
	if v.TypeName() == "string" {
		return v.Text()
	}
	var b bytes.Buffer
	// In a list, because empty documents are not printed.
	list := tree.Of(tree.NewArray([]tree.Item{{Value: v}}, v.Start()))
	_, _ = emit.JSON(&b, []tree.Doc{{Value: list}}) // writing to a buffer cannot fail
	return string(bytes.TrimSuffix(bytes.TrimPrefix(b.Bytes(), []byte("[")), []byte("]\n")))
}
