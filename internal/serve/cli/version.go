package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"weft/internal/engine/eval/modules"
)

// version is set by releases: go build -ldflags '-X weft/internal/serve/cli.version=1.2.3'.
var version string

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeVersion(cmd)
		},
	}
}

func writeVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), versionText())
	return err
}

func versionText() string {
	return "weft version " + buildVersion() + "\nytt language level " + modules.LanguageLevel
}

// buildVersion is the version that the binary was built from, as exactly as it is known.
func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = "-" + s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "-changed"
		}
	}
	return "dev" + revision + changed
}
