package cli

import (
	"strings"

	"weft"
	"weft/internal/serve/cli/process"
)

// editions are the values of --edition.
var editions = []string{weft.EditionYTT.String(), weft.Edition2026.String()}

// parseEdition parses the value of --edition.
func parseEdition(name string) (weft.Edition, error) {
	for e := weft.EditionYTT; e <= weft.Edition2026; e++ {
		if e.String() == name {
			return e, nil
		}
	}
	d := process.Usagef("unknown edition '%s': --edition takes ytt or 2026", name)
	return 0, d.WithNearest(strings.ToLower(name), editions)
}

// parseVersion parses the value of --yaml. Without one, the edition decides.
func parseVersion(name string) (weft.Version, error) {
	switch name {
	case "":
		return 0, nil
	case weft.YAML11.String():
		return weft.YAML11, nil
	case weft.YAML12.String():
		return weft.YAML12, nil
	}
	return 0, process.Usagef("unknown YAML version '%s': --yaml takes 1.1 or 1.2", name)
}
