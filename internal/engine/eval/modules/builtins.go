package modules

// Builtin documents a function of Starlark, or a method of its values.
type Builtin struct {
	Of      string // the type of the values that have the method; "" for a function
	Name    string
	Params  string // as written in a call, with parentheses; "" for a constant
	Doc     string // one line of Markdown
	Returns string // the type of the result, and after a space that of its items; "" if it varies
}

// Builtins documents the functions, then the methods of each type, those that templates use most first.
// A test compares it with Starlark, and the reference is generated from it.
func Builtins() []Builtin { return builtins }

var builtins = []Builtin{
	{"", "len", "(x)", "the number of items, or of bytes of a string", "int"},
	{"", "str", "(x)", "the value as text", "string"},
	{
		"", "range", "([start], stop, [step])",
		"the integers from `start`, or 0, up to but without `stop`", "list int",
	},
	{"", "enumerate", "(x, [start])", "pairs of an index and an item", "list tuple"},
	{"", "sorted", "(x, key=None, reverse=False)", "a sorted list of the items", "list"},
	{"", "dict", "([pairs], name=..., ...)", "a dict of pairs, or of names and values", "dict"},
	{"", "list", "([x])", "a list of the items", "list"},
	{"", "int", "(x, base=10)", "an integer from a number or text", "int"},
	{"", "hasattr", "(x, name)", "whether a value has a field or method", "bool"},
	{"", "getattr", "(x, name, [default])", "the field or method with a name, or else the default", ""},
	{"", "type", "(x)", "the name of the type", "string"},
	{"", "fail", "(message, ..., sep=\" \")", "ends the run with the message", ""},
	{"", "print", "(value, ..., sep=\" \")", "writes a line to standard error", ""},
	{"", "zip", "(...)", "tuples of the first items, of the second items, and so on", "list tuple"},
	{"", "max", "(x, ..., key=None)", "the largest of the items or arguments", ""},
	{"", "min", "(x, ..., key=None)", "the smallest of the items or arguments", ""},
	{"", "any", "(x)", "whether one of the items is true", "bool"},
	{"", "all", "(x)", "whether all items are true", "bool"},
	{"", "reversed", "(x)", "a list of the items in reverse order", "list"},
	{"", "bool", "([x])", "whether a value is true: not empty, zero or None", "bool"},
	{"", "float", "([x])", "a number with a fraction, from a number or text", "float"},
	{"", "tuple", "([x])", "a tuple of the items", "tuple"},
	{"", "abs", "(x)", "the absolute value", ""},
	{"", "repr", "(x)", "the value as Starlark code", "string"},
	{"", "dir", "(x)", "the names of the fields and methods, sorted", "list string"},
	{"", "chr", "(n)", "the character with a number in Unicode", "string"},
	{"", "ord", "(text)", "the number of a character in Unicode", "int"},
	{"", "set", "([x])", "a set of the items", "set"},
	{"", "hash", "(text)", "a number for a string that is the same in each run", "int"},
	{"", "bytes", "(x)", "bytes, from text or from a list of numbers", "bytes"},
	{"", "True", "", "the true value", "bool"},
	{"", "False", "", "the false value", "bool"},
	{"", "None", "", "no value: null in YAML", ""},

	{
		"string", "format", "(..., name=...)",
		"the text with `{}`, `{0}` and `{name}` replaced by arguments", "string",
	},
	{"string", "replace", "(old, new, [count])", "the text with `old` replaced by `new`", "string"},
	{
		"string", "split", "([sep], [max])",
		"the parts between separators, or between white space", "list string",
	},
	{"string", "upper", "()", "the text in upper case", "string"},
	{"string", "lower", "()", "the text in lower case", "string"},
	{"string", "join", "(parts)", "the parts, with this text between them", "string"},
	{
		"string", "startswith", "(prefix, [start], [end])",
		"whether the text begins with one of the prefixes", "bool",
	},
	{
		"string", "endswith", "(suffix, [start], [end])",
		"whether the text ends with one of the suffixes", "bool",
	},
	{
		"string", "strip", "([characters])",
		"the text without white space, or these characters, at both ends", "string",
	},
	{"string", "removeprefix", "(prefix)", "the text without the prefix, if it has it", "string"},
	{"string", "removesuffix", "(suffix)", "the text without the suffix, if it has it", "string"},
	{"string", "title", "()", "the text with each word capitalized", "string"},
	{
		"string", "capitalize", "()",
		"the text with its first letter in upper case and the rest in lower case", "string",
	},
	{"string", "find", "(text, [start], [end])", "the index where the text occurs first, or -1", "int"},
	{"string", "count", "(text, [start], [end])", "how often the text occurs", "int"},
	{"string", "splitlines", "([keepends])", "the lines", "list string"},
	{
		"string", "lstrip", "([characters])",
		"the text without white space, or these characters, at its beginning", "string",
	},
	{
		"string", "rstrip", "([characters])",
		"the text without white space, or these characters, at its end", "string",
	},
	{
		"string", "partition", "(sep)",
		"the text before the first separator, the separator, and the rest", "tuple string",
	},
	{
		"string", "rpartition", "(sep)",
		"the text before the last separator, the separator, and the rest", "tuple string",
	},
	{"string", "rsplit", "([sep], [max])", "like `split`, but counts from the end", "list string"},
	{
		"string", "index", "(text, [start], [end])",
		"the index where the text occurs first; fails if it does not", "int",
	},
	{"string", "rfind", "(text, [start], [end])", "the index where the text occurs last, or -1", "int"},
	{
		"string", "rindex", "(text, [start], [end])",
		"the index where the text occurs last; fails if it does not", "int",
	},
	{"string", "isdigit", "()", "whether all characters are digits", "bool"},
	{"string", "isalpha", "()", "whether all characters are letters", "bool"},
	{"string", "isalnum", "()", "whether all characters are letters or digits", "bool"},
	{"string", "isupper", "()", "whether all letters are in upper case", "bool"},
	{"string", "islower", "()", "whether all letters are in lower case", "bool"},
	{"string", "isspace", "()", "whether all characters are white space", "bool"},
	{"string", "istitle", "()", "whether all words are capitalized", "bool"},
	{"string", "elems", "()", "the bytes, each as a string", "list string"},
	{"string", "elem_ords", "()", "the bytes, each as a number", "list int"},
	{"string", "codepoints", "()", "the characters, each as a string", "list string"},
	{"string", "codepoint_ords", "()", "the characters, each as a number", "list int"},

	{"list", "append", "(x)", "adds an item at the end", ""},
	{"list", "extend", "(items)", "adds items at the end", ""},
	{"list", "index", "(x, [start], [end])", "the index of an item; fails if there is none", "int"},
	{"list", "insert", "(i, x)", "inserts an item before the one at an index", ""},
	{"list", "pop", "([i])", "removes the last item, or the one at an index, and returns it", ""},
	{"list", "remove", "(x)", "removes the first item that is equal; fails if there is none", ""},
	{"list", "clear", "()", "removes all items", ""},

	{"dict", "get", "(key, [default])", "the value of a key, or else the default or None", ""},
	{"dict", "items", "()", "pairs of a key and its value", "list tuple"},
	{"dict", "keys", "()", "the keys", "list string"},
	{"dict", "values", "()", "the values", "list"},
	{
		"dict", "update", "([pairs], name=..., ...)",
		"sets keys from pairs, another dict, or names and values", "",
	},
	{
		"dict", "setdefault", "(key, [default])",
		"the value of a key, which is set to the default if it is missing", "",
	},
	{"dict", "pop", "(key, [default])", "removes a key and returns its value, or else the default", ""},
	{"dict", "popitem", "()", "removes the first key, and returns it with its value", "tuple"},
	{"dict", "clear", "()", "removes all keys", ""},

	{"set", "add", "(x)", "adds an item", ""},
	{"set", "union", "(...)", "a set of all items of this set and others", "set"},
	{"set", "intersection", "(items)", "a set of the items that both have", "set"},
	{"set", "difference", "(items)", "a set of the items that the other does not have", "set"},
	{"set", "symmetric_difference", "(items)", "a set of the items that only one of both has", "set"},
	{"set", "issubset", "(items)", "whether the other has all items of this set", "bool"},
	{"set", "issuperset", "(items)", "whether this set has all items of the other", "bool"},
	{"set", "update", "(...)", "adds the items of others", ""},
	{"set", "remove", "(x)", "removes an item; fails if there is none", ""},
	{"set", "discard", "(x)", "removes an item, if there is one", ""},
	{"set", "pop", "()", "removes the first item and returns it", ""},
	{"set", "clear", "()", "removes all items", ""},

	{"bytes", "elems", "()", "the bytes, each as a number", "list int"},

	{"library", "with_data_values", "(values, plain=False)", "the library with other data values", "library"},
	{"library", "eval", "()", "the documents of the library", ""},
	{"library", "data_values", "()", "the data values of the library", ""},
	{"library", "export", "(name, path=\"\")", "a function or variable of the library", ""},
	{"library", "with_data_values_schema", "(schema)", "the library with another schema", "library"},

	{"ip.addr", "string", "()", "the address as text", "string"},
	{"ip.addr", "is_ipv4", "()", "whether it is an IPv4 address", "bool"},
	{"ip.addr", "is_ipv6", "()", "whether it is an IPv6 address", "bool"},

	{"ip.net", "string", "()", "the network as text, such as `10.0.0.0/8`", "string"},
	{"ip.net", "addr", "()", "the address of the network", "ip.addr"},

	{"url", "string", "()", "the URL as text", "string"},
	{"url", "hostname", "()", "the name of the host, without the port", "string"},
	{"url", "without_user", "()", "the URL without its user", "url"},
	{"url", "user", "", "the user, with `name`, `password` and `string()`, or None", ""},

	{"assertion", "check", "(value)", "True, or fails if the value breaks the rule", "bool"},
}
