package modules

// Function documents a function of a module, or a value if it has no parameters.
type Function struct {
	Module, Name string
	Params       string // as written in a call, with parentheses
	Doc          string // one line of Markdown
}

// Functions documents the modules, sorted by name. A test compares it with the modules, and the
// reference is generated from it.
func Functions() []Function { return functions }

var functions = []Function{
	{"assert", "equals", "(expected, actual)", "fails unless both print as the same YAML"},
	{"assert", "fail", "(message)", "fails with the message"},
	{"assert", "max", "(v)", "an assertion that a value is at most `v`"},
	{"assert", "max_len", "(n)", "an assertion that a value has at most `n` items or characters"},
	{"assert", "min", "(v)", "an assertion that a value is at least `v`"},
	{"assert", "min_len", "(n)", "an assertion that a value has at least `n` items or characters"},
	{
		"assert", "not_null", "([value])",
		"fails if the value is null; without one, an assertion that does",
	},
	{"assert", "one_not_null", "([keys])", "an assertion that exactly one of the keys is not null"},
	{"assert", "one_of", "(value, ...)", "an assertion that a value is one of these"},
	{
		"assert", "try_to", "(function)",
		"calls the function: `(value, None)`, or `(None, message)` if it fails",
	},

	{
		"base64", "decode", "(text, url=False, raw=False, strict=False)",
		"the decoded text",
	},
	{"base64", "encode", "(text, url=False, raw=False)", "the text as base64"},

	{"data", "list", "([path])", "the paths of the files below a folder, relative to it"},
	{"data", "read", "(path)", "the contents of a file"},
	{"data", "values", "", "the data values, as a struct"},

	{"ip", "parse_addr", "(text)", "an IP address: `is_ipv4()`, `is_ipv6()`, `string()`"},
	{"ip", "parse_cidr", "(text)", "an address and its network, which has `addr()` and `string()`"},

	{"json", "decode", "(text)", "parses JSON text and returns the value"},
	{
		"json", "encode", "(value, indent=0, escape_html=True)",
		"the value as JSON, with sorted keys",
	},

	{"library", "get", "(name, alias=\"\", ...)", "a private library"},

	{"math", "acos", "(x)", "the arc cosine"},
	{"math", "acosh", "(x)", "the inverse hyperbolic cosine"},
	{"math", "asin", "(x)", "the arc sine"},
	{"math", "asinh", "(x)", "the inverse hyperbolic sine"},
	{"math", "atan", "(x)", "the arc tangent"},
	{"math", "atan2", "(y, x)", "the angle of the point (x, y)"},
	{"math", "atanh", "(x)", "the inverse hyperbolic tangent"},
	{"math", "ceil", "(x)", "the smallest integer that is not below `x`"},
	{"math", "copysign", "(x, y)", "`x` with the sign of `y`"},
	{"math", "cos", "(x)", "the cosine"},
	{"math", "cosh", "(x)", "the hyperbolic cosine"},
	{"math", "degrees", "(x)", "an angle in degrees, from radians"},
	{"math", "e", "", "Euler's number"},
	{"math", "exp", "(x)", "e to the power of `x`"},
	{"math", "fabs", "(x)", "the absolute value"},
	{"math", "floor", "(x)", "the largest integer that is not above `x`"},
	{"math", "gamma", "(x)", "the gamma function"},
	{"math", "hypot", "(x, y)", "the distance of (x, y) from the origin"},
	{"math", "log", "(x, [base])", "the logarithm; the base is e without another"},
	{"math", "mod", "(x, y)", "the remainder of a division, with the sign of `x`"},
	{"math", "pi", "", "the number π"},
	{"math", "pow", "(x, y)", "`x` to the power of `y`"},
	{"math", "radians", "(x)", "an angle in radians, from degrees"},
	{"math", "remainder", "(x, y)", "the IEEE 754 remainder of a division"},
	{"math", "round", "(x)", "the nearest integer; halves are rounded away from zero"},
	{"math", "sin", "(x)", "the sine"},
	{"math", "sinh", "(x)", "the hyperbolic sine"},
	{"math", "sqrt", "(x)", "the square root"},
	{"math", "tan", "(x)", "the tangent"},
	{"math", "tanh", "(x)", "the hyperbolic tangent"},

	{"md5", "sum", "(text)", "the MD5 hash, as hexadecimal digits"},

	{"module", "make", "(name, member=..., ...)", "a module with these members"},

	{"overlay", "all", "", "matches everything; may be called"},
	{"overlay", "and_op", "(matcher, ...)", "matches what all of them match"},
	{"overlay", "apply", "(left, [right], ...)", "`left` with overlays applied"},
	{
		"overlay", "documents", "([by], [path])",
		"the documents that a selector or a matcher chooses, or what is at a path in them; in functions of " +
			"overlays",
	},
	{"overlay", "index", "(i)", "matches the document or list item at index `i`, from 0"},
	{"overlay", "map_key", "(name)", "matches maps with the same value for `name` as the overlay"},
	{"overlay", "not_op", "(matcher)", "matches what the matcher does not match"},
	{"overlay", "or_op", "(matcher, ...)", "matches what at least one of them matches"},
	{"overlay", "path", "(pattern, ...)", "matches what the paths name, at any depth; on `_:` and list items"},
	{"overlay", "subset", "(target)", "matches values that contain `target`"},

	{"regexp", "match", "(pattern, text)", "whether the pattern occurs in the text"},
	{
		"regexp", "replace", "(pattern, text, with)",
		"the text with each match replaced by a string or a function's result",
	},

	{"sha256", "sum", "(text)", "the SHA-256 hash, as hexadecimal digits"},

	{"struct", "bind", "(function, x, ...)", "the function with its first arguments fixed"},
	{"struct", "decode", "(struct)", "the struct as a dict, at every level"},
	{"struct", "encode", "(value)", "dicts and fragments as structs, at every level"},
	{"struct", "make", "(field=..., ...)", "a struct with these fields"},
	{
		"struct", "make_and_bind", "(x, function=..., ...)",
		"a struct whose functions get `x` as their first argument",
	},

	{"template", "replace", "(value)", "replaces the node with the items of the value"},

	{"toml", "decode", "(text)", "parses TOML text and returns the value"},
	{"toml", "encode", "(value, indent=2)", "the value as TOML, with sorted keys"},

	{"url", "parse", "(text)", "a URL: `user`, `hostname()`, `without_user()`, `string()`"},
	{"url", "path_segment_decode", "(text)", "the decoded segment of a path"},
	{"url", "path_segment_encode", "(text)", "the text as a segment of a path"},
	{"url", "query_param_value_decode", "(text)", "the decoded value of a query"},
	{"url", "query_param_value_encode", "(text)", "the text as a value of a query"},
	{"url", "query_params_decode", "(text)", "a query as a dict of lists of strings"},
	{"url", "query_params_encode", "(dict)", "a dict of lists of strings as a query"},

	{
		"version", "require_at_least", "(version)",
		"fails unless weft supports that version of ytt's language",
	},

	{"yaml", "decode", "(text)", "the value of a YAML document"},
	{"yaml", "encode", "(value)", "the value as YAML"},
}
