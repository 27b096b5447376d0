package pipeline

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"weft/internal/path"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// noteSecrets notes the secret data values of a library, and what they were before layers set them.
func (e *evaluation) noteSecrets(vals *valued) {
	var texts []string
	for _, s := range vals.typ.Secrets(vals.stack.Value) {
		texts = e.textsOfAll(texts, s.Value)
	}
	if len(e.config.Secret) > 0 {
		texts = e.namedSecrets(texts, vals.stack.Value, nil)
	}
	if len(texts) > 0 {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.secrets = append(e.secrets, texts...)
	}
}

// textsOfAll adds the texts of a value, and of those that it took the place of.
func (e *evaluation) textsOfAll(list []string, v tree.Value) []string {
	list = textsOf(list, v)
	for s := range e.session.origins.History(v.Origin()) {
		list = textsOf(list, s.Old)
	}
	return list
}

// namedSecrets adds the texts of what lies at the paths that the configuration names.
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

// textsOf adds the texts of strings and numbers: nobody would find a secret truth value.
func textsOf(list []string, v tree.Value) []string {
	if v.Kind() == tree.ScalarKind {
		val, text := v.Scalar()
		switch val.Kind {
		case yaml.String:
			if len(text) > 0 {
				list = append(list, string(text), base64.StdEncoding.EncodeToString(text))
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

// secretTexts are texts sorted, each once. The longest come first: one may be part of another.
func secretTexts(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(list)
}
