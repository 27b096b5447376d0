package chart

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
)

// check checks values against the schemas of a chart and of its dependencies.
func check(c *v2.Chart, values map[string]any) error {
	var all strings.Builder
	checkInto(&all, c, values)
	if all.Len() == 0 {
		return nil
	}
	return errors.New("values do not fit values.schema.json\n" + strings.TrimSuffix(all.String(), "\n"))
}

func checkInto(all *strings.Builder, c *v2.Chart, values map[string]any) {
	if c.Schema != nil {
		if err := checkOne(c.Schema, values); err != nil {
			fmt.Fprintf(all, "%s: %v\n", c.Name(), err)
		}
	}
	for _, d := range c.Dependencies() {
		v, ok := values[d.Name()]
		if !ok || v == nil {
			continue
		}
		of, ok := v.(map[string]any)
		if !ok {
			fmt.Fprintf(all, "%s: expected a map of values, found %T\n", d.Name(), v)
			continue
		}
		checkInto(all, d, of)
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
