package weft

// DataValues are the data values of the command line, each kind in the order given. The kinds are listed in the order of their strength, the weakest
// first; all of them are stronger than the data values documents among the inputs. Each may begin with a library that it is meant for: "@lib:key=value".
type DataValues struct {
	Files   []string // paths of plain YAML
	Env     []string // prefixes of environment variables, whose values are strings
	EnvYAML []string // prefixes of environment variables, whose values are YAML
	KV      []string // key=string
	KVYAML  []string // key=YAML
	KVFile  []string // key=path of a file whose content is the value
}
