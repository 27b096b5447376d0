package mcp

import (
	"context"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/lazy"
	"weft/internal/lang/secret"
)

// hideDerived hides what a report says because of secret data values: upper(password) is as secret as the password.
// It asks the tool a second time, in runs with other secrets, and hides what is different then. If no schema marks a
// secret, it does nothing.
func hideDerived(ctx context.Context, t tool, args *arguments, r *report) error {
	keeper := secret.KeeperOf(ctx)
	if !keeper.Declared() {
		return nil
	}
	again := *args
	again.Write, again.runs = false, nil
	other := t.report(secret.WithOthers(secret.WithKeeper(ctx, new(secret.Keeper))), &again)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	lines := func(r *report) []string { return strings.Split(string(keeper.Mask([]byte(r.data))), "\n") }
	is, was := lines(r), lines(other)
	if len(is) == len(was) {
		for i, line := range is {
			is[i] = withoutDifference(line, was[i])
		}
		r.data = strings.Join(is, "\n")
		return nil
	}
	for _, run := range args.runs { // the redactor learns all values that read a secret
		if _, err := weft.Blame(ctx, run, weft.BlameOptions{}); ctx.Err() != nil {
			return err
		}
	}
	if other.failed && !r.failed { // code needs the form of a secret
		return nil
	}
	for i, line := range is {
		if !slices.Contains(was, line) {
			is[i] = withoutText(line)
		}
	}
	r.data = strings.Join(is, "\n")
	return nil
}

// withoutDifference returns a line in which the words are hidden that are not in another one.
func withoutDifference(line, other string) string {
	if line == other {
		return line
	}
	from := 0
	for from < min(len(line), len(other)) && line[from] == other[from] {
		from++
	}
	end, otherEnd := len(line), len(other)
	for end > from && otherEnd > from && line[end-1] == other[otherEnd-1] {
		end, otherEnd = end-1, otherEnd-1
	}
	const beside = " \t\"'`" // other characters may be those of a secret
	from = strings.LastIndexAny(line[:from], beside) + 1
	if rest := strings.IndexAny(line[end:], beside); rest >= 0 {
		end += rest
	} else {
		end = len(line)
	}
	return line[:from] + secret.Hidden + line[end:]
}

// around finds what a line of a message has around the text that code may have computed: the place, and the code.
var around = lazy.Regexp{Text: `^((?:\S+:\d+:\d+: )?(?:error|warning|info|note|hint): )?(.*?)( \[[a-z-]+/[a-z-]+\])?$`}

// withoutText returns a line of a message with its text hidden.
func withoutText(line string) string {
	if strings.Trim(line, " |^") == "" {
		return line
	}
	return around.Get().ReplaceAllString(line, "${1}"+secret.Hidden+"${3}")
}
