package process

import "runtime/debug"

// version is set by releases: go build -ldflags '-X weft/internal/serve/cli/process.version=1.2.3'.
var version string

// Version returns the version of the program, as precisely as it is known.
func Version() string {
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
