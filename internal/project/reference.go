package project

import (
	"fmt"
	"strings"
)

// Reference returns a Markdown table of keys, for the reference: those at the top of the file,
// those of an environment, the flags, or those of the mapping that a key takes.
func Reference(of string) string {
	var list []Key
	switch of {
	case "top":
		list = Keys()
	case "environment":
		list = EnvironmentKeys()
	case "flags":
		return flagReference()
	default:
		for _, k := range append(table(), outputKeys()...) {
			if k.Name == of {
				list = recordKeys(k.Shape)
			}
		}
	}
	var b strings.Builder
	example := len(list) > 0 && list[0].Example != ""
	if example {
		b.WriteString("| key | value | example | meaning |\n|---|---|---|---|\n")
	} else {
		b.WriteString("| key | value | meaning |\n|---|---|---|\n")
	}
	for _, k := range list {
		fmt.Fprintf(&b, "| `%s` | %s |", k.Name, cell(k.Shape.kind()))
		if example {
			fmt.Fprintf(&b, " `%s` |", cell(k.Example))
		}
		fmt.Fprintf(&b, " %s |\n", cell(k.Doc))
	}
	return b.String()
}

func flagReference() string {
	var b strings.Builder
	b.WriteString("| flag | value |\n|---|---|\n")
	for _, k := range flagKeys() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.Name, cell(k.Shape.kind()))
	}
	return b.String()
}

// recordKeys returns the keys of a record, wherever in a shape it is.
func recordKeys(s *Shape) []Key {
	switch {
	case s == nil:
		return nil
	case s.Keys != nil:
		return s.Keys
	case s.Item != nil:
		return recordKeys(s.Item)
	}
	for _, alternative := range s.Either {
		if keys := recordKeys(alternative); keys != nil {
			return keys
		}
	}
	return nil
}

// kind returns what the reference calls the shape.
func (s *Shape) kind() string {
	switch s.Kind {
	case List:
		return "list of " + plural(s.Item.kind())
	case Map:
		return "mapping to " + s.Item.kind()
	case Record, AnyMap:
		return "mapping"
	case Environments:
		return "mapping of environments"
	case Either:
		var all []string
		for _, alternative := range s.Either {
			all = append(all, alternative.kind())
		}
		return strings.Join(all, ", or ")
	case Choice, Version:
		return "`" + strings.Join(s.Choices, "`, `") + "`"
	case EditionKind:
		return "`2026` or `ytt`"
	case Release:
		return "version"
	case Bool:
		return "`true` or `false`"
	case True:
		return "`true`"
	case Text:
		switch {
		case strings.HasPrefix(s.Expected, "a path with one"):
			return "pattern"
		case strings.HasPrefix(s.Expected, "a path"):
			return "path"
		case strings.HasPrefix(s.Expected, "the name"):
			return "name"
		case strings.HasPrefix(s.Expected, "a prefix"):
			return "prefix"
		case strings.HasPrefix(s.Expected, "a duration"):
			return "duration"
		}
		return "text"
	}
	return "number"
}

func plural(noun string) string {
	switch noun {
	case "path", "name", "pattern":
		return noun + "s"
	case "text":
		return "texts"
	}
	return noun
}

// cell returns text that a cell of a Markdown table can have.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
