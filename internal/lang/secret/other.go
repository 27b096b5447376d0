package secret

import (
	"context"
	"strings"
	"unicode"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

// This file is about runs with other secrets: what such a run does differently depends on the secrets, however it
// was computed from them.

// Form says what other secrets have in common with those that they replace, because code may check it.
type Form int

// The forms, in the order in which to try them: the fewer things are kept, the more is known to depend on a secret.
const (
	OfKinds Form = iota // the length of texts and their kinds of characters
	OfWords             // also which letters are hexadecimal digits, and the words that the project's code quotes

	Forms // how many there are
)

type othersKey struct{}

// WithOthers returns a context in whose runs all secret data values are others of a form, also those of libraries.
func WithOthers(ctx context.Context, f Form) context.Context {
	return context.WithValue(ctx, othersKey{}, f)
}

// FormOfOthers returns the form of the other secrets that the runs of a context have, and false if they have none.
func FormOfOthers(ctx context.Context) (f Form, ok bool) {
	f, ok = ctx.Value(othersKey{}).(Form)
	return f, ok
}

// Others makes other secrets.
type Others struct {
	Form   Form
	Quoted map[string]bool // the words that the code of the project quotes: see AddQuoted
}

// Of returns another value of the same type. Of of its result is another value again, unless it is a truth value: a
// secret may be one of the project and, passed on, one of a library.
func (o *Others) Of(v tree.Value) tree.Value {
	step := 7
	if o.Form == OfWords {
		step = -7 // the first form may be too large for code
	}
	switch x := v.Starlark().(type) {
	case starlark.Bool:
		return tree.Of(!x).WithOrigin(v.Origin())
	case starlark.String:
		return tree.String(o.text(string(x))).WithOrigin(v.Origin())
	case starlark.Int:
		return tree.Of(x.Add(starlark.MakeInt(step))).WithOrigin(v.Origin())
	case starlark.Float:
		return tree.Of(x + starlark.Float(step)).WithOrigin(v.Origin())
	case *tree.Map:
		return tree.Of(tree.NewMap(o.all(x.Entries()), x.Pos)).WithOrigin(v.Origin())
	case *tree.Array:
		return tree.Of(tree.NewArray(o.all(x.Entries()), x.Pos)).WithOrigin(v.Origin())
	}
	return v
}

func (o *Others) all(items []tree.Item) []tree.Item {
	list := make([]tree.Item, len(items))
	for i, it := range items {
		it.Value = o.Of(it.Value)
		list[i] = it
	}
	return list
}

func (o *Others) text(text string) string {
	other := ""
	if o.Form == OfWords {
		other = o.aroundWords(text)
	}
	if other == "" || other == text { // all of it is quoted
		other = strings.Map(o.letter, text)
	}
	if other != text {
		return other
	}
	return strings.Map(func(r rune) rune { // it has neither letters nor digits
		if r == '*' {
			return '+'
		}
		return '*'
	}, text)
}

// aroundWords returns another text with the words that code quotes, and with what follows a backslash: the text may
// be JSON.
func (o *Others) aroundWords(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range words.Get().FindAllStringIndex(text, -1) {
		b.WriteString(text[end:at[0]])
		word := text[at[0]:at[1]]
		n := o.quotedLength(word)
		if n == 0 && strings.HasSuffix(text[:at[0]], `\`) && strings.IndexByte("bfnrtu", word[0]) >= 0 {
			n = 1
		}
		b.WriteString(word[:n] + strings.Map(o.letter, word[n:]))
		end = at[1]
	}
	return b.String() + text[end:]
}

// quotedLength returns the length of the longest quoted word at the beginning of a word.
func (o *Others) quotedLength(word string) int {
	for n := len(word); n >= shortestWord; n-- {
		if o.Quoted[word[:n]] {
			return n
		}
	}
	return 0
}

// shortestWord is the minimum length of a quoted word.
const shortestWord = 2

var (
	words   = lazy.Regexp{Text: `[\pL\p{Nd}]+`}
	literal = lazy.Regexp{Text: `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`}
)

// AddQuoted adds the words in the string literals of code. Whoever reads the code knows them.
func AddQuoted(set map[string]bool, code []byte) {
	for _, text := range literal.Get().FindAll(code, -1) {
		for _, word := range words.Get().FindAll(text, -1) {
			if len(word) >= shortestWord {
				set[string(word)] = true
			}
		}
	}
}

// kinds are the kinds of characters, by their first and last ones. Zero is not one of the digits: many numbers do not
// begin with it.
var kinds = [Forms][]string{
	OfKinds: {"az", "AZ", "19"},
	OfWords: {"af", "gz", "AF", "GZ", "19"},
}

// letter returns another letter or digit of the same kind. Other characters stay.
func (o *Others) letter(r rune) rune {
	if r == '0' {
		return '7'
	}
	for _, kind := range kinds[o.Form] {
		if first, last := rune(kind[0]), rune(kind[1]); first <= r && r <= last {
			return first + (r-first+7)%(last-first+1)
		}
	}
	for _, is := range []func(rune) bool{unicode.IsUpper, unicode.IsLower, unicode.IsDigit, unicode.IsLetter} {
		for step := rune(1); is(r) && step < 8; step++ {
			if is(r + step) {
				return r + step
			}
		}
	}
	return r
}
