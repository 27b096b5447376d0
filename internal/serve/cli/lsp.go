package cli

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"weft/internal/engine/budget"
	"weft/internal/engine/outdir"
	"weft/internal/lang/parallel"
	"weft/internal/project/engines"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/lsp"
)

// lspFlags are the flags of weft lsp.
type lspFlags struct {
	log     string
	stdio   bool
	engines string
}

// newLsp returns the command that serves an editor.
func newLsp() *cobra.Command {
	f := &lspFlags{}
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Serve an editor: diagnostics, completion and more",
		Long: `lsp is a language server: editors start it and talk to it over standard input and standard output.
It checks and evaluates what is typed, for the project and the environment that a file belongs to.

It reads files only inside the folders that the editor has opened, writes none, and uses no
network.`,
		Example: `  weft lsp
  weft lsp --log /tmp/weft.log     with a log, to look for a problem`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          f.run,
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.stdio, "stdio", true, "use standard input and output, which is the only way")
	help.Limits.Of(flags)
	addEngines(flags, &f.engines)
	help.Projects.Of(flags)
	flags.StringVar(&f.log, "log", "", "append what goes wrong to `FILE`")
	help.Messages.Of(flags)
	return cmd
}

// spareThreads is how many threads read messages and answer while all processors check files: one
// that the system puts off does not keep the next one waiting.
const spareThreads = 4

// errNoGoodbye is the error for a client that disconnected without `exit`, which the protocol
// requires to be reported.
var errNoGoodbye = errors.New("the editor closed the connection without asking the server to shut down")

func (f *lspFlags) run(cmd *cobra.Command, _ []string) error {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		// A server runs for a long time next to an editor, so memory matters more than time: see
		// PutOffGC.
		budget.CollectSoon(50)
	}
	parallel.KeepSpare(spareThreads)
	allowed, err := allowedEnv(nil)
	if err != nil {
		return err
	}
	log, end, err := openLog(cmd, f.log)
	if err != nil {
		return err
	}
	defer end()
	run := engines.New(f.engines)
	defer run.Close()
	goodbye, err := lsp.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), lsp.Options{
		Version: process.Version(), AllowEnv: allowed, Log: log,
		Debounce: lsp.DefaultDebounce, MaxWait: lsp.DefaultMaxWait, Engines: run,
	})
	switch {
	case err != nil:
		return fmt.Errorf("reading from the editor: %w", err)
	case !goodbye && cmd.Context().Err() == nil:
		return errNoGoodbye
	}
	return nil
}

// openLog opens the log of a server: a file, or standard error if there is no name.
func openLog(cmd *cobra.Command, name string) (func(string, ...any), func(), error) {
	out, end := cmd.ErrOrStderr(), func() {}
	if name != "" {
		file, err := outdir.OpenLog(name)
		if err != nil {
			return nil, nil, process.Usagef("cannot write the log: %s", err)
		}
		out, end = file, func() { _ = file.Close() } // nothing is buffered
	}
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, "%s %s: %s\n", time.Now().Format(time.RFC3339), cmd.CommandPath(),
			fmt.Sprintf(format, args...))
	}, end, nil
}
