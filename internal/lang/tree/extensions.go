package tree

// Extension is something in files that weft supports and ytt does not.
type Extension struct {
	Name    string // the name of an annotation, or of a function as code calls it: overlay.path
	Keyword string // the keyword, if only that is an extension; otherwise empty
	Instead string // what to write instead for ytt
}

// What to write instead of keywords of rules, in schemas and in assertions.
const (
	insteadOfFormat     = "write a rule with a function: `(\"a host name\", lambda v: ...)`"
	insteadOfMatches    = "write a rule with a function: `(\"...\", lambda v: regexp.match(\"...\", v))`"
	insteadOfMultipleOf = "write a rule with a function: `(\"a multiple of 5\", lambda v: v % 5 == 0)`"
	insteadOfUnique     = "write a rule with a function: `(\"items that differ\", lambda v: len(set(v)) == len(v))`"
)

// extensions are what files for ytt must not contain, sorted by name.
var extensions = []Extension{
	{"assert/validate", "format", insteadOfFormat},
	{"assert/validate", "matches", insteadOfMatches},
	{"assert/validate", "multiple_of", insteadOfMultipleOf},
	{"assert/validate", "unique", insteadOfUnique},
	{
		Name:    "output/file",
		Instead: "write the document in a template of that name: ytt names files of the output after templates",
	},
	{
		Name:    "output/skip",
		Instead: "write the document in `#@ if` and `#@ end`, or remove it with `#@overlay/remove`",
	},
	{
		Name:    "overlay.documents",
		Instead: "set the value in data values, and read it in both places",
	},
	{
		Name: "overlay.path",
		Instead: "write the keys that lead to each node, one below the other, with `#@overlay/match " +
			"by=overlay.all, expects=\"1+\"` above the items of lists",
	},
	{
		Name: "overlay/inside",
		Instead: "write `#@overlay/replace via=lambda left, right: yaml.encode(overlay.apply(yaml.decode(left), " +
			"change()))` with the change in a function",
	},
	{
		Name:    "schema/any-of",
		Instead: "write `#@schema/type any=True`, and check the type with `#@schema/validation`",
	},
	{
		Name:    "schema/computed",
		Instead: "write `#@schema/nullable`, and compute the value where templates read it",
	},
	{
		Name:    "schema/map",
		Instead: "write `#@schema/type any=True`, and check keys and values with `#@schema/validation`",
	},
	{
		Name:    "schema/one-of",
		Instead: "declare a nullable map for each alternative, with `#@schema/validation one_not_null=[...]` above",
	},
	{
		Name:    "schema/required",
		Instead: "write `#@schema/nullable` and `#@schema/validation not_null=True`",
	},
	{
		Name:    "schema/secret",
		Instead: "remove it: it only hides the value in what weft shows",
	},
	{"schema/validation", "format", insteadOfFormat},
	{"schema/validation", "matches", insteadOfMatches},
	{"schema/validation", "multiple_of", insteadOfMultipleOf},
	{"schema/validation", "unique", insteadOfUnique},
}

// Extensions returns everything that weft supports in files and ytt does not.
func Extensions() []Extension { return extensions }
