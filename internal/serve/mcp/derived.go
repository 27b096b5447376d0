package mcp

import (
	"context"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/secret"
	"weft/internal/lang/unified"
)

// CodeSecret is the code of errors about answers that cannot be shown.
const CodeSecret diag.Code = "mcp/secret"

// hideDerived returns a report without what it says because of secret data values: upper(password) is as secret as
// the password. It asks the tool again, in runs with other secrets, and hides what is different then. If no schema
// marks a secret, it does nothing.
func hideDerived(ctx context.Context, t tool, args *arguments, r *report) (*report, error) {
	keeper := secret.KeeperOf(ctx)
	if !keeper.Declared() {
		return r, nil
	}
	again := *args
	again.Write = false
	var other *report
	for form := range secret.Forms {
		other = t.report(secret.WithOthers(secret.WithKeeper(ctx, new(secret.Keeper)), form), &again)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !other.failed || other.summary == r.summary {
			break // otherwise code needs more of the form of a secret
		}
	}
	if other.failed && !r.failed {
		at := ""
		if other.place != "" {
			at = " (at " + other.place + ")"
		}
		return nil, diag.Failf(CodeSecret, "the answer is not shown: it may have what code computes from a secret").
			WithHint("the run fails with another secret of the same length, so weft cannot tell%s; change the code "+
				"so that it accepts one", at)
	}
	lines := func(r *report) []string { return strings.Split(string(keeper.Mask([]byte(r.data))), "\n") }
	r.data = strings.Join(hideDifferences(lines(r), lines(other)), "\n")
	return r, nil
}

// hideDifferences returns lines without what is different in the lines of another answer.
func hideDifferences(is, was []string) []string {
	edits := []unified.Edit{{A1: len(is), B1: len(was)}}
	if len(is) != len(was) {
		edits = unified.CompareLines(is, was)
		for i, line := range is { // it may be equal by chance, such as an item with one letter of a secret
			if len(strings.Trim(line, " -")) < shortestEqual {
				is[i] = withoutText(line)
			}
		}
	}
	for _, e := range edits {
		for i := e.A0; i < e.A1; i++ {
			if e.A1-e.A0 == e.B1-e.B0 {
				is[i] = withoutDifference(is[i], was[e.B0+i-e.A0])
			} else {
				is[i] = withoutText(is[i])
			}
		}
	}
	return is
}

// shortestEqual is the minimum length of a line that is shown if it is equal, but perhaps not at the same place.
const shortestEqual = 4

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
