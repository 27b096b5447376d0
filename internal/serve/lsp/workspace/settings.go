package workspace

import (
	"encoding/json"
	"fmt"
)

// Settings are what a user can set. Paths are relative to the workspace folder.
type Settings struct {
	// Inputs are paths as for -f, for files without weft.yml.
	Inputs []string

	// DataValues are KEY=VALUE as for -v, or paths of files as for --data-values-file.
	DataValues []string

	// YAMLValues are KEY=YAML as for --data-value-yaml. Users of editors cannot set them.
	YAMLValues []string

	// FileMarks are as for --file-mark.
	FileMarks []string

	// Environment is the environment that is active initially.
	Environment string

	// InlayHints turns on values after the code that computes them.
	InlayHints bool

	// CodeLenses turns on lines above overlays, data values and functions that say what they do.
	CodeLenses bool
}

// DefaultSettings returns the default settings.
func DefaultSettings() Settings { return Settings{CodeLenses: true} }

// ReadSettings reads settings. Keys that are missing, null or have a value of the wrong type get their
// defaults; it returns a message for each of the wrong type. Unknown keys are ignored.
func ReadSettings(text json.RawMessage) (Settings, []string) {
	s := DefaultSettings()
	var keys map[string]json.RawMessage
	if len(text) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return s, []string{"the settings are not an object"}
	}
	var wrong []string
	read := func(key string, into any, what string) {
		value, ok := keys[key]
		if !ok || string(value) == "null" {
			return
		}
		if err := json.Unmarshal(value, into); err != nil {
			wrong = append(wrong, fmt.Sprintf("the setting weft.%s is not %s: %s", key, what, value))
		}
	}
	list := func(key string, into *[]string) {
		var values []string
		if read(key, &values, "a list of strings"); values != nil {
			*into = values
		}
	}
	list("inputs", &s.Inputs)
	list("dataValues", &s.DataValues)
	list("fileMarks", &s.FileMarks)
	read("environment", &s.Environment, "a string")
	read("inlayHints", &s.InlayHints, "a boolean")
	read("codeLenses", &s.CodeLenses, "a boolean")
	return s, wrong
}
