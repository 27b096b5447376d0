package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// allowedEnv returns the prefixes of environment variables that the user allows: those of
// --allow-env, and those of an environment variable.
func allowedEnv(flag []string) (allowed []string, err error) {
	add := func(from, text string) bool {
		prefix := strings.TrimSuffix(strings.TrimSpace(text), "_")
		if values.IsPrefix(prefix) {
			allowed = append(allowed, prefix)
			return true
		}
		found := "'" + diag.Shortened(text) + "'"
		if text == "" {
			found = "an empty one"
		}
		err = process.Usagef("%s, but found %s", from, found).
			WithHint("name the prefix: --allow-env APP allows APP_version")
		return false
	}
	for _, text := range flag {
		if !add("--allow-env takes the prefix of environment variables", text) {
			return nil, err
		}
	}
	variable := os.Getenv(values.AllowVariable)
	if variable == "" {
		return allowed, nil
	}
	for text := range strings.SplitSeq(variable, ",") {
		if !add(values.AllowVariable+" takes prefixes of environment variables, separated by commas", text) {
			return nil, err
		}
	}
	return allowed, nil
}

// refusedEnv are the prefixes of environment variables that a command ignores because the user has
// not allowed them.
type refusedEnv []string

// leaveOut removes variables that the project may not read from options.
func (r *refusedEnv) leaveOut(opts *weft.Options) {
	var prefixes []string
	*opts, prefixes = opts.WithoutRefusedEnv()
	*r = append(*r, prefixes...)
}

// tell reports once what was left out.
func (r *refusedEnv) tell(cmd *cobra.Command) {
	if len(*r) > 0 {
		process.MessagesOf(cmd).Note(cmd.Name() + ": " + values.RefusedNote(*r) + "\n")
	}
	*r = nil
}
