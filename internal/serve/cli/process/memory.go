package process

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/engine/budget"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
)

// DefaultMemory is the default of --max-memory: more than the largest runs need, and less than most
// machines have.
const DefaultMemory = 4 << 30

// MemoryFlag is the value of --max-memory. A command with its own flag limits its calls itself.
type MemoryFlag struct{ Limit uint64 }

// String implements pflag.Value.
func (f *MemoryFlag) String() string {
	units := [...]string{"", "KiB", "MiB", "GiB"}
	n, i := f.Limit, 0
	for ; n != 0 && n%1024 == 0 && i < len(units)-1; i++ {
		n /= 1024
	}
	return strconv.FormatUint(n, 10) + units[i]
}

// memoryUnits are the units of sizes, as powers of two.
var memoryUnits = lazy.Value[map[string]int]{New: func() map[string]int {
	return map[string]int{
		"": 0, "b": 0,
		"k": 10, "kb": 10, "kib": 10,
		"m": 20, "mb": 20, "mib": 20,
		"g": 30, "gb": 30, "gib": 30,
		"t": 40, "tb": 40, "tib": 40,
	}
}}

// Set implements pflag.Value. It accepts a number of bytes, with or without a unit. All units are
// powers of 1024, whether they are written as MiB, MB or M.
func (f *MemoryFlag) Set(s string) error {
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit := strings.ToLower(strings.TrimSpace(s[len(number):]))
	shift, ok := memoryUnits.Get()[unit]
	n, err := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil || n > math.MaxInt64>>shift {
		return errors.New("expected a size such as 512MiB or 4GiB, or 0 for no limit")
	}
	f.Limit = n << shift
	return nil
}

// Type implements pflag.Value.
func (f *MemoryFlag) Type() string { return "SIZE" }

// watch makes every command of root run under the limit. An error is sent to lost if the run cannot
// be stopped otherwise. Call the result to end the watch.
func (m *Messages) watch(root *cobra.Command, lost chan<- error) (stop func()) {
	var end func()
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		m.command = cmd
		if m.Watching != nil {
			m.Watching.start(cmd)
		}
		var ctx context.Context
		limit := m.Memory.Limit
		if own := cmd.Flags().Lookup("max-memory"); own != nil && own.Value != pflag.Value(&m.Memory) {
			limit = 0 // the command watches its parts
		}
		ctx, end = budget.Limit(cmd.Context(), limit, func(e *budget.Error) {
			d := diag.Failf(budget.CodeMemory, "%s", e.Message)
			d.Hint = e.Hint
			lost <- d
		})
		cmd.SetContext(ctx)
	}
	return func() {
		if end != nil {
			end()
		}
	}
}

// widenStack raises Go's limit of the stack size: the memory limit decides how deep values may be
// nested, and Go would end the program earlier with a stack trace.
func widenStack() { debug.SetMaxStack(2_000_000_000) }
