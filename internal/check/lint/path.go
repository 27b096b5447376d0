package lint

import "strings"

// IsVendored reports whether a file is a copy of a file maintained elsewhere. Changes belong there,
// so findings in it are only suggestions.
func IsVendored(name string) bool {
	parts := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	for i, part := range parts[:len(parts)-1] {
		switch part {
		case "vendor", "vendored", "third_party", "third-party":
			return true
		case "_ytt_lib": // a host name below it means a repository
			if strings.Contains(parts[i+1], ".") && i+2 < len(parts) {
				return true
			}
		}
	}
	return false
}
