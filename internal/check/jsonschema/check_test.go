package jsonschema

import (
	"slices"
	"testing"

	"weft/internal/testing/cases"
)

// TestCheckAgrees compares verdicts with those of a library, as FuzzCheck does.
func TestCheckAgrees(t *testing.T) {
	n := uint64(500)
	if cases.Long() {
		n = 10_000
	}
	for seed := range n {
		agree(t, seed)
	}
}

// TestCheck compares what is wrong with values, in words.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, schema, value string
		want                []string
	}{
		{"right", `{type: object, properties: {a: {type: integer}}}`, `{a: 1}`, nil},
		{
			"type", `{properties: {replicas: {type: [integer, "null"]}}}`, `{replicas: three}`,
			[]string{`replicas: expected an integer, found "three"`},
		},
		{
			"quoted number", `{properties: {n: {type: integer}}}`, `{n: "3"}`,
			[]string{`n: expected an integer, found "3" (remove the quotes)`},
		},
		{
			"number for text", `{additionalProperties: {type: string}}`, `{version: 1.5}`,
			[]string{`version: expected a string, found 1.5 (put it in quotes)`},
		},
		{
			"unknown field", `{properties: {replicas: {}}, additionalProperties: false}`, `{replica: 1}`,
			[]string{`replica: unknown field (did you mean replicas?)`},
		},
		{
			"other case", `{properties: {targetPort: {}, x: {}}, additionalProperties: false}`, `{TARGETPORT: 1}`,
			[]string{`TARGETPORT: unknown field (did you mean targetPort?)`},
		},
		{
			"nothing like it", `{properties: {a: {}, b: {}}, additionalProperties: false}`, `{something: 1}`,
			[]string{`something: unknown field (the fields here are a and b)`},
		},
		{
			"missing fields", `{required: [a, b, c]}`, `{b: 1}`,
			[]string{`the required fields a and c are missing`},
		},
		{
			"enum", `{properties: {p: {enum: [TCP, UDP, SCTP]}}}`, `{p: tcp}`,
			[]string{`p: expected one of "TCP", "UDP" or "SCTP", found "tcp" (did you mean TCP?)`},
		},
		{
			"pattern", `{items: {pattern: "^[a-z]+$"}}`, `[a, B]`,
			[]string{`[1]: expected text that matches ^[a-z]+$, found "B"`},
		},
		{"minimum", `{minimum: 1}`, `0`, []string{`expected at least 1, found 0`}},
		{"draft 4", `{minimum: 1, exclusiveMinimum: true}`, `1`, []string{`expected more than 1, found 1`}},
		{"no draft 4", `{maximum: 1, exclusiveMaximum: false}`, `1`, nil},
		{"length", `{maxLength: 2}`, `abc`, []string{`expected at most 2 characters, found 3`}},
		{"items", `{minItems: 1}`, `[]`, []string{`expected at least 1 item, found none`}},
		{
			"int or string", `{oneOf: [{type: [string, "null"]}, {type: [integer, "null"]}]}`, `[1]`,
			[]string{`expected a string or an integer, found a list`},
		},
		{"null is no value", `{oneOf: [{type: [string, "null"]}, {type: [integer, "null"]}]}`, `null`, nil},
		{
			"one of two fields", `{oneOf: [{required: [a]}, {required: [b]}]}`, `{c: 1}`,
			[]string{`needs one of the fields a or b`},
		},
		{
			"both of two fields", `{oneOf: [{required: [a]}, {required: [b]}]}`, `{a: 1, b: 1}`,
			[]string{`must have only one of the fields a and b`},
		},
		{
			"the alternative that was meant",
			`{anyOf: [
			  {type: string},
			  {properties: {kind: {enum: [file]}, path: {type: string}}, required: [kind]},
			  {properties: {kind: {enum: [port]}, port: {type: integer}}, required: [kind]}]}`,
			`{kind: port, port: http}`,
			[]string{`port: expected an integer, found "http"`},
		},
		{
			"one type in each alternative, further down",
			`{anyOf: [{properties: {a: {type: string}}}, {properties: {a: {type: integer}}}]}`,
			`{a: []}`,
			[]string{`a: expected a string, found a list`},
		},
		{
			"a field that is missing, and one below it that is not known",
			`{required: [name], properties: {name: {}, sub: {
			  properties: {name: {}}, additionalProperties: false}}}`,
			`{sub: {nam: 1}}`,
			[]string{`the required field name is missing`, `sub.nam: unknown field (did you mean name?)`},
		},
		{
			"a field that is missing below one that is not known",
			`{properties: {name: {}, a: {required: [name], properties: {name: {}}}}, additionalProperties: false}`,
			`{a: {}, nam: 1}`,
			[]string{`a: the required field name is missing`, `nam: unknown field (did you mean name?)`},
		},
		{
			"many values", `{enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}`, `0`,
			[]string{`expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more, found 0`},
		},
		{"base64", `{format: byte}`, `hello!`, []string{
			`expected text in base64, found "hello!" ` +
				`(write plain text under stringData, or encode it: base64.encode(...))`,
		}},
		{"int32", `{format: int32}`, `3000000000`, []string{
			`expected an integer of at most 32 bits, found 3000000000`,
		}},
		{"keys that are numbers", `{properties: {"80": {type: string}}, additionalProperties: false}`, `{80: x}`, nil},
		{
			"a reference", `{definitions: {x: {type: string}}, properties: {a: {$ref: "#/definitions/x"}}}`, `{a: []}`,
			[]string{`a: expected a string, found a list`},
		},
		{
			"a reference to nothing", `{properties: {a: {$ref: "#/definitions/x"}}}`, `{a: []}`,
			[]string{
				`a: the schema cannot be used: schema.json: refers to '#/definitions/x', which is not there`,
			},
		},
		{
			"a reference to a web page", `{$ref: "https://example.com/x.json"}`, `1`,
			[]string{
				"the schema cannot be used: schema.json: refers to 'https://example.com/x.json', " +
					"and weft fetches no schemas",
			},
		},
		{
			"a circle", `{allOf: [{$ref: "#"}]}`, `1`,
			[]string{`the schema cannot be used: schema.json: it refers to itself without an end`},
		},
		{
			"a pattern of another language", `{pattern: "(?=a)"}`, `a`,
			[]string{
				"the schema cannot be used: schema.json: the pattern \"(?=a)\" cannot be used: " +
					"error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
			},
		},
		{
			"an alternative that cannot be checked", `{anyOf: [{pattern: "(?=a)"}, {type: string}]}`, `a`,
			[]string{
				"the schema cannot be used: schema.json: the pattern \"(?=a)\" cannot be used: " +
					"error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
			},
		},
		{
			"what must not be, and cannot be checked", `{not: {$ref: "#/definitions/x"}}`, `1`,
			[]string{`the schema cannot be used: schema.json: refers to '#/definitions/x', which is not there`},
		},
		{
			"JSON with escapes", `{"enum": ["a\/b", "\ud83d\ude00", "\u00e9"]}`, `"😀"`, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := messages(schemaOf(t, []byte(c.schema)).Check(valueOf(t, []byte(c.value)), nil))
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// Schemas whose parts refer to each other many times over end.
func TestCheckEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts up to a limit")
	}
	schema := `{definitions: {a0: {type: integer}`
	for i := range 60 {
		a, b := string(rune('0'+i/10)), string(rune('0'+i%10))
		next, last := (i+1)/10, (i+1)%10
		from := `a` + a + b
		if i == 0 {
			from = "a0"
		}
		schema += `, a` + string(rune('0'+next)) + string(rune('0'+last)) +
			`: {allOf: [{$ref: "#/definitions/` + from + `"}, {$ref: "#/definitions/` + from + `"}]}`
	}
	const want = "the schema cannot be used: schema.json: it takes too long to check"
	const large = `{$ref: "#/definitions/a60"}`
	for _, use := range []string{
		`allOf: [` + large + `]`,
		`anyOf: [` + large + `, {type: string}]`,
		`oneOf: [` + large + `, {type: string}]`,
		`not: ` + large,
		`if: ` + large + `, then: {type: string}`,
	} {
		got := messages(schemaOf(t, []byte(schema+`}, `+use+`}`)).Check(valueOf(t, []byte("1")), nil))
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q", use, got)
		}
	}
}
