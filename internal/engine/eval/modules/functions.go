package modules

// Function documents a function of a module, or a value if it has no parameters.
type Function struct {
	Module, Name string
	Params       string // as written in a call, with parentheses
	Doc          string // one line of Markdown

	Use    string // what follows the name in an example, such as `("a").b`
	Result string // what print shows of the example, or ""
}

// Example returns an example with its result as Markdown, or "".
func (f Function) Example() string {
	if f.Use == "" && f.Result == "" {
		return ""
	}
	text := "`" + f.Module + "." + f.Name + f.Use + "`"
	if f.Result != "" {
		text += " → `" + f.Result + "`"
	}
	return text
}

// Functions documents the modules, sorted by name. A test compares it with the modules, and the
// reference is generated from it.
func Functions() []Function { return functions }

var functions = []Function{
	{
		"assert", "equals", "(expected, actual)", "fails unless both print as the same YAML",
		"([80], [80])", "None",
	},
	{"assert", "fail", "(message)", "fails with the message", `("no port")`, ""},
	{"assert", "max", "(v)", "an assertion that a value is at most `v`", "(10).check(7)", "True"},
	{
		"assert", "max_len", "(n)", "an assertion that a value has at most `n` items or characters",
		`(3).check("abc")`, "True",
	},
	{"assert", "min", "(v)", "an assertion that a value is at least `v`", "(1).check(7)", "True"},
	{
		"assert", "min_len", "(n)", "an assertion that a value has at least `n` items or characters",
		`(1).check(["a"])`, "True",
	},
	{
		"assert", "not_null", "([value])", "fails if the value is null; without one, an assertion that does",
		`().check("a")`, "True",
	},
	{
		"assert", "one_not_null", "([keys])", "an assertion that exactly one of the keys is not null",
		`(["a", "b"]).check({"a": 1, "b": None})`, "True",
	},
	{
		"assert", "one_of", "(value, ...)", "an assertion that a value is one of these",
		`("a", "b").check("b")`, "True",
	},
	{
		"assert", "try_to", "(function)",
		"calls the function: `(value, None)`, or `(None, message)` if it fails",
		`(lambda: fail("x"))`, `(None, "fail: x")`,
	},

	{
		"base64", "decode", "(text, url=False, raw=False, strict=False)", "the decoded text",
		`("dXNlcg==")`, "user",
	},
	{"base64", "encode", "(text, url=False, raw=False)", "the text as base64", `("user")`, "dXNlcg=="},

	{
		"data", "list", "([path])", "the paths of the files below a folder, relative to it",
		`("pages")`, "",
	},
	{"data", "read", "(path)", "the contents of a file", `("pages/about.md")`, ""},
	{"data", "values", "", "the data values, as a struct", ".db.host", ""},

	{
		"ip", "parse_addr", "(text)", "an IP address: `is_ipv4()`, `is_ipv6()`, `string()`",
		`("::1").is_ipv6()`, "True",
	},
	{
		"ip", "parse_cidr", "(text)", "an address and its network, which has `addr()` and `string()`",
		`("10.0.0.7/24")[1].string()`, "10.0.0.0/24",
	},

	{"json", "decode", "(text)", "parses JSON text and returns the value", `("[1, true]")`, "[1, True]"},
	{
		"json", "encode", "(value, indent=0, escape_html=True)", "the value as JSON, with sorted keys",
		`({"b": 1, "a": 2})`, `{"a":2,"b":1}`,
	},

	{"library", "get", "(name, alias=\"\", ...)", "a private library", `("app").eval()`, ""},

	{"math", "acos", "(x)", "the arc cosine", "(-1)", "3.14159"},
	{"math", "acosh", "(x)", "the inverse hyperbolic cosine", "(2)", "1.31696"},
	{"math", "asin", "(x)", "the arc sine", "(1)", "1.5708"},
	{"math", "asinh", "(x)", "the inverse hyperbolic sine", "(1)", "0.881374"},
	{"math", "atan", "(x)", "the arc tangent", "(1)", "0.785398"},
	{"math", "atan2", "(y, x)", "the angle of the point (x, y)", "(1, 1)", "0.785398"},
	{"math", "atanh", "(x)", "the inverse hyperbolic tangent", "(0.5)", "0.549306"},
	{"math", "ceil", "(x)", "the smallest integer that is not below `x`", "(1.2)", "2"},
	{"math", "copysign", "(x, y)", "`x` with the sign of `y`", "(3, -1)", "-3"},
	{"math", "cos", "(x)", "the cosine", "(0)", "1"},
	{"math", "cosh", "(x)", "the hyperbolic cosine", "(1)", "1.54308"},
	{"math", "degrees", "(x)", "an angle in degrees, from radians", "(math.pi)", "180"},
	{"math", "e", "", "Euler's number", "", "2.71828"},
	{"math", "exp", "(x)", "e to the power of `x`", "(1)", "2.71828"},
	{"math", "fabs", "(x)", "the absolute value", "(-3)", "3"},
	{"math", "floor", "(x)", "the largest integer that is not above `x`", "(1.8)", "1"},
	{"math", "gamma", "(x)", "the gamma function", "(5)", "24"},
	{"math", "hypot", "(x, y)", "the distance of (x, y) from the origin", "(3, 4)", "5"},
	{"math", "log", "(x, [base])", "the logarithm; the base is e without another", "(8, 2)", "3"},
	{"math", "mod", "(x, y)", "the remainder of a division, with the sign of `x`", "(-7, 3)", "-1"},
	{"math", "pi", "", "the number π", "", "3.14159"},
	{"math", "pow", "(x, y)", "`x` to the power of `y`", "(2, 10)", "1024"},
	{"math", "radians", "(x)", "an angle in radians, from degrees", "(180)", "3.14159"},
	{"math", "remainder", "(x, y)", "the IEEE 754 remainder of a division", "(7, 4)", "-1"},
	{"math", "round", "(x)", "the nearest integer; halves are rounded away from zero", "(2.5)", "3"},
	{"math", "sin", "(x)", "the sine", "(math.pi / 2)", "1"},
	{"math", "sinh", "(x)", "the hyperbolic sine", "(1)", "1.1752"},
	{"math", "sqrt", "(x)", "the square root", "(16)", "4"},
	{"math", "tan", "(x)", "the tangent", "(1)", "1.55741"},
	{"math", "tanh", "(x)", "the hyperbolic tangent", "(1)", "0.761594"},

	{
		"md5", "sum", "(text)", "the MD5 hash, as hexadecimal digits",
		`("data")`, "8d777f385d3dfec8815d20f7496026dc",
	},

	{
		"module", "make", "(name, member=..., ...)", "a module with these members",
		`("app", port=80).port`, "80",
	},

	{"overlay", "all", "", "matches everything; may be called", "", ""},
	{
		"overlay", "and_op", "(matcher, ...)", "matches what all of them match",
		`(overlay.subset({"kind": "Pod"}), overlay.not_op(overlay.index(0)))`, "",
	},
	{
		"overlay", "apply", "(left, [right], ...)", "`left` with overlays applied",
		`({"a": 1, "b": 2}, {"b": 3})["b"]`, "3",
	},
	{
		"overlay", "documents", "([by], [path])",
		"the documents that a selector or a matcher chooses, or what is at a path in them; in functions of " +
			"overlays",
		`(by="Service")`, "",
	},
	{"overlay", "index", "(i)", "matches the document or list item at index `i`, from 0", "(0)", ""},
	{
		"overlay", "map_key", "(name)", "matches maps with the same value for `name` as the overlay",
		`("name")`, "",
	},
	{
		"overlay", "not_op", "(matcher)", "matches what the matcher does not match",
		`(overlay.subset({"kind": "Pod"}))`, "",
	},
	{
		"overlay", "or_op", "(matcher, ...)", "matches what at least one of them matches",
		"(overlay.index(0), overlay.index(1))", "",
	},
	{
		"overlay", "path", "(pattern, ...)",
		"matches what the paths name, at any depth; on `_:` and list items",
		`("spec.**.image")`, "",
	},
	{"overlay", "subset", "(target)", "matches values that contain `target`", `({"kind": "Service"})`, ""},

	{
		"regexp", "match", "(pattern, text)", "whether the pattern occurs in the text",
		`("^v\d+$", "v12")`, "True",
	},
	{
		"regexp", "replace", "(pattern, text, with)",
		"the text with each match replaced by a string or a function's result",
		`("(\w+)@(\w+)", "me@home", "${2} of ${1}")`, "home of me",
	},

	{
		"sha256", "sum", "(text)", "the SHA-256 hash, as hexadecimal digits",
		`("data")`, "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7",
	},

	{
		"struct", "bind", "(function, x, ...)", "the function with its first arguments fixed",
		"(lambda a, b: a + b, 1)(2)", "3",
	},
	{
		"struct", "decode", "(struct)", "the struct as a dict, at every level",
		"(struct.make(port=80))", `{"port": 80}`,
	},
	{
		"struct", "encode", "(value)", "dicts and fragments as structs, at every level",
		`({"port": 80}).port`, "80",
	},
	{"struct", "make", "(field=..., ...)", "a struct with these fields", "(port=80).port", "80"},
	{
		"struct", "make_and_bind", "(x, function=..., ...)",
		"a struct whose functions get `x` as their first argument",
		"(2, times=lambda self, n: self * n).times(3)", "6",
	},

	{"template", "replace", "(value)", "replaces the node with the items of the value", "([1, 2])", ""},

	{"toml", "decode", "(text)", "parses TOML text and returns the value", `("port = 80")`, `{"port": 80}`},
	{
		"toml", "encode", "(value, indent=2)", "the value as TOML, with sorted keys",
		`({"port": 80})`, "port = 80",
	},

	{
		"url", "parse", "(text)", "a URL: `user`, `hostname()`, `without_user()`, `string()`",
		`("https://example.com/a").hostname()`, "example.com",
	},
	{"url", "path_segment_decode", "(text)", "the decoded segment of a path", `("a%20b")`, "a b"},
	{"url", "path_segment_encode", "(text)", "the text as a segment of a path", `("a b/c")`, "a%20b%2Fc"},
	{"url", "query_param_value_decode", "(text)", "the decoded value of a query", `("a+b")`, "a b"},
	{"url", "query_param_value_encode", "(text)", "the text as a value of a query", `("a b&c")`, "a+b%26c"},
	{
		"url", "query_params_decode", "(text)", "a query as a dict of lists of strings",
		`("q=a+b")`, `{"q": ["a b"]}`,
	},
	{
		"url", "query_params_encode", "(dict)", "a dict of lists of strings as a query",
		`({"q": ["a b"]})`, "q=a+b",
	},

	{
		"version", "require_at_least", "(version)",
		"fails unless weft supports that version of ytt's language",
		`("0.45.0")`, "None",
	},

	{"yaml", "decode", "(text)", "the value of a YAML document", `("a: [1, 2]")`, `{"a": [1, 2]}`},
	{"yaml", "encode", "(value)", "the value as YAML", `({"a": 1})`, "a: 1"},
}
