package cli

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// failures are the environments that a command about several of them could not look at. It reports on the
// others.
type failures struct {
	msg   *process.Messages
	verb  string // the verb of the command
	all   environmentReport
	names []string
	first error
}

func failuresOf(cmd *cobra.Command) *failures {
	return &failures{msg: process.MessagesOf(cmd), verb: cmd.Name()}
}

// add records why there is no report about an environment.
func (f *failures) add(name string, err error) {
	f.names, f.first = append(f.names, name), cmp.Or(f.first, err)
	f.all.add(name, f.msg.About(name, func(msg *process.Messages) { msg.Report(err) }))
}

// write prints the errors, and returns the error of the command, or nil if there are none. Environments with
// the same errors are named together; if all environments have the same, that is the error of the command.
func (f *failures) write(of int) error {
	switch {
	case len(f.names) == 0:
		return nil
	case len(f.names) == of && len(f.all.groups) == 1:
		return f.first
	}
	var b bytes.Buffer
	for _, g := range f.all.groups {
		if f.msg.Form == process.AsJSON { // in which each line names its environment
			b.WriteString(g.text)
			continue
		}
		fmt.Fprintf(&b, "%s:\n%s\n", g.title(), g.text)
	}
	f.msg.WriteText(b.Bytes())
	f.msg.Info(fmt.Sprintf("%s: %d of %s failed: %s\n", f.verb, len(f.names), diag.Count(of, "environment"),
		enumerate(f.names)))
	return process.ErrFleet
}
