package path

import (
	"regexp"
	"strings"

	"weft/internal/lang/diag"
)

// leadingDot returns 1 if the text begins with a dot that may be left out, as in jq, and otherwise 0.
func leadingDot(text string) int {
	if len(text) > 1 && text[0] == '.' && text[1] != '.' {
		return 1
	}
	return 0
}

// hintFor returns how to write what someone who knows jq, yq or JSONPath seems to mean.
func hintFor(text string) string {
	switch {
	case strings.HasPrefix(text, "$"):
		return "leave out the $: " + diag.InShell(strings.TrimPrefix(strings.TrimPrefix(text, "$"), "."))
	case find(text, `\[-?\d*:-?\d*(:-?\d*)?\]`) != nil:
		return "there are no slices: write [0] for one item, or [*] for all of them"
	case find(text, `\[-\d+\]`) != nil:
		return "items are counted from the first: write [0] for it, or [*] for all of them"
	case strings.Contains(text, "select(") || strings.Contains(text, "[?"):
		return "choose items by a key: write " + diag.InShell(chosen(text))
	case find(text, `\[[^\]="]+==`) != nil:
		return "write one equals sign: " + diag.InShell(strings.ReplaceAll(text, "==", "="))
	case strings.Contains(text, "|"):
		return "a path has no pipes: write all steps in one, such as spec.containers[name=web].image"
	case strings.Contains(text, ".."):
		return "write ** for any number of steps: " + diag.InShell(strings.TrimPrefix(
			strings.ReplaceAll(text, "..", ".**."), "."))
	}
	return `write a path such as spec.template.*.image, spec.containers[name=web] or ` +
		`metadata.annotations."example.com/hash"`
}

// find matches a regular expression, which is compiled only for paths that are wrong.
func find(text, expr string) []string { return regexp.MustCompile(expr).FindStringSubmatch(text) }

// chosen returns a path with its filter in weft's form: spec.containers[name=web].image for
// .spec.containers[] | select(.name == "web") | .image, and also for
// spec.containers[?(@.name=="web")].image.
func chosen(text string) string {
	m := find(text, `^\.?(.*?)(?:\[\])?\s*(?:\|\s*select\(|\[\?\(?)\s*`+ // the list, and where its filter begins
		`@?\.?(\w+)\s*==?\s*["']?([^"')\]]*)["']?`+ // the key and the value
		`\s*\)?\]?\s*(?:\|\s*)?\.?(.*)$`) // the rest of the path
	if m == nil {
		return "spec.containers[name=web]"
	}
	out := m[1] + "[" + m[2] + "=" + m[3] + "]"
	if m[4] != "" {
		out += "." + strings.TrimPrefix(m[4], ".")
	}
	return out
}
