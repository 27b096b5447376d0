package mcp

import (
	"strings"
	"testing"
)

// The tool values says what the schema allows, in lists, too.
func TestValuesSayWhatIsAllowed(t *testing.T) {
	inDir(t, map[string]string{"config/schema.yml": `#@data/values-schema
---
#@schema/validation min=1, max=20
replicas: 1
#@schema/desc "how much to log"
#@schema/validation one_of=["debug", "info"]
level: info
#@schema/validation min_len=2
name: web
#@schema/nullable
hosts:
- ""
volumes:
- name: data
  #@schema/validation min=1
  size: 1
#@schema/type any=True
extra: {}
`})
	data := start(t, Options{}).call("values", args{"files": []string{"config"}}).StructuredContent.Data
	for _, want := range []string{
		"replicas = 1  config/schema.yml:4  integer, at least 1, at most 20\n",
		"level = info  config/schema.yml:7  string, one of [\"debug\",\"info\"]  # how much to log\n",
		"name = web  config/schema.yml:9  string, length at least 2\n",
		"array of string or null\n",
		"array of object {name: string, size: integer, at least 1}\n",
	} {
		if !strings.Contains(data, want) {
			t.Errorf("%q is missing in\n%s", want, data)
		}
	}
}
