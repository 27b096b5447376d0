package engine

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// secretValues returns the parts of data values that schemas mark as secret.
func (l *library) secretValues(typ *schema.Type, v tree.Value) (list []tree.Value) {
	for _, s := range typ.Secrets(v) {
		list = append(list, s.Value)
	}
	for _, x := range l.jsonSchemas() {
		if x.Secrets != nil {
			list = append(list, x.Secrets(v)...)
		}
	}
	return list
}

// withOtherSecrets returns data values with other secrets, for a run that asks for them. Those in done are others
// already, and it adds what it replaces them by. What is replaced stays a secret: files still have it.
func (l *library) withOtherSecrets(typ *schema.Type, v tree.Value, done map[tree.Value]bool) tree.Value {
	form, ok := secret.FormOfOthers(l.ctx)
	if !ok {
		return v
	}
	others := secret.Others{Form: form, Quoted: l.run.quoted()}
	secrets := map[tree.Value]bool{}
	var texts []string
	for _, s := range l.secretValues(typ, v) {
		secrets[s] = !done[s]
		texts = textsOf(texts, s)
	}
	var replaced func(tree.Value) tree.Value
	each := func(items []tree.Item) []tree.Item {
		items = slices.Clone(items)
		for i := range items {
			items[i].Value = replaced(items[i].Value)
		}
		return items
	}
	replaced = func(v tree.Value) tree.Value {
		if secrets[v] {
			other := others.Of(v)
			done[other] = true
			return other
		}
		if m, ok := v.Map(); ok {
			return tree.Of(tree.NewMap(each(m.Entries()), m.Pos)).WithOrigin(v.Origin())
		}
		if a, ok := v.Array(); ok {
			return tree.Of(tree.NewArray(each(a.Entries()), a.Pos)).WithOrigin(v.Origin())
		}
		return v
	}
	if len(secrets) == 0 {
		return v
	}
	l.run.mu.Lock()
	l.run.secrets = append(l.run.secrets, texts...)
	l.run.mu.Unlock()
	return replaced(v)
}

// quotedWords returns the words that the code of the project quotes.
func (e *evaluation) quotedWords() map[string]bool {
	set := map[string]bool{}
	for _, in := range e.session.inputs {
		if in.File == nil {
			continue
		}
		for line := range bytes.Lines(in.File.Data()) {
			if in.Type != load.YAML || bytes.Contains(line, []byte("#@")) {
				secret.AddQuoted(set, line)
			}
		}
	}
	return set
}

// noteSecrets records the secret data values of a library, and their earlier values.
func (l *library) noteSecrets(vals *valued) {
	e := l.run
	var texts []string
	for _, v := range l.secretValues(vals.typ, vals.stack.Value) {
		secret.KeeperOf(e.ctx).Declare()
		texts = e.textsOfAll(texts, v)
	}
	if len(e.config.Secret) > 0 {
		texts = e.namedSecrets(texts, vals.stack.Value, nil)
	}
	if len(texts) > 0 {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.secrets = append(e.secrets, texts...)
		e.concealTexts(texts)
	}
}

// conceal hides the values of secret data values in messages. Call it before the documents are
// checked, since messages quote wrong values.
func (l *library) conceal(typ *schema.Type, docs []tree.Doc, layers []values.Given) {
	var texts []string
	add := func(v tree.Value) {
		for _, s := range l.secretValues(typ, v) {
			secret.KeeperOf(l.ctx).Declare()
			texts = writtenTexts(texts, s)
		}
	}
	add(typ.Default().Value)
	for _, d := range docs {
		add(d.Value)
	}
	for _, d := range layers {
		add(d.Value)
	}
	if e := l.run; len(texts) > 0 {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.concealTexts(texts)
	}
}

