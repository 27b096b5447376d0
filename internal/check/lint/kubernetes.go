//go:build !playground

package lint

import (
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/check/kubernetes"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// runOutput is the output of a run, and the schemas to check it against.
type runOutput struct {
	Schemas *kubernetes.Schemas
	Docs    []tree.Doc
	Origins *tree.Origins
	Files   *source.Set
	Secrets []string // texts of data values that are secret
	Written bool     // scalars are printed as they are written
}

// validated checks documents against Kubernetes schemas. Each finding is at the place where the
// wrong value was written: in a template, an overlay or an override. The returned set has the files
// of the run, but hides lines with secrets.
func validated(v runOutput) (diag.List, *source.Set) {
	k := validation{runOutput: v, reported: map[mistake]bool{}, unknown: map[kubernetes.Type]bool{}}
	if v.Written {
		k.Docs = v.readByKubectl()
	}
	k.Schemas = v.Schemas.With(k.Docs, nil)
	k.secrets.Hide(v.Secrets)
	for i := range k.Docs {
		for _, o := range kubernetes.Objects(k.Docs[i].Value) {
			k.object(&k.Docs[i], &o)
		}
	}
	return k.found, k.concealed()
}

// readByKubectl returns the documents as kubectl parses the output: as YAML 1.1.
func (v *runOutput) readByKubectl() []tree.Doc {
	docs := slices.Clone(v.Docs)
	for i := range docs {
		docs[i].Value = v.Origins.WithSpelling(docs[i].Value).In11()
	}
	return docs
}

// validation checks the documents of a run against schemas.
type validation struct {
	runOutput
	secrets  secret.Rules
	found    diag.List
	reported map[mistake]bool
	unknown  map[kubernetes.Type]bool // types without a schema that were reported
	hidden   map[string]string        // lines of files that contain secrets, and their replacements
}

// mistake identifies a mistake that several objects share because one line of a template produced
// them.
type mistake struct {
	at      source.Pos
	code    diag.Code
	path    string
	message string
}

// report adds a finding about an object.
func (k *validation) report(
	at source.Span, code diag.Code, o *kubernetes.Object, message string,
) *diag.Diagnostic {
	d := diag.Warningf(at, code, "%s: %s", k.secrets.MaskText(o.String()), message)
	k.found = append(k.found, d)
	return d
}

// object checks one object against its schema.
func (k *validation) object(doc *tree.Doc, o *kubernetes.Object) {
	at := k.field(doc, o, "kind").place()
	if o.Value.Kind() != tree.MapKind || o.APIVersion == "" || o.Kind == "" {
		k.untyped(k.find(doc, o.At).place(), o)
		return
	}
	if o.Name == "" && o.NeedsName() {
		k.report(k.field(doc, o, "metadata").key(), codeKubernetesNoName,
			o, "metadata.name is missing").WithHint("add a name, or generateName")
	}
	schema, err := k.Schemas.Find(o.Type)
	switch {
	case err != nil:
		if !k.unknown[o.Type] {
			k.unknown[o.Type] = true
			k.report(at, codeKubernetesBadSchema, o, "the schema cannot be used: "+err.Error())
		}
	case schema == nil:
		k.noSchema(doc, o)
	default:
		for _, p := range schema.Check(o.Value, o.At) {
			k.problem(doc, o, &p)
		}
	}
}

// field returns a field of an object.
func (k *validation) field(doc *tree.Doc, o *kubernetes.Object, name string) *node {
	return k.find(doc, append(o.At.Clone(), path.ToKey(tree.String(name))))
}

// untyped reports a document that is not an object.
func (k *validation) untyped(at source.Span, o *kubernetes.Object) {
	missing := "apiVersion and kind are missing"
	switch {
	case o.Value.Kind() != tree.MapKind:
		missing = "expected a Kubernetes object, found " + kindOf(o.Value)
	case o.Kind != "":
		missing = "apiVersion is missing"
	case o.APIVersion != "":
		missing = "kind is missing"
	}
	k.report(at, codeKubernetesNoKind, o, missing)
}

func kindOf(v tree.Value) string {
	if v.Kind() == tree.ArrayKind {
		return "a list"
	}
	return "a scalar"
}

// noSchema reports a type without a schema, once.
func (k *validation) noSchema(doc *tree.Doc, o *kubernetes.Object) {
	if k.unknown[o.Type] {
		return
	}
	k.unknown[o.Type] = true
	version, kind := k.field(doc, o, "apiVersion").place(), k.field(doc, o, "kind").place()
	if defined := k.Schemas.Defined(o.Type); len(defined) > 0 {
		k.report(version, codeKubernetesUnknownKind, o, "the CustomResourceDefinition of "+o.Kind+
			" has no version "+o.APIVersion).WithHint("it has %s", strings.Join(defined, ", "))
		return
	}
	versions := k.Schemas.BuiltinVersions(o.Kind)
	if !k.Schemas.ShouldBeBuiltin(o.Type, versions) {
		d := k.report(kind, codeKubernetesNoSchema, o, "there is no schema of "+o.Type.String())
		if strings.Contains(o.APIVersion, ".k8s.io/") { // of Kubernetes itself
			d.WithHint("add its schema to one of the directories with schemas")
			return
		}
		d.WithHint("add its CustomResourceDefinition to the inputs, or a directory with its schema: " +
			"--kubernetes-schemas DIR, or output.validate.schemas in weft.yml")
		return
	}
	message := "Kubernetes " + k.Schemas.Version() + " has no " + o.Type.String()
	if len(versions) > 0 {
		k.report(version, codeKubernetesUnknownKind, o, message).
			WithHint("it has %s of %s", o.Kind, strings.Join(versions, ", "))
		return
	}
	d := k.report(kind, codeKubernetesUnknownKind, o, message)
	if near := k.Schemas.Nearest(o.Type); near != "" {
		d.WithHint("did you mean %s?", near)
	}
}

// problem reports what is wrong with a value.
func (k *validation) problem(doc *tree.Doc, o *kubernetes.Object, p *jsonschema.Problem) {
	n := k.find(doc, p.Path)
	hidden := k.isSecret(o, p.Path, n.value)
	message := p.Message(nil)
	if hidden {
		message = p.Message(func(tree.Value) string { return secret.Hidden })
	}
	code, at := codeKubernetesValue, n.place()
	switch {
	case p.IsUnknown():
		code, at = codeKubernetesUnknownField, n.key()
	case p.IsMissing():
		code, at = codeKubernetesMissingField, n.key()
	case p.IsSchema():
		code = codeKubernetesBadSchema
	}
	field := p.Path[len(o.At):].String()
	same := mistake{at.Pos, code, withoutNumbers(p.Path[len(o.At):]), message}
	if k.reported[same] {
		return // a loop has repeated the same mistake
	}
	k.reported[same] = true
	if field != "" {
		message = field + ": " + message
	}
	d := k.report(at, code, o, k.secrets.MaskText(message))
	d.Hint = p.Hint(n.computed())
	if hidden {
		k.hide(at)
		return
	}
	k.sources(d, n)
	if f := k.Files.File(at.Pos); f != k.Files.File(doc.Pos) && doc.Pos.IsValid() {
		d.WithRelated(spanOf(*doc), "%s is here", o.String())
	}
}

// withoutNumbers returns a path without the indexes of items.
func withoutNumbers(way path.Path) string {
	way = way.Clone()
	for i := range way {
		if way[i].Kind == path.Item {
			way[i] = path.ToItem(0, 0)
		}
	}
	return way.String()
}

// isSecret reports whether a value must not be shown.
func (k *validation) isSecret(o *kubernetes.Object, at path.Path, v tree.Value) bool {
	var within path.Path
	if o.Kind == "Secret" {
		within = at[len(o.At):]
	}
	return k.secrets.Hides(at, within) || k.secrets.HidesText(v) ||
		k.secrets.HidesData(v, within)
}

// hide keeps the line of a secret out of messages.
func (k *validation) hide(at source.Span) {
	f := k.Files.File(at.Pos)
	if f == nil {
		return
	}
	line := string(f.Text(f.Line(at.Offset())))
	key, _, ok := strings.Cut(line, ":")
	if !ok {
		key = ""
	} else {
		key += ": "
	}
	if k.hidden == nil {
		k.hidden = map[string]string{}
	}
	k.hidden[line] = key + secret.Hidden
}

// concealed returns the files without the lines that show secrets.
func (k *validation) concealed() *source.Set {
	if k.hidden == nil {
		return k.Files
	}
	files := k.Files.Fork()
	files.Conceal(func(text string, message bool) string {
		if shown, ok := k.hidden[text]; ok {
			return shown
		}
		if message {
			return k.Files.ConcealedMessage(text)
		}
		return k.Files.Concealed(text)
	})
	return files
}
