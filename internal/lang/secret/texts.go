package secret

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// shortestData is the minimum length of data of a Secret that is hidden wherever it appears. No user
// marked such data as secret, and short data is often a word such as "admin".
const shortestData = 6

// Texts adds the texts of the data of all Kubernetes Secrets in a value, both as written and
// decoded from base64.
func Texts(list []string, v tree.Value) []string {
	inValue(v, maxInside, other, func(object tree.Value) { list = dataTexts(list, object) })
	return list
}

// TextsIn is like Texts for the documents of a file.
func TextsIn(list []string, file []byte) []string {
	inText(string(file), maxInside+1, func(object tree.Value) { list = dataTexts(list, object) })
	return list
}

// TextsOfSource is like TextsIn for a file of a project: an overlay for a Secret has data without a kind.
func TextsOfSource(list []string, file []byte) []string {
	list = TextsIn(list, file)
	if !bytes.Contains(file, []byte("stringData")) {
		return list
	}
	eachDocument(string(file), func(v tree.Value) {
		if kind, _ := v.Lookup("kind"); kind.Empty() {
			list = dataTexts(list, v)
		}
	})
	return list
}

// dataTexts adds the texts of the data of a Kubernetes Secret.
func dataTexts(list []string, object tree.Value) []string {
	add := func(text string) {
		if text = strings.TrimSpace(text); utf8.RuneCountInString(text) >= shortestData {
			list = append(list, text)
		}
	}
	for _, field := range dataFields {
		data, _ := object.Lookup(field)
		eachString(data, func(text string) {
			add(text)
			if field == "stringData" {
				return
			}
			if plain, err := base64.StdEncoding.DecodeString(text); err == nil && utf8.Valid(plain) {
				add(string(plain))
			}
		})
	}
	return list
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

// Distinct returns the distinct texts, longest first, since one may be part of another.
func Distinct(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(list)
}
