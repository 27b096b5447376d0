package chart

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	v2 "helm.sh/helm/v4/pkg/chart/v2"

	"weft/internal/project/engines/wire"
)

// check checks values against the schemas of a chart and of its dependencies.
func check(c *v2.Chart, values map[string]any) error {
	e := &wire.Error{Code: wire.CodeSchema}
	checkInto(e, c, values)
	if e.Message == "" {
		return nil
	}
	e.Message = "values do not fit values.schema.json" + e.Message
	return e
}

// checkInto adds what is wrong to an error.
func checkInto(e *wire.Error, c *v2.Chart, values map[string]any) {
	if c.Schema != nil {
		if err := checkOne(c.Schema, values); err != nil {
			_, text, ok := strings.Cut(err.Error(), "\n") // the first line names the schema
			if !ok {
				text = err.Error()
			}
			e.Message += fmt.Sprintf("\n%s: %s", c.Name(), text)
			if load, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
				e.Message, e.Code = fmt.Sprintf("\n%s: %v", c.Name(), load.Err), wire.CodeRemote
			}
			if v, ok := errors.AsType[*jsonschema.ValidationError](err); ok && e.Values == nil {
				for len(v.Causes) > 0 {
					v = v.Causes[0]
				}
				e.Values = append(prefix(c), v.InstanceLocation...)
			}
		}
	}
	for _, d := range c.Dependencies() {
		v, ok := values[d.Name()]
		if !ok || v == nil {
			continue
		}
		of, ok := v.(map[string]any)
		if !ok {
			e.Message += fmt.Sprintf("\n%s: expected a map of values, found %T", d.Name(), v)
			continue
		}
		checkInto(e, d, of)
	}
}

// checkOne checks values against a schema. References out of the schema are refused: a chart could make
// weft fetch or read files with them.
func checkOne(text []byte, values map[string]any) error {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	const name = "file:///values.schema.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(refuse{})
	if err := compiler.AddResource(name, schema); err != nil {
		return err
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		return err
	}
	return compiled.Validate(values)
}

// refuse loads nothing.
type refuse struct{}

func (refuse) Load(url string) (any, error) {
	return nil, fmt.Errorf("$ref to %s: nothing is fetched while weft renders", url)
}
