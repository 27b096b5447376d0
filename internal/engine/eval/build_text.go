package eval

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/lang/tree"
)

// print adds the text of a value.
func (b *builder) print(x starlark.Value) error {
	s, err := printed(x)
	if err != nil {
		return err
	}
	return b.write(s)
}

// printed returns the text of a value to print. Only strings can be printed.
func printed(x starlark.Value) (string, error) {
	s, ok := starlark.AsString(x)
	if !ok {
		return "", fmt.Errorf(
			"cannot set non-string value (%s), consider using str(...) to convert to string",
			x.Type(),
		)
	}
	return s, nil
}

// join inserts values into a form.
func join(u *compile.Unit, form *compile.Form, values starlark.Tuple) (starlark.Value, error) {
	var text strings.Builder
	for i, f := range form.Fields {
		s, err := printed(values[i])
		if err == nil && text.Len()+len(s) > maxText {
			err = textTooLong()
		}
		if err != nil {
			return nil, &hints.StepError{File: u.File, At: f.Pos, Err: err}
		}
		text.WriteString(f.Before)
		text.WriteString(s)
	}
	text.WriteString(form.Tail)
	return starlark.String(text.String()), nil
}

// maxText is the maximum length of the text that one file or function produces.
const maxText = 256 << 20

// write adds text.
func (b *builder) write(s string) error {
	c := b.top()
	if len(c.text)+len(s) > maxText {
		return textTooLong()
	}
	c.text = append(c.text, s...)
	return nil
}

func textTooLong() error {
	return &tree.LimitError{Message: fmt.Sprintf("the text is longer than %d MiB", maxText>>20)}
}

// begin begins a text inside the context; end ends it.
func (b *builder) begin() {
	c := b.top()
	c.texts = append(c.texts, len(c.text))
}

func (b *builder) end() starlark.Value {
	c := b.top()
	from := c.texts[len(c.texts)-1]
	c.texts = c.texts[:len(c.texts)-1]
	s := starlark.String(c.text[from:])
	c.text = c.text[:from]
	return s
}
