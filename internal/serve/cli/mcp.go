//go:build !js

package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"weft/internal/engine/budget"
	"weft/internal/project/engines"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/mcp"
)

// mcpFlags are the flags of weft mcp.
type mcpFlags struct {
	timeout time.Duration
	memory  process.MemoryFlag
	engines string
	log     string
	write   bool
}

// newMcp returns the command that answers agents.
func newMcp() *cobra.Command {
	f := &mcpFlags{}
	cmd := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Serve an agent: where lines come from, what a change does",
		Long: `mcp is a server of the model context protocol: agents start it and talk to it over standard input and
standard output. Its tools list environments and data values, render documents, show where lines come
from and what depends on a value, compare environments, lint and test, and suggest changes of the sources.

It answers about the project in the current directory. It writes nothing without --write, runs no
programs but weft-engines, reads no environment variables, uses no network, and hides secrets. Paths
that an agent names must be in the current directory.`,
		Example: `  weft mcp
  weft mcp --timeout 10s
  weft mcp --write                   let the agent apply what it suggests
  claude mcp add weft -- weft mcp    add it to a client`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          f.run,
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "allow the tool suggest to write the change to the sources")
	help.Output.Of(flags)
	addEngines(flags, &f.engines)
	help.Environments.Of(flags)
	flags.DurationVar(&f.timeout, "timeout", mcp.DefaultTimeout,
		"give up a call after `DURATION`, such as 30s or 2m")
	f.memory.Limit = mcp.DefaultMemory
	flags.Var(&f.memory, "max-memory", "give up a call if weft uses `SIZE` of memory, such as 512MiB; 0 for no limit")
	help.Limits.Of(flags)
	flags.StringVar(&f.log, "log", "", "append what goes wrong to `FILE`")
	help.Messages.Of(flags)
	return cmd
}

func (f *mcpFlags) run(cmd *cobra.Command, _ []string) error {
	if f.timeout <= 0 {
		return process.Usagef("--timeout takes a duration above zero, but found %s", f.timeout)
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		budget.CollectSoon(50) // as for the language server
	}
	log, end, err := openLog(cmd, f.log)
	if err != nil {
		return err
	}
	defer end()
	run := engines.New(f.engines)
	defer run.Close()
	err = mcp.Serve(engines.With(cmd.Context(), run), cmd.InOrStdin(), cmd.OutOrStdout(), mcp.Options{
		Version: process.Version(), Log: log, Timeout: f.timeout, Memory: f.memory.Limit, Write: f.write,
	})
	if err != nil {
		return fmt.Errorf("reading from the agent: %w", err)
	}
	return nil
}
