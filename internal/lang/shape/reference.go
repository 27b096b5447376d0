package shape

import (
	"fmt"
	"strings"
)

// Table returns a Markdown table of keys, for the reference.
func Table(keys []Key) string {
	var b strings.Builder
	example := len(keys) > 0 && keys[0].Example != ""
	if example {
		b.WriteString("| key | value | example | meaning |\n|---|---|---|---|\n")
	} else {
		b.WriteString("| key | value | meaning |\n|---|---|---|\n")
	}
	for _, k := range keys {
		fmt.Fprintf(&b, "| `%s` | %s |", k.Name, cell(k.Shape.Called()))
		if example {
			fmt.Fprintf(&b, " `%s` |", cell(k.Example))
		}
		fmt.Fprintf(&b, " %s |\n", cell(k.Doc))
	}
	return b.String()
}

// RecordKeys returns the keys of the record that a shape contains.
func (s *Shape) RecordKeys() []Key {
	switch {
	case s == nil:
		return nil
	case s.Keys != nil:
		return s.Keys
	case s.Item != nil:
		return s.Item.RecordKeys()
	}
	for _, alternative := range s.Either {
		if keys := alternative.RecordKeys(); keys != nil {
			return keys
		}
	}
	return nil
}

// Called returns the name of the shape in the reference.
func (s *Shape) Called() string {
	if s.Noun != "" {
		return s.Noun
	}
	switch s.Kind {
	case List:
		return "list of " + plural(s.Item.Called())
	case Map:
		return "mapping to " + s.Item.Called()
	case Record, AnyMap:
		return "mapping"
	case Either:
		var all []string
		for _, alternative := range s.Either {
			all = append(all, alternative.Called())
		}
		return strings.Join(all, ", or ")
	case Choice, Version:
		return "`" + strings.Join(s.Choices, "`, `") + "`"
	case Bool:
		return "`true` or `false`"
	case True:
		return "`true`"
	case Text:
		return "text"
	}
	return "number"
}

func plural(noun string) string {
	switch noun {
	case "path", "name", "pattern", "text":
		return noun + "s"
	}
	return noun
}

// cell escapes text for a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
