package tree

// Extension is something that weft understands in files and ytt does not.
type Extension struct {
	Name    string // of an annotation, or of a function as code calls it: overlay.path
	Keyword string // of the annotation or function, if it is only that; else empty
	Instead string // what to write for ytt
}

// extensions are what files for ytt cannot have, sorted by their names.
var extensions = []Extension{
	{
		Name:    "schema/map",
		Instead: "write `#@schema/type any=True`, and check keys and values with `#@schema/validation`",
	},
	{
		Name:    "schema/required",
		Instead: "write `#@schema/nullable` and `#@schema/validation not_null=True`",
	},
	{
		Name:    "schema/secret",
		Instead: "remove it: it only hides the value in what weft shows",
	},
}

// Extensions returns what weft understands in files and ytt does not.
func Extensions() []Extension { return extensions }
