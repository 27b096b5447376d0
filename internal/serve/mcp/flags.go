package mcp

import (
	"strings"

	"weft/internal/lang/lazy"
)

// This file turns messages that are written for the command line into those for agents, which have arguments
// of tools instead of flags.

// flagNames replaces the flags that tools set by the arguments that they set them for.
var flagNames = lazy.Value[*strings.Replacer]{New: func() *strings.Replacer {
	return strings.NewReplacer("--select ", "`document` ", "--set ", "`changes` ", "--rev ", "`revision` ",
		"--data-value-yaml ", "`set` ", "--path ", "`path` ", "PATH '", "`path` '",
		"--engines ", "weft mcp --engines ", "SELECT takes", "`document` takes",
		"run weft --data-values-inspect with the same flags to see", "the tool values shows",
		"run weft blame with ", "call blame with ", "`weft env` lists", "the tool environments lists",
		"weft render shows", "the tool render shows")
}}

var (
	// said finds the lines that weft says itself in printed messages, which are not of excerpts: places with
	// messages, and hints. Those of tests are indented.
	said = lazy.Regexp{Text: `^ *(hint: |--(set|data-value-yaml)\b|(\S.*: )?(error|warning|info|note): )`}
	// anyFlag finds flags that agents do not have.
	anyFlag = lazy.Regexp{Text: "(^|[\\s`'(])-(-[a-z]|[ev] )"}
	// command finds command lines.
	command = lazy.Regexp{Text: "\\bweft (init|fmt|lint|test|edit|migrate|vendor|schema|help|override)\\b"}
	// clauses finds the parts of a hint, which are different ways or reasons.
	clauses = lazy.Regexp{Text: `; |, or |, and `}
)

// forAgents returns printed messages in the words of agents.
func forAgents(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !said.Get().MatchString(line) {
			b.WriteString(line)
			continue
		}
		if flag, rest, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(flag, "--") { // the place is a flag
			line = strings.TrimSpace(flagNames.Get().Replace(flag+" ")) + ":" + rest
		}
		line = flagNames.Get().Replace(line)
		before, hint, ok := strings.Cut(line, "hint: ")
		if !ok || strings.TrimSpace(before) != "" {
			b.WriteString(line)
		} else if hint = hintForAgents(strings.TrimSuffix(hint, "\n")); hint != "" {
			b.WriteString(before + "hint: " + hint + "\n")
		}
	}
	return b.String()
}

// hintForAgents returns a hint without the clauses that need a flag, or "". Commands are for the person whom the
// agent works for.
func hintForAgents(hint string) string {
	const server = "weft mcp --" // whoever starts the server can set its flags
	var b strings.Builder
	from, join := 0, ""
	for _, at := range append(clauses.Get().FindAllStringIndex(hint, -1), []int{len(hint), len(hint)}) {
		if clause := hint[from:at[0]]; !anyFlag.Get().MatchString(strings.ReplaceAll(clause, server, "")) {
			if b.Len() > 0 {
				b.WriteString(join)
			}
			b.WriteString(clause)
		}
		from, join = at[1], hint[at[0]:at[1]]
	}
	if hint = b.String(); command.Get().MatchString(hint) {
		return "at the command line: " + hint
	}
	return hint
}