// concealSources hides the data of Kubernetes Secrets in the files of the project: messages of a run that failed
// quote lines and values of them.
func (e *evaluation) concealSources() {
	k := secret.KeeperOf(e.ctx)
	if k == nil {
		return
	}
	for _, in := range e.session.inputs {
		if in.File != nil && in.Type == load.YAML {
			k.Add(secret.TextsOfSource(nil, in.File.Data()))
		}
	}
}

// concealTexts hides texts in messages. The caller holds e.mu.
func (e *evaluation) concealTexts(texts []string) {
	secret.KeeperOf(e.ctx).Add(texts)
	for _, text := range texts {
		e.concealed = append(e.concealed, inMessages(text)...)
	}
	e.concealed = secret.Distinct(e.concealed)
	if e.config.Cover != nil {
		e.config.Cover.Conceal(e.concealed)
	}
	e.files.Hide(func(hidden []string) ([]string, source.Concealer) {
		all := secret.Distinct(slices.Concat(hidden, e.concealed))
		return all, concealer(all)
	})
}

// concealer returns the function that hides texts.
func concealer(texts []string) source.Concealer {
	var rules secret.Rules
	rules.Hide(texts)
	return func(text string, message bool) string {
		for _, s := range texts { // a short text may be the whole value of a flag
			if flag, ok := strings.CutSuffix(text, "="+s); ok {
				text = flag + "=" + secret.Hidden
			}
		}
		if message {
			return rules.MaskMessage(text)
		}
		return rules.MaskText(text)
	}
}

// inMessages returns a text and its lines, since excerpts show single lines.
func inMessages(text string) []string {
	const shortestLine = 4 // otherwise every closing bracket would be secret
	list := []string{text}
	if lines := strings.Split(text, "\n"); len(lines) > 1 {
		for _, line := range lines {
			if line = strings.TrimSpace(line); len(line) >= shortestLine {
				list = append(list, line)
			}
		}
	}
	return list
}

// writtenTexts adds the texts of a value, as written and as weft would write it.
func writtenTexts(list []string, v tree.Value) []string {
	if v.Kind() != tree.ScalarKind {
		var r tree.Reader
		for _, it := range r.Items(nil, v) {
			list = writtenTexts(list, it.Value)
		}
		return list
	}
	if val, _ := v.Scalar(); val.Kind != yaml.Null && val.Kind != yaml.Bool {
		if text := v.Written(); text != "" {
			list = append(list, text)
		}
	}
	return textsOf(list, v)
}

// textsOfAll adds the texts of a value, and of those that it replaced.
func (e *evaluation) textsOfAll(list []string, v tree.Value) []string {
	list = textsOf(list, v)
	for s := range e.session.origins.History(v.Origin()) {
		list = textsOf(list, s.Old)
	}
	return list
}

// namedSecrets adds the texts of the values at the paths that the configuration names.
func (e *evaluation) namedSecrets(list []string, v tree.Value, at path.Path) []string {
	if slices.ContainsFunc(e.config.Secret, func(p path.Pattern) bool { return p.Match(at) }) {
		return e.textsOfAll(list, v)
	}
	if m, ok := v.Map(); ok {
		for _, it := range m.Entries() {
			list = e.namedSecrets(list, it.Value, append(slices.Clip(at), path.ToKey(it.Key)))
		}
	} else if a, ok := v.Array(); ok {
		for i, it := range a.Entries() {
			list = e.namedSecrets(list, it.Value, append(slices.Clip(at), path.ToValue(i, it.Value)))
		}
	}
	return list
}

// textsOf adds the texts of strings and numbers. Booleans cannot be recognized.
func textsOf(list []string, v tree.Value) []string {
	if v.Kind() == tree.ScalarKind {
		val, text := v.Scalar()
		switch val.Kind {
		case yaml.String:
			if len(text) > 0 {
				list = append(list, string(text))
			}
		case yaml.Int, yaml.Uint, yaml.Float:
			list = append(list, string(yaml.AppendValue(nil, val, nil, 0)))
		}
		return list
	}
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		list = textsOf(list, it.Value)
	}
	return list
}
