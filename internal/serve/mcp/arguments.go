package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"weft/internal/serve/lsp/wire"
)

// arguments are those of all tools; each takes some of them.
type arguments struct {
	Project     string         `json:"project,omitempty"`
	Files       []string       `json:"files,omitempty"`
	Environment string         `json:"environment,omitempty"`
	Document    string         `json:"document,omitempty"`
	Path        string         `json:"path,omitempty"`
	Value       string         `json:"value,omitempty"`
	Set         map[string]any `json:"set,omitempty"`
	Changes     []string       `json:"changes,omitempty"`
	Write       bool           `json:"write,omitempty"`
	From        string         `json:"from,omitempty"`
	To          string         `json:"to,omitempty"`
	Revision    string         `json:"revision,omitempty"`
	Cursor      string         `json:"cursor,omitempty"`
}

// property is the schema of an argument.
type property struct {
	Type        string         `json:"type"`
	Description string         `json:"description"`
	Items       map[string]any `json:"items,omitempty"`
}

// inputSchema is the JSON Schema of the arguments of a tool.
type inputSchema struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required,omitempty"`
	Additional bool                `json:"additionalProperties"`
}

// text returns an argument that is a string.
func text(description string) property { return property{Type: "string", Description: description} }

// properties returns the table of arguments.
func properties() map[string]property {
	return map[string]property{
		"project": text("directory of the project, or its weft.yml, relative to the directory of the server; " +
			"default: the weft.yml there or above"),
		"files": {
			Type:  "array",
			Items: map[string]any{"type": "string"},
			Description: "files and directories to render if there is no weft.yml in the repository, " +
				"relative to the directory of the server",
		},
		"environment": text("name of an environment, as the tool environments lists them; default: that of the " +
			"project"),
		"document": text("document of the output: KIND/NAME such as Deployment/web, a name, a kind, FILE#N, or a " +
			"condition such as kind=Service"),
		"path": text("place in documents, such as spec.replicas or spec.containers[0].image; * is any key or " +
			"item"),
		"value": text("path of a data value, such as replicas or image.tag; a map means everything in it"),
		"set": {
			Type:        "object",
			Description: `data values to set for this call, by their paths: {"replicas": 5, "image.tag": "2.0"}`,
		},
		"changes": {
			Type:  "array",
			Items: map[string]any{"type": "string"},
			Description: "what should be different in the output: DOCUMENT:PATH=VALUE, such as " +
				"Deployment/web:spec.replicas=5; VALUE is YAML. DOCUMENT:PATH[+]=VALUE adds an item to a list, " +
				"such as Deployment/*:spec.template.spec.containers[0].env[+]={name: TZ, value: UTC}, and " +
				"DOCUMENT:PATH- removes what is there",
		},
		"write": {Type: "boolean", Description: "write the change to the sources"},
		"from":  text("name of the environment on the left side"),
		"to":    text("name of the environment on the right side"),
		"revision": text("git revision to compare `environment` with: a branch, a tag or a commit, such as " +
			"main or HEAD~1"),
		"cursor": text("where to continue: the cursor of the previous answer, with the same other arguments"),
	}
}

// shared are the arguments that all tools take.
var shared = [...]string{"project", "cursor"}

func (t tool) schema() inputSchema {
	all, s := properties(), inputSchema{Type: "object", Properties: map[string]property{}, Required: t.needs}
	for _, name := range t.names() {
		s.Properties[name] = all[name]
	}
	return s
}

func (t tool) names() []string { return slices.Concat(t.takes, shared[:]) }

// decode reads the arguments of a call. What does not fit the schema is an error of the request.
func (t tool) decode(params json.RawMessage) (*arguments, error) {
	refuse := func(format string, args ...any) error {
		return wire.Errorf(wire.InvalidParams, "%s: %s", t.name, fmt.Sprintf(format, args...))
	}
	var given map[string]json.RawMessage
	args := &arguments{}
	if len(params) > 0 {
		if err := json.Unmarshal(params, &given); err != nil {
			return nil, refuse("the arguments have to be an object")
		}
		decoder := json.NewDecoder(bytes.NewReader(params))
		decoder.UseNumber() // a large number must stay as it is
		if err := decoder.Decode(args); err != nil {
			return nil, refuse("%s", wire.Unfit(err))
		}
	}
	for name := range given {
		if !slices.Contains(t.names(), name) {
			return nil, refuse("unknown argument %.100q; it takes %s", name, strings.Join(t.names(), ", "))
		}
	}
	for _, name := range t.needs {
		if _, ok := given[name]; !ok {
			return nil, refuse("the argument %s is missing: %s", name, properties()[name].Description)
		}
	}
	return args, nil
}
