package mcp

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
)

// This file turns messages that are written for the command line into those for agents, which have arguments
// of tools instead of flags.

// startFlag is a flag of the server itself: whoever starts it can set it.
const startFlag = "weft mcp --engines"

// flagNames replaces the flags that tools set by the arguments that they set them for.
var flagNames = lazy.Value[*strings.Replacer]{New: func() *strings.Replacer {
	return strings.NewReplacer("--select ", "`document` ", "--set ", "`changes` ", "--rev ", "`revision` ",
		"--data-value-yaml ", "`set` ", "--path ", "`path` ", "PATH '", "`path` '", "--engines ", startFlag+" ",
		"SELECT takes", "`document` takes",
		"run weft --data-values-inspect with the same flags to see", "the tool values shows",
		"run weft blame with ", "call blame with ", "weft render shows", "the tool render shows")
}}

var (
	// anyFlag finds flags that agents do not have.
	anyFlag = lazy.Regexp{Text: "(^|[\\s`'(])--[a-z]"}
	// flagPlace finds places in values of flags, at the beginning of a line of a message.
	flagPlace = lazy.Regexp{Text: `(?m)^--(set|data-value-yaml)\b`}
)

// forAgents returns the diagnostics of an error without flags. A hint that needs one is left out.
func forAgents(list diag.List) diag.List {
	list = slices.Clone(list)
	for i, d := range list {
		x := *d
		x.Message, x.Hint = flagNames.Get().Replace(x.Message), flagNames.Get().Replace(x.Hint)
		if anyFlag.Get().MatchString(strings.ReplaceAll(x.Hint, startFlag, "")) {
			x.Hint = ""
		}
		list[i] = &x
	}
	return list
}

// placesForAgents returns a printed message with places in arguments of tools.
func placesForAgents(text string) string {
	return flagPlace.Get().ReplaceAllStringFunc(text, func(flag string) string {
		return strings.TrimSpace(flagNames.Get().Replace(flag + " "))
	})
}
