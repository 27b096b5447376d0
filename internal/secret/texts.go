package secret

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// shortestData is how many characters the data of a Secret has that is hidden wherever it turns up.
// Nobody has said that such a text is secret, and short ones are often words such as "admin".
const shortestData = 6

// Texts adds the texts of the data of all Kubernetes Secrets in a value: as they are written, in
// base64 or without it, and as JSON has them.
func Texts(list []string, v tree.Value) []string {
	add := func(text string) {
		if text = strings.TrimSpace(text); utf8.RuneCountInString(text) >= shortestData {
			list = append(list, Forms(text)...)
		}
	}
	inValue(v, maxInside, other, func(object tree.Value) {
		for _, field := range dataFields {
			data, _ := object.Lookup(field)
			eachString(data, func(text string) {
				add(text)
				if field == "stringData" {
					add(base64.StdEncoding.EncodeToString([]byte(text)))
				} else if plain, err := base64.StdEncoding.DecodeString(text); err == nil &&
					utf8.Valid(plain) {
					add(string(plain))
				}
			})
		}
	})
	return list
}

// Forms are the ways in which a text is written in other texts: as it is, and in a JSON string.
func Forms(text string) []string {
	quoted := string(yaml.AppendJSONString(nil, []byte(text)))
	if inner := quoted[1 : len(quoted)-1]; inner != text {
		return []string{text, inner}
	}
	return []string{text}
}

func eachString(v tree.Value, f func(string)) {
	if v.Kind() == tree.ScalarKind {
		if val, text := v.Scalar(); val.Kind == yaml.String {
			f(string(text))
		}
		return
	}
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		eachString(it.Value, f)
	}
}
