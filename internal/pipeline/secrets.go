package pipeline

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// noteSecrets notes the secret data values of a library.
func (e *evaluation) noteSecrets(vals *valued) {
	for _, s := range vals.typ.Secrets(vals.stack.Value) {
		texts := textsOf(nil, s.Value)
		e.mu.Lock()
		e.secrets = append(e.secrets, texts...)
		e.mu.Unlock()
	}
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
