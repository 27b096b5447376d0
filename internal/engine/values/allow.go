package values

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// CodeEnv is the code of errors about environment variables that a project names but the user has not
// allowed. Projects are often written by someone else, who could otherwise read every token of a CI
// job.
const CodeEnv diag.Code = "project/env"

// AllowVariable is the variable with the prefixes that the user allows, separated by commas.
const AllowVariable = "WEFT_ALLOW_ENV"

// IsPrefix reports whether a text can be the prefix of environment variables. No prefix matches all
// of them.
func IsPrefix(text string) bool {
	return text != "" && text != "_" && !strings.ContainsFunc(text, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && !(r >= '0' && r <= '9') && r != '_' && r != '.' && r != '-'
	})
}

// Allowed returns the prefixes that the user allows: those in the variable, and those that flags name
// anyway.
func (f *Flags) Allowed(named []string) (prefixes []string) {
	for _, text := range slices.Concat(named, f.Env, f.EnvYAML) {
		if strings.HasPrefix(text, "@") {
			_, text, _ = strings.Cut(text, ":")
		}
		if text = strings.TrimSuffix(text, "_"); IsPrefix(text) {
			prefixes = append(prefixes, text)
		}
	}
	return prefixes
}

// Refused returns the prefixes that are not allowed although a variable with them is set.
func (p *ProjectValues) Refused(vars, allowed []string) (refused []Prefix) {
	for _, x := range p.FromEnv {
		if !allows(allowed, x.Text) && isSet(vars, x.Text) {
			refused = append(refused, x)
		}
	}
	return refused
}

// Without returns the project without prefixes.
func (p *ProjectValues) Without(prefixes []Prefix) *ProjectValues {
	without := *p
	without.FromEnv = slices.DeleteFunc(slices.Clone(p.FromEnv), func(x Prefix) bool {
		return slices.Contains(prefixes, x)
	})
	return &without
}

// RefusedNote returns the note that a run ignores the variables with these prefixes.
func RefusedNote(prefixes []string) string {
	prefixes = slices.Compact(slices.Sorted(slices.Values(prefixes)))
	return "environment variables are left out: set " + AllowVariable + "=" +
		strings.Join(prefixes, ",") + " to let the project read them"
}

// allows reports whether a prefix equals an allowed one, or is more specific.
func allows(allowed []string, prefix string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		return prefix == a || strings.HasPrefix(prefix, a+"_")
	})
}

func isSet(vars []string, prefix string) bool {
	return slices.ContainsFunc(vars, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, prefix+"_")
	})
}

// notAllowed returns the error for a prefix of a project.
func notAllowed(at source.Span, prefix string) *diag.Diagnostic {
	return diag.Errorf(at, CodeEnv, "the project reads variables that begin with %s_, and nothing "+
		"allows it", prefix).
		WithHint("allow it with --allow-env %s, or set %s=%[1]s", diag.InShell(prefix), AllowVariable)
}
