package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// addSelector adds the flag that selects environments by labels.
func addSelector(flags *pflag.FlagSet, labels *[]string) {
	addList(flags, labels, "selector", "l",
		"only environments with the label `KEY=VALUE`, KEY!=VALUE, or any value of KEY; all of "+
			"several must hold (repeatable, or with commas)")
	help.Environments.Of(flags)
}

// labelSelector is conditions on labels, all of which must hold.
type labelSelector []condition

type condition struct {
	key, value string
	any        bool // any value matches
	not        bool
}

func parseSelector(args []string) (labelSelector, error) {
	var s labelSelector
	for _, arg := range args {
		for _, text := range strings.Split(arg, ",") {
			c := condition{}
			key, value, found := strings.Cut(text, "=")
			c.key, c.value, c.any = strings.TrimSpace(key), strings.TrimSpace(value), !found
			c.value = strings.TrimPrefix(c.value, "=") // kubectl also accepts ==
			if k, not := strings.CutSuffix(c.key, "!"); not && found {
				c.key, c.not = k, true
			}
			if c.key == "" || !found && strings.ContainsAny(c.key, "!<>() ") {
				return nil, process.Usagef("--selector takes KEY=VALUE, KEY!=VALUE or KEY, but found '%s'", text)
			}
			s = append(s, c)
		}
	}
	return s, nil
}

func (s labelSelector) matches(labels map[string]string) bool {
	for _, c := range s {
		value, ok := labels[c.key]
		switch {
		case c.any && !ok, c.not && ok && value == c.value:
			return false
		case !c.any && !c.not && (!ok || value != c.value):
			return false
		}
	}
	return true
}
