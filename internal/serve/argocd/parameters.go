package argocd

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
)

// Code is the code of parameters that cannot be used.
const Code diag.Code = "argocd/parameters"

// Variable is the environment variable in which Argo CD passes the parameters of an application.
const Variable = "ARGOCD_APP_PARAMETERS"

// Prefixes are the prefixes of the environment variables that Argo CD sets for an application. Other
// variables belong to the server that renders it, and may be secret.
var Prefixes = []string{"ARGOCD_APP", "PARAM"}

// parameter is what an application sets: a value of one of three kinds.
type parameter struct {
	Name   string
	String *string
	Array  []string
	Map    map[string]string
}

// Set adds the parameters of an application, as Argo CD passes them, to the data values. For a data
// value that is a string, text is used unchanged; for others it is read as YAML.
func Set(ctx context.Context, opts weft.Options, passed string) (weft.Options, error) {
	if passed == "" || passed == "null" {
		return opts, nil
	}
	var all []parameter
	if err := json.Unmarshal([]byte(passed), &all); err != nil {
		return opts, diag.Failf(Code, "%s is not the JSON that Argo CD passes: %s", Variable, err)
	}
	d, err := inspect(ctx, opts)
	if err != nil {
		return opts, err
	}
	v := &opts.DataValues
	v.KV, v.KVYAML = slices.Clone(v.KV), slices.Clone(v.KVYAML)
	for _, p := range all {
		switch {
		case p.Name == "":
			return opts, diag.Failf(Code, "%s has a parameter without a name", Variable)
		case p.String != nil:
			d.set(v, p.Name, *p.String)
		case p.Array != nil:
			d.setArray(v, p.Name, p.Array)
		case p.Map != nil:
			for _, key := range slices.Sorted(maps.Keys(p.Map)) {
				d.set(v, join(p.Name, key), p.Map[key])
			}
		default:
			return opts, diag.Failf(Code, "parameter '%s' of the application sets nothing", p.Name).
				WithHint("set string, array or map of it")
		}
	}
	return opts, nil
}

// set sets one data value.
func (d declared) set(v *weft.DataValues, path, text string) {
	if d.at(path).isString() {
		v.KV = append(v.KV, path+"="+text)
	} else {
		v.KVYAML = append(v.KVYAML, path+"="+text)
	}
}

// setArray sets a list.
func (d declared) setArray(v *weft.DataValues, path string, items []string) {
	texts := items
	if name := d.at(path).items().typeName(); name == "string" || name == "" {
		texts = make([]string, len(items))
		for i, s := range items {
			quoted, _ := json.Marshal(s) // a string can always be marshaled
			texts[i] = string(quoted)
		}
	}
	v.KVYAML = append(v.KVYAML, path+"=["+strings.Join(texts, ", ")+"]")
}
