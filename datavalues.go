package weft

import (
	"weft/internal/engine/load"
	"weft/internal/engine/values"
)

// DataValues are data values set from outside, as flags do. Later fields override earlier ones,
// later elements override earlier ones, and all of them override the data values documents among
// the inputs. Each element may start with the library it is meant for: "@lib:key=value".
type DataValues struct {
	Files   []string // paths of plain YAML files
	Texts   []File   // plain YAML files in memory
	Env     []string // prefixes of environment variables, with strings as values
	EnvYAML []string // prefixes of environment variables, with YAML as values
	KV      []string // key=string
	KVYAML  []string // key=YAML
	KVFile  []string // key=path of a file whose contents are the value

	// JSONSchemas are paths of JSON Schemas that the final data values must fit, in addition to the schema
	// of the inputs. References in them must lead to files of the project.
	JSONSchemas []string
}

// flags returns the data values in the form of other packages.
func (v DataValues) flags() values.Flags {
	flags := values.Flags{
		Files: v.Files, Env: v.Env, EnvYAML: v.EnvYAML, KV: v.KV, KVYAML: v.KVYAML, KVFile: v.KVFile,
		JSONSchemas: v.JSONSchemas,
	}
	for _, f := range v.Texts {
		flags.Texts = append(flags.Texts, load.Memory(f))
	}
	return flags
}
