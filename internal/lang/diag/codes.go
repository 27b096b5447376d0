package diag

// Info documents a code: what it means, how severe it is, and what to do about it. docs/reference
// is generated from these texts, so they are Markdown.
type Info struct {
	Code     Code
	Severity Severity // the highest severity of diagnostics with this code
	Title    string   // what is wrong, in one line
	Doc      string   // what to do about it
}

// Codes returns the documentation of every code, group by group, in the order of the reference. A
// table of constants costs nothing until it is read.
func Codes() []Info { return codes }

// About returns the documentation of a code. ok is false if there is none; a test makes sure that
// all codes of weft have one.
func About(code Code) (info Info, ok bool) {
	for _, info := range codes {
		if info.Code == code {
			return info, true
		}
	}
	return Info{}, false
}

var codes = []Info{
	{
		"cli/usage", Error,
		"a command, a flag or an argument is wrong",
		"see `weft help` and the hint",
	},
	{
		"cli/output", Error,
		"standard output cannot be written",
		"check the disk, or the program that reads the output",
	},
	{
		"cli/format", Warning,
		"`-o` has no effect on files: YAML files stay YAML",
		"remove `-o`, or print to standard output",
	},
	{
		"cli/header", Warning,
		"with `--keep comments`: the `#cloud-config` line of a file is not the first line of " +
			"standard output, where cloud-init looks for it",
		"print this file alone, or write files with `--output-files`",
	},
	{
		"cli/remark", Warning,
		"the result has text templates, which are not printed on standard output: an error " +
			"with `--warnings=error`, else a warning",
		"write files with `--output-files DIR`",
	},
	{
		"engines/missing", Error,
		"the program `weft-engines`, which renders charts and kustomizations, cannot be found or started",
		"install `weft-engines` of the same release next to weft, or name it with `--engines PATH`",
	},
	{
		"engines/failed", Error,
		"the program `weft-engines` does not answer, or not as it should",
		"install `weft-engines` of the same release as weft; a chart may also take too much time or memory",
	},
	{
		"engines/render", Error,
		"a chart or a kustomization cannot be rendered, or there is something to know about it",
		"see the message, which comes from Helm or kustomize, and the line of the template",
	},
	{
		"engines/input", Warning,
		"the files of a Helm chart or a kustomization are plain inputs, so they are printed and not rendered",
		"name the directory with `charts` or `kustomizations` in `weft.yml`, or `exclude` it",
	},
	{
		"engines/values", Error,
		"a values file of a chart cannot be used",
		"a template of values has exactly one document, which is a map",
	},
	{
		"engines/key", Warning,
		"a key of a values file has no effect: no template of the chart reads it, and `values.yaml` has a " +
			"similar key",
		"correct the key, or remove it",
	},
	{
		"argocd/parameters", Error,
		"the parameters of an Argo CD application cannot be used",
		"set `string`, `array` or `map` of each parameter of the application",
	},
	{
		"api/decode", Error,
		"for programs that use weft as a library: documents do not fit the value that `Decode` gets",
		"decode into a slice if there are several documents, and compare the fields with the output",
	},
	{
		"krm/list", Error,
		"standard input of `weft krm` is not a ResourceList",
		"let kustomize or kpt call it; to render documents, run `weft -f -`",
	},
	{
		"krm/config", Error,
		"the functionConfig of `weft krm` is wrong",
		"see the hint, and the [guide](../guides/kustomize.md#the-function-config)",
	},
	{
		"krm/item", Error,
		"an item of a ResourceList, or a document that should become one, is not a resource",
		"make it a map with `apiVersion` and `kind`, or remove it",
	},
	{
		"fmt/path", Error,
		"a path cannot be formatted",
		"name directories, or files that end in `.yml`, `.yaml` or `.star`",
	},
	{
		"fmt/unsafe", Error,
		"the formatted file would not mean the same; it is left as it is",
		"put `#! weft-fmt: off` above the part that is written in an unusual way, and report it",
	},
	{
		"kubernetes/bad-schema", Warning,
		"with `--kubernetes`: a schema cannot be used",
		"found by `weft lint`: see the page `docs/lint/kubernetes/bad-schema.md`",
	},
	{
		"kubernetes/missing-field", Error,
		"with `--kubernetes`: an object lacks a field that its kind requires",
		"found by `weft lint`: see the page `docs/lint/kubernetes/missing-field.md`",
	},
	{
		"kubernetes/no-kind", Error,
		"with `--kubernetes`: a document has no `apiVersion` or no `kind`",
		"found by `weft lint`: see the page `docs/lint/kubernetes/no-kind.md`",
	},
	{
		"kubernetes/no-name", Error,
		"with `--kubernetes`: an object has neither `metadata.name` nor `metadata.generateName`",
		"found by `weft lint`: see the page `docs/lint/kubernetes/no-name.md`",
	},
	{
		"kubernetes/no-schema", Warning,
		"with `--kubernetes`: there is no schema of a custom resource",
		"found by `weft lint`: see the page `docs/lint/kubernetes/no-schema.md`",
	},
	{
		"kubernetes/schemas", Error,
		"the schemas of a version of Kubernetes are not found, or cannot be read",
		"follow the hint; see [Validate for Kubernetes](../guides/kubernetes.md)",
	},
	{
		"kubernetes/unknown-field", Error,
		"with `--kubernetes`: an object has a field that its kind does not have",
		"found by `weft lint`: see the page `docs/lint/kubernetes/unknown-field.md`",
	},
	{
		"kubernetes/unknown-kind", Error,
		"with `--kubernetes`: the version of Kubernetes does not have a kind",
		"found by `weft lint`: see the page `docs/lint/kubernetes/unknown-kind.md`",
	},
	{
		"kubernetes/value", Error,
		"with `--kubernetes`: a field of an object has a value that its schema does not allow",
		"found by `weft lint`: see the page `docs/lint/kubernetes/value.md`",
	},
	{
		"lint/ignore", Error,
		"a comment that hides findings is malformed",
		"found by `weft lint`: see the page `docs/lint/lint/ignore.md`",
	},
	{
		"lint/unused-ignore", Warning,
		"a comment hides a finding that does not exist",
		"found by `weft lint`: see the page `docs/lint/lint/unused-ignore.md`",
	},
	{
		"output/duplicate-object", Error,
		"two documents are the same Kubernetes object",
		"found by `weft lint`: see the page `docs/lint/output/duplicate-object.md`",
	},
	{
		"output/patch", Warning,
		"a document looks like a patch of another one",
		"found by `weft lint`: see the page `docs/lint/output/patch.md`",
	},
	{
		"output/tool-file", Warning,
		"a file of Helm or kustomize is printed like a manifest",
		"found by `weft lint`: see the page `docs/lint/output/tool-file.md`",
	},
	{
		"output/empty-document", Warning,
		"a document is empty",
		"found by `weft lint`: see the page `docs/lint/output/empty-document.md`",
	},
	{
		"lint/rule", Error,
		"the name or the level of a rule, or a line of a baseline, is wrong",
		"`weft lint --list` lists the rules; remove a broken baseline, and weft writes it again",
	},
	{
		"run/memory", Error,
		"the run needs more memory than it may use",
		"raise `--max-memory`, or find what grows: the message points to the code that was running",
	},
	{
		"run/timeout", Error,
		"the run took longer than `--timeout` allows",
		"raise `--timeout`; `--timings` shows where the time goes",
	},
	{
		"migrate/unproven", Error,
		"with `weft migrate`: the documents would differ in edition 2026, so nothing is written",
		"change what the message shows by hand; see [migrate.md](migrate.md)",
	},
	{
		"migrate/cannot", Error,
		"with `weft migrate`: a file cannot be rewritten",
		"rewrite the place by hand; see [migrate.md](migrate.md)",
	},
	{
		"migrate/no-file", Error,
		"with `weft migrate --write`: standard input or a URL has to change, but cannot be written",
		"write it to a file first",
	},
	{
		"migrate/vendir", Error,
		"a configuration of vendir cannot be read, or says something that weft.yml does not",
		"see the hint; what is left out is listed, and has to be done by hand",
	},
	{
		"migrate/removed", Warning,
		"with `weft migrate`: an entry is removed whose key is defined again below, so that it " +
			"never counted",
		"check that the remaining entry is the one you want",
	},
	{
		"migrate/key", Warning,
		"with `weft migrate`: a key such as `on` is written as `true`, since that is how edition ytt " +
			"reads it",
		"if the text is meant, put the key in quotes before you migrate",
	},
	{"internal", Error, "weft has a bug", "please report it with the input that causes it"},

	{
		"project/file", Error,
		"the project file is missing or cannot be read",
		"check the path and the permissions of `weft.yml`",
	},
	{
		"project/key", Error,
		"a key of `weft.yml` is unknown, missing or duplicate",
		"use the key of the hint, or see the [reference](weft-yml.md)",
	},
	{
		"project/value", Error,
		"a value of `weft.yml` does not fit its key",
		"write what the message expects",
	},
	{
		"project/cycle", Error,
		"a project file or an environment extends itself",
		"remove one of the `extends` that the message lists",
	},
	{
		"project/depth", Error,
		"more than 100 project files or environments extend each other, one after another",
		"let several extend the same one, instead of each other",
	},
	{
		"project/path", Error,
		"a path in `weft.yml` does not exist, or a pattern matches nothing",
		"correct the path, which is relative to the file that it is in",
	},
	{
		"project/outside", Error,
		"a project uses a path outside of its repository, or a URL",
		"move the file into the repository, or allow it with `--allow-outside`",
	},
	{
		"project/git", Error,
		"a project names a path below `.git`, in a bare repository, or where a `.git` file points: what " +
			"is read there may be a password, and what is written there may be run by git",
		"choose another path",
	},
	{
		"project/environment", Error,
		"an environment does not exist, or two have the same name",
		"use a name that `weft env` lists",
	},
	{
		"project/output", Error,
		"an output is incomplete, or two environments have the same one",
		"add `{env}` to the path, so that each environment has its own",
	},
	{
		"project/env", Error,
		"the project reads environment variables, and you have not allowed their prefix",
		"allow it with `--allow-env PREFIX` or `WEFT_ALLOW_ENV`, if you trust the project with them",
	},
	{
		"suggest/none", Error,
		"no change of the sources is known to give the edited output",
		"edit less at a time, or change the code that the message names",
	},
	{
		"suggest/set", Error,
		"`--set` does not name a value of a document",
		"write `--set DOCUMENT:PATH=VALUE`, such as `--set Deployment/web:spec.replicas=5`",
	},
	{
		"vendor/fetch", Error,
		"a vendored source cannot be fetched: the server does not answer as expected, or too late",
		"see the hint, and run the command again",
	},
	{
		"vendor/host", Error,
		"a vendored source leads to an address that weft does not ask, such as the own machine or plain http",
		"correct the address, or allow it with `--allow-outside URL`",
	},
	{
		"vendor/digest", Error,
		"a vendored source has other bytes than expected: it changed upstream, or on its way",
		"find out why; if you trust the change, replace the digest in `weft.yml` or update the lock",
	},
	{
		"vendor/archive", Error,
		"an archive is damaged or too large, or has entries that weft does not unpack, such as links that lead out",
		"leave these entries out with `paths`, or use another version of the source",
	},
	{
		"vendor/lock", Error,
		"`weft.lock` is damaged, or does not have what `weft.yml` asks for",
		"lock the source again: `weft vendor update NAME`",
	},
	{
		"vendor/changed", Error,
		"the files of a vendored source are not those that were locked: someone edited them, or removed some",
		"see what is different with `weft vendor --check`; `weft vendor --force` restores them",
	},
	{
		"vendor/version", Error,
		"a vendored source has no such version",
		"choose one that it has: the message lists some",
	},

	{"load/not-found", Error, "a file or directory does not exist", "correct the path"},
	{"load/unreadable", Error, "a file or directory cannot be read", "check its permissions"},
	{
		"load/irregular", Error,
		"an input is not a regular file",
		"name a file, or exclude it with `--file-mark 'PATH:exclude=true'`",
	},
	{
		"load/symlink", Error,
		"a symbolic link leads out of the allowed directories",
		"allow it with `--allow-symlink-destination DIR`",
	},
	{
		"load/stdin-twice", Error,
		"`-` is used more than once, but standard input can be read only once",
		"write one of them to a file",
	},
	{"load/too-large", Error, "an input is larger than weft reads; an editor reads up to 8 MiB", "split it"},
	{
		"load/url", Error,
		"a URL cannot be fetched",
		"check the URL and the network, or download the file first",
	},
	{
		"load/bad-name", Error,
		"`-f NAME=PATH` is malformed",
		"write one `=`, with text on both sides",
	},
	{
		"load/bad-mark", Error,
		"`--file-mark` is malformed",
		"write `PATH:KEY=VALUE`; the hint lists the keys and values",
	},
	{
		"load/mark-no-match", Error,
		"a file mark matches no input",
		"correct its path, which is relative to the input",
	},
	{
		"load/unknown-type", Error,
		"a file is marked for output, but weft does not know what it is",
		"add a mark such as `--file-mark 'PATH:type=text-plain'`",
	},
	{
		"load/nothing", Warning,
		"weft can read none of the input files, so there is no output",
		"name YAML, text or Starlark files with `-f`, or set the type of a file: `--file-mark " +
			"'a.json:type=yaml-plain'`",
	},

	{"yaml/encoding", Error, "the file is not UTF-8", "save it as UTF-8"},
	{
		"yaml/control-character", Error,
		"the file contains a control character",
		"remove it, or write it as an escape in double quotes",
	},
	{"yaml/tab-indentation", Error, "a line is indented with a tab", "indent with spaces"},
	{
		"yaml/indentation", Error,
		"the indentation of a line fits no line above it",
		"align it with the entries it belongs to",
	},
	{"yaml/unclosed", Error, "a quote or a bracket is never closed", "close it"},
	{
		"yaml/missing-space", Error,
		"a space is missing after `:`, `-`, an anchor or a tag",
		"add it",
	},
	{
		"yaml/nested-on-one-line", Error,
		"a mapping or list begins on the line of its key",
		"quote the text, or start a new line",
	},
	{
		"yaml/key", Error,
		"a line is not an entry of the collection around it",
		"write `key: value`, or `- item` in a list",
	},
	{
		"yaml/unexpected", Error,
		"text follows the end of a value, or the file contains a conflict marker",
		"remove it, or quote the whole value",
	},
	{
		"yaml/reserved-character", Error,
		"a value begins with a character that YAML reserves",
		"put the value in quotes",
	},
	{
		"yaml/escape", Error,
		"an escape in double quotes is unknown",
		"write `\\\\` for a backslash, or use single quotes",
	},
	{
		"yaml/block-scalar", Error,
		"the line of `\\|` or `>` has more than an indentation and a `-` or `+`",
		"put the text on the next line",
	},
	{
		"yaml/anchor", Error,
		"an alias has no anchor before it, or a node has two anchors",
		"correct the name",
	},
	{"yaml/tag", Error, "a tag is malformed, or a value has two", "write `!name` or `!!type` once"},
	{
		"yaml/directive", Error,
		"a `%` line is not a valid directive, or no `---` follows it",
		"write `%YAML 1.2`, then `---`",
	},
	{
		"yaml/document", Error,
		"content follows a complete document",
		"start a new document with `---`",
	},
	{
		"yaml/flow", Error,
		"something is wrong inside brackets or braces",
		"check the commas and the closing bracket",
	},
	{
		"yaml/limit", Error,
		"the file nests too deeply, or its aliases expand to too many nodes",
		"simplify it, or raise the limit with `--max-depth` or `--max-nodes`",
	},
	{
		"yaml/value", Error,
		"the text of a scalar does not fit its tag",
		"correct the text or the tag",
	},
	{"yaml/merge", Error, "the value of a merge key `<<` is not a mapping", "name mappings"},
	{
		"yaml/duplicate-key", Error,
		"a mapping has a duplicate key: an error in edition 2026; in plain YAML of edition ytt the " +
			"last one wins, and it is a warning",
		"remove one of the two; `--implicit-map-key-overrides` lets the last one win",
	},
	{
		"yaml/strict", Error,
		"with `--strict`: YAML readers disagree about an unquoted scalar",
		"put it in quotes, or write what you mean (`true`, `420`)",
	},
	{
		"yaml/json", Error,
		"with `-o json`: JSON has no such number or key",
		"write a string, or print YAML",
	},
	{
		"yaml/changed-scalar", Warning,
		"YAML 1.1 reads an unquoted scalar as something else: `on` is printed as `true`, `NO` " +
			"as `false`, `0644` as `420`, `1.10` as `1.1`. One warning per run names the first " +
			"three places and the count",
		"put it in quotes to keep the text, or write what you mean (`true`, `420`). `--yaml " +
			"1.2` reads words such as `on` as strings; `--strict` rejects scalars that YAML " +
			"readers disagree about",
	},
	{
		"yaml/two-meanings", Warning,
		"an unquoted scalar that YAML 1.1 and 1.2 read as two things, such as `on`, `0644` or " +
			"`12:30:00`, is used by its value, in edition 2026 or with `--keep literals`: code " +
			"reads it, a schema or a matcher checks it, an overlay or override replaces it, or it " +
			"is printed as JSON. Also for two keys that YAML 1.1 reads as one, such as `on` and `y`",
		"write what you mean: `true` or `\"on\"`, `420` or `\"0644\"`",
	},

	{
		"template/unknown-comment", Error,
		"a comment in a template begins with neither `#@` nor `#!`",
		"write `#!` for a comment",
	},
	{
		"template/two-values", Error,
		"a node has both a YAML value and a computed one",
		"remove one of the two",
	},
	{
		"template/no-value", Warning,
		"`a: #@` has no expression after `#@`: an error in edition 2026, `[]` and a warning in " +
			"edition ytt",
		"write the value after `#@`, or remove `#@`",
	},
	{
		"template/node-block", Error,
		"code follows `if/end` or another block that takes exactly one node",
		"write the block with `#@ if` and `#@ end` on separate lines",
	},
	{
		"template/annotation", Error,
		"an annotation cannot be used on this node, or is used twice",
		"move it to where the message says",
	},
	{
		"template/unknown-annotation", Warning,
		"an annotation has an unknown name: `#@overlay.remove`, `#@data/value-schema`. " +
			"Names that begin with `overlay/` have the code `overlay/unknown`, those with `schema/` " +
			"`schema/annotation`",
		"write the annotation that the hint names, or `#!` for a comment",
	},
	{
		"template/unknown-keyword", Warning,
		"an annotation does not take a keyword: `#@overlay/merge missing_ok=True`",
		"use the annotation or keyword that the hint names",
	},
	{
		"template/missing-space", Warning,
		"code is read as an annotation: in `a: #@name`, `a` is null",
		"write `#@ name`, with a space, for code",
	},
	{
		"template/foreign", Warning,
		"`a: {{ .Values.x }}`, from a Helm or Jinja template, is a map within a map to YAML",
		"render it with that program first, or put the text in quotes",
	},
	{
		"template/matcher-or", Warning,
		"`or` or `and` between matchers of overlays: a matcher is always true, so `or` gives " +
			"the first one and `and` the last",
		"write `overlay.or_op(a, b)` or `overlay.and_op(a, b)`",
	},
	{
		"template/constant-or", Warning,
		"`or` between strings, as in `subset({\"kind\": \"A\" or \"B\"})`, gives the first; " +
			"`x == \"A\" or \"B\"` is always true",
		"write `overlay.or_op(...)` with a matcher for each, or `x in [\"A\", \"B\"]`",
	},
	{
		"template/code-in-string", Warning,
		"a string contains code that is not evaluated, such as `echo (@= data.values.x @)` or " +
			"`\"#@ data.values.x\"`, or is code without its `#@`: `a: data.values.x`",
		"write `#@` before it if it is all of the value; else put " +
			"`#@yaml/text-templated-strings` above the key, and write code in the string as " +
			"`(@= ... @)`",
	},
	{
		"template/almost-annotation", Warning,
		"a space turns an annotation into a plain comment",
		"found by `weft lint`: see the page `docs/lint/template/almost-annotation.md`",
	},
	{
		"template/after-return", Warning,
		"nodes of a function come after its `return`",
		"found by `weft lint`: see the page `docs/lint/template/after-return.md`",
	},
	{
		"template/no-return", Warning,
		"a function without a result is used as a value",
		"found by `weft lint`: see the page `docs/lint/template/no-return.md`",
	},
	{
		"template/other-syntax", Warning,
		"an expression of another template language is text",
		"found by `weft lint`: see the page `docs/lint/template/other-syntax.md`",
	},
	{
		"template/compare-bool", Warning,
		"a boolean is compared with `True` or `False`",
		"found by `weft lint`: see the page `docs/lint/template/compare-bool.md`",
	},
	{
		"template/constant-branch", Warning,
		"a condition has the same result in every environment",
		"found by `weft lint`: see the page `docs/lint/template/constant-branch.md`",
	},
	{
		"template/encode-all", Warning,
		"all data values are written as text at once",
		"found by `weft lint`: see the page `docs/lint/template/encode-all.md`",
	},
	{
		"template/hasattr-values", Warning,
		"`hasattr` asks whether a data value exists that the schema declares",
		"found by `weft lint`: see the page `docs/lint/template/hasattr-values.md`",
	},
	{
		"template/late-load", Warning,
		"`load` comes after the first node",
		"found by `weft lint`: see the page `docs/lint/template/late-load.md`",
	},
	{
		"template/load-twice", Warning,
		"a module is loaded twice",
		"found by `weft lint`: see the page `docs/lint/template/load-twice.md`",
	},
	{
		"template/one-node-block", Warning,
		"a block around one node",
		"found by `weft lint`: see the page `docs/lint/template/one-node-block.md`",
	},
	{
		"template/portable", Warning,
		"ytt does not know an annotation, a keyword, a function or a short cut of weft.yml",
		"found by `weft lint --portable`: see the page `docs/lint/template/portable.md`",
	},
	{
		"template/str-concat", Warning,
		"a string is joined with `str()`",
		"found by `weft lint`: see the page `docs/lint/template/str-concat.md`",
	},
	{
		"template/unused-function", Warning,
		"a function is never called",
		"found by `weft lint`: see the page `docs/lint/template/unused-function.md`",
	},
	{
		"template/unused-load", Warning,
		"a name is loaded and not used",
		"found by `weft lint`: see the page `docs/lint/template/unused-load.md`",
	},
	{
		"template/unused-variable", Warning,
		"a variable is never read",
		"found by `weft lint`: see the page `docs/lint/template/unused-variable.md`",
	},
	{
		"template/yaml-round-trip", Warning,
		"a value is written as text and read again",
		"found by `weft lint`: see the page `docs/lint/template/yaml-round-trip.md`",
	},

	{
		"text/nested-opening", Error,
		"`(@` inside the code of a text template",
		"close the code with `@)` first",
	},
	{"text/unexpected-closing", Error, "`@)` outside code", "remove it, or add the `(@` before it"},
	{"text/missing-closing", Error, "code in a text template is never closed", "add `@)`"},
	{
		"text/unknown-mark", Error,
		"`(@` is followed by an unknown mark",
		"write `(@=` for a value and `(@` for code",
	},

	{
		"script/syntax", Error,
		"code does not follow the Starlark grammar",
		"see [starlark.md](starlark.md)",
	},
	{
		"script/reserved-word", Error,
		"a keyword is used where a name is expected",
		"choose another name",
	},
	{"script/pass", Error, "`pass` is not needed: blocks end with `end`", "remove it"},
	{"script/unclosed-block", Error, "a block has no `end`", "add `#@ end`"},
	{
		"script/unexpected-end", Error,
		"an `end` has no block",
		"remove it, or add the block's first line",
	},
	{
		"script/unexpected-else", Error,
		"an `else` or `elif` has no `if`",
		"put it between `if` and `end`",
	},
	{"script/too-deep", Error, "blocks are nested too deeply", "move some of them into functions"},
	{
		"script/undefined", Error,
		"a name is not defined",
		"correct it, or load the module that defines it",
	},
	{
		"script/resolve", Error,
		"a name cannot be used here: `return` outside a function, a name defined twice",
		"follow the message",
	},

	{"eval/error", Error, "code failed", "follow the message and the hint"},
	{
		"eval/load", Error,
		"a file or module cannot be loaded",
		"correct its name, or add the file with `-f`",
	},
	{
		"eval/duplicate-key", Error,
		"a map has two items with the same key",
		"remove one, or put `#@yaml/map-key-override` above the second",
	},
	{
		"eval/limit", Error,
		"code exceeds a limit on steps, call depth or size",
		"look for an endless loop or recursion, or raise the limit that the hint names",
	},
	{
		"eval/dropped-value", Warning,
		"code alone on a line has a value that is never used, as in `#@ labels()`; or a map is " +
			"the value of a key `_`",
		"write `key: #@ labels()`, or `_: #@ template.replace(labels())` to insert its items",
	},
	{
		"eval/fragment-text", Warning,
		"a string is made of the YAML that a function returns, as in `\"%s\" % labels()`, and " +
			"contains only `yamlfragment(...)`",
		"write `yaml.encode(labels())` to insert the YAML as text, or `key: #@ labels()` to " +
			"insert it as a value",
	},
	{
		"eval/replaced-before", Warning,
		"a node is null because its `template.replace` has already replaced another node",
		"call `template.replace` in the value of the node to replace",
	},
	{
		"module/remark", Warning,
		"with `--warnings=error`: a warning that a module prints, as `@ytt:math` does",
		"remove the module, or the flag",
	},

	{
		"schema/definition", Error,
		"the schema declares no type: null without an annotation, or an array without exactly " +
			"one item",
		"write a value of the type you want, or annotate it",
	},
	{
		"schema/annotation", Error,
		"an annotation of schemas is unknown or malformed: a wrong keyword, a wrong number of " +
			"arguments. As a warning: it is unknown, or has no effect",
		"correct it; the hint names what the annotation takes",
	},
	{
		"schema/type", Error,
		"the type of a value differs from the schema",
		"change the value, or the schema",
	},
	{
		"schema/unknown-key", Error,
		"a key is not declared in the schema",
		"correct the key, or declare it",
	},
	{
		"schema/validation", Error,
		"a value breaks a rule; the message points to where the value is set, and the note to " +
			"the rule",
		"set a value that the rule accepts",
	},
	{
		"schema/computed", Error,
		"a data value with `#@schema/computed` cannot be computed, or is computed from itself",
		"correct the function; it gets the final data values",
	},
	{
		"schema/rule", Error,
		"a rule cannot be checked: a condition (`when=`) failed, or gave no boolean",
		"correct the function",
	},
	{
		"schema/import", Error,
		"a file cannot be imported as a schema, or with `--strict` a part of it",
		"name the format with `--from`, the schema with `--name`, or leave out `--strict`",
	},
	{
		"schema/export", Error,
		"a file has no place for the table of `weft schema export --to markdown`",
		"put the two lines into the file that the hint shows",
	},
	{
		"schema/any", Warning,
		"a data value may be anything",
		"found by `weft lint`: see the page `docs/lint/schema/any.md`",
	},
	{
		"schema/any-of-overlap", Warning,
		"two alternatives of `#@schema/any-of` take the same values",
		"found by `weft lint`: see the page `docs/lint/schema/any-of-overlap.md`",
	},
	{
		"schema/array-example", Warning,
		"an item of a list in a schema looks like a default",
		"found by `weft lint`: see the page `docs/lint/schema/array-example.md`",
	},
	{
		"schema/assert-required", Warning,
		"a data value is required where it is used",
		"found by `weft lint`: see the page `docs/lint/schema/assert-required.md`",
	},
	{
		"schema/empty-as-unset", Warning,
		"the empty string means that a value is not set",
		"found by `weft lint`: see the page `docs/lint/schema/empty-as-unset.md`",
	},
	{
		"schema/no-description", Warning,
		"a data value has no description",
		"found by `weft lint`: see the page `docs/lint/schema/no-description.md`",
	},
	{
		"schema/secret-default", Warning,
		"a secret is written in a file",
		"found by `weft lint`: see the page `docs/lint/schema/secret-default.md`",
	},
	{"schema/deprecated", Warning, "a deprecated value is set", "follow the notice of the schema"},

	{
		"values/flag", Error,
		"a flag that sets data values is malformed",
		"write `key=value`, or `@library:key=value`",
	},
	{
		"values/file", Error,
		"a file of `--data-values-file` contains annotations",
		"remove the `#@` comments, or pass the file with `-f`",
	},
	{
		"values/merge", Error,
		"data values cannot be merged: a key is set inside something that is not a map",
		"set the whole value, or correct the key",
	},
	{
		"values/required", Error,
		"nothing sets a data value that a schema (`#@schema/required`) or `weft.yml` requires",
		"set it in a file of data values, with a flag or with an environment variable",
	},
	{
		"values/fit", Error,
		"a data value does not fit a JSON Schema that `valuesSchema` in `weft.yml` or " +
			"`--data-values-json-schema` names; the message points to where the value is set, and the note to " +
			"the rule",
		"set a value that fits, or correct the JSON Schema",
	},
	{
		"values/json-schema", Error,
		"a JSON Schema of data values cannot be used: a keyword has a wrong value, or a reference leads to " +
			"nothing, to the network, or out of the project",
		"correct the schema; keep copies of the schemas that it refers to in the project",
	},
	{
		"values/annotation", Error,
		"`@data/values`, `@data/values-schema` or `@library/ref` is malformed, or values " +
			"given to a library contain annotations",
		"follow the message",
	},
	{
		"values/mixed-file", Error,
		"a file mixes data values with other documents",
		"move them into separate files",
	},
	{
		"values/unused", Error,
		"data values are given to a library that nothing evaluates",
		"correct the name of the library, or remove them",
	},
	{
		"values/rule", Warning,
		"a rule of `@assert/validate` has no effect, because the value is already set",
		"put the rule into the schema",
	},
	{
		"values/string", Warning,
		"`--data-value` or `--data-values-env` sets a string such as `\"false\"` or `\"0\"` " +
			"where a boolean was, or where code tests it: every string but the empty one is true",
		"use `--data-value-yaml` or `--data-values-env-yaml`",
	},
	{
		"values/several", Error,
		"`--data-value` reads as if it set several values: `a=1,b=2`; a warning in edition `ytt`",
		"give each value its own flag",
	},
	{
		"values/env-prefix", Warning,
		"no environment variable begins with the prefix, because of its last underscore or " +
			"its case",
		"write the prefix without the underscore, in the case of the variables",
	},
	{
		"values/printed", Warning,
		"a file without annotations contains only data values, and is printed because it was " +
			"passed with `-f`",
		"pass it with `--data-values-file`, or put `#@data/values` and `---` at its top",
	},
	{
		"values/unread", Warning,
		"no template reads a data value that is set",
		"correct the key, or remove it",
	},
	{
		"values/no-op", Warning,
		"a data value is set to the value that it already has",
		"found by `weft lint`: see the page `docs/lint/values/no-op.md`",
	},
	{
		"values/no-schema", Warning,
		"data values without a schema",
		"found by `weft lint`: see the page `docs/lint/values/no-schema.md`",
	},
	{
		"values/shadowed", Warning,
		"a data value is overridden in every environment",
		"found by `weft lint`: see the page `docs/lint/values/shadowed.md`",
	},

	{
		"overlay/match-count", Error,
		"an overlay matches more or fewer nodes than `expects`, `missing_ok` or the default " +
			"of one allow",
		"correct the match, or add `expects=`, `missing_ok=True` or `when=1`",
	},
	{
		"overlay/map-key", Error,
		"`by=\"name\"` or `overlay.map_key(\"name\")`, and a candidate or the overlay's item " +
			"does not have the key",
		"match with a function or `overlay.subset`, or add the key",
	},
	{
		"overlay/matcher", Error,
		"a matcher cannot be used here, or a `by` function does not return `True` or " +
			"`False`",
		"follow the hint",
	},
	{
		"overlay/annotation", Error,
		"an annotation has wrong arguments, or a node has two actions",
		"correct it",
	},
	{
		"overlay/type", Error,
		"the overlay and what it is applied to have different types: a map onto an array or a " +
			"scalar",
		"write `#@overlay/replace` to change the type",
	},
	{
		"overlay/assert", Error,
		"an `@overlay/assert` does not hold",
		"correct the input, or the assertion",
	},
	{
		"overlay/via", Error,
		"a `via` function returned something that cannot be used",
		"return a value, or what `@overlay/assert` expects",
	},
	{
		"overlay/function", Error,
		"a function of an annotation failed; the place inside it is shown",
		"correct the function",
	},
	{
		"overlay/duplicate-key", Error,
		"two items of a map would have the same key",
		"remove or rename one of them",
	},
	{
		"overlay/inside", Error,
		"a string below `@overlay/inside` does not hold YAML or JSON that can be changed",
		"correct the text in the string, or remove `#@overlay/inside`",
	},
	{
		"overlay/limit", Error,
		"a document has more nodes than `--max-nodes` allows",
		"raise `--max-nodes`",
	},
	{
		"overlay/no-effect", Warning,
		"an action does nothing, such as remove on an array item without `@overlay/match`",
		"add `#@overlay/match`",
	},
	{
		"overlay/no-document", Warning,
		"an annotation is on or in a document that is not an overlay, because it has no " +
			"`@overlay/match` above its `---`",
		"put `#@overlay/match` above the `---`",
	},
	{
		"overlay/above-first-key", Warning,
		"a match above the first key belongs above a `---`",
		"add `---` below it",
	},
	{
		"overlay/unknown", Warning,
		"an annotation of overlays is unknown",
		"write the annotation that the hint names",
	},
	{
		"overlay/positional", Warning,
		"an argument of an annotation has no name, and is ignored",
		"write `by=...`",
	},
	{
		"overlay/twice", Warning,
		"the same annotation is on one node twice; only the last one counts",
		"combine the two",
	},
	{
		"overlay/added-whole", Warning,
		"a key or an item is added, appended or replaced as a whole, so an annotation inside it " +
			"has no effect: what should be removed is added",
		"write `when=1` to change it only where it exists, or let an earlier overlay add it " +
			"empty",
	},
	{
		"overlay/added-odd", Warning,
		"nothing matched, so an item was added that its own `by` does not match, or that has " +
			"the key `_`. Also a replaced item that gets the key `_`",
		"write `when=1` to change only what matches; to change every item, write " +
			"`by=overlay.all` above `_`",
	},
	{
		"overlay/collection-as-text", Warning,
		"the function of `via` gets a map or a list and converts it to text, which only names " +
			"its type",
		"put the annotation above the key whose value the function should get",
	},
	{
		"overlay/not-added", Warning,
		"`@overlay/replace` with `missing_ok=True` found nothing to replace in the whole run",
		"write `or_add=True` to add it, or `when=1` if that is fine",
	},
	{
		"overlay/alias", Warning,
		"an overlay changes a value with an anchor (`&a`), and its aliases (`*a`) keep the old one; those that " +
			"overrides change follow",
		"change the value in its file, or write out the aliases that are to stay",
	},
	{
		"overlay/empty", Warning,
		"an overlay has no content, so the documents that it matches are lost: often because of one " +
			"`---` too many",
		"remove one of the two `---`, or write `#@overlay/remove` to remove the documents",
	},
	{
		"overlay/all-expects-one", Warning,
		"`by=overlay.all` expects exactly one match",
		"found by `weft lint`: see the page `docs/lint/overlay/all-expects-one.md`",
	},
	{
		"overlay/by-index", Warning,
		"a list item is matched by its position",
		"found by `weft lint`: see the page `docs/lint/overlay/by-index.md`",
	},
	{
		"overlay/default-argument", Warning,
		"`expects=1` is the default",
		"found by `weft lint`: see the page `docs/lint/overlay/default-argument.md`",
	},
	{
		"overlay/lambda", Warning,
		"a function does what a matcher can",
		"found by `weft lint`: see the page `docs/lint/overlay/lambda.md`",
	},
	{
		"overlay/missing-ok-run", Warning,
		"several keys of one map have `missing_ok=True`",
		"found by `weft lint`: see the page `docs/lint/overlay/missing-ok-run.md`",
	},
	{
		"overlay/name-only", Warning,
		"a document is matched by its name alone",
		"found by `weft lint`: see the page `docs/lint/overlay/name-only.md`",
	},
	{
		"overlay/needless-missing-ok", Warning,
		"`missing_ok=True` on a node that always exists",
		"found by `weft lint`: see the page `docs/lint/overlay/needless-missing-ok.md`",
	},
	{
		"overlay/never-matches", Warning,
		"an overlay matches nothing in any environment",
		"found by `weft lint`: see the page `docs/lint/overlay/never-matches.md`",
	},
	{
		"overlay/near-key", Warning,
		"an overlay adds a key next to one of nearly the same name",
		"found by `weft lint`: see the page `docs/lint/overlay/near-key.md`",
	},
	{
		"overlay/null", Warning,
		"an overlay sets a key to null",
		"found by `weft lint`: see the page `docs/lint/overlay/null.md`",
	},
	{
		"overlay/silent-append", Warning,
		"an item is appended to a list that has one with its name",
		"found by `weft lint`: see the page `docs/lint/overlay/silent-append.md`",
	},
	{
		"overlay/unchanged", Warning,
		"an overlay changes nothing in any environment",
		"found by `weft lint`: see the page `docs/lint/overlay/unchanged.md`",
	},

	{
		"kubernetes/no-match", Error,
		"an image or a name below `kubernetes` in weft.yml that no object has; a warning if several " +
			"environments have the entry and not all of them were looked at, or another one needs it",
		"correct the name, or remove the entry",
	},
	{
		"kubernetes/unknown-scope", Warning,
		"`namespace` below `kubernetes` in weft.yml is set on a kind that may be cluster-scoped",
		"add its CustomResourceDefinition to the inputs",
	},
	{
		"kubernetes/selector", Error,
		"a label below `kubernetes` in weft.yml would give pods another value than their selector has",
		"use another label",
	},
	{
		"override/not-a-mapping", Error,
		"an override, or a document to change, is not a mapping",
		"write `key: value`",
	},
	{
		"override/argument", Error,
		"an argument of `weft override` cannot be read",
		"follow the message",
	},
	{
		"override/documents", Error,
		"an inline override contains several documents",
		"pass each one with its own `--overrides`",
	},
	{
		"override/directive", Error,
		"a directive such as `$remove` or `$at` is wrong, or an unknown key such as `$delete` starts with a " +
			"dollar sign and appears in no document (JSON Schema keywords are fine)",
		"write it as [overrides.md](overrides.md) shows",
	},
	{
		"override/no-match", Error,
		"`$remove`, `$at` or `$match` of something that no document has; an override or a `--select` that " +
			"selects no document; a new top-level key that looks like a misspelling of an existing one",
		"correct the name, or delete the entry",
	},
	{
		"override/no-merge-key", Error,
		"a list replaces another and loses entries, because an entry has no key to merge by",
		"say which entry is meant, `{$at: 0, …}` or `{$match: {uses: x}, …}`, or pass `--merge-key PATH=KEY` " +
			"or `--lists PATH=replace`",
	},
	{
		"override/mapping", Error,
		"a mapping replaces a list of mappings",
		"write a list, as in `[{$at: 0, …}]`, or `$replace: true` in the mapping",
	},
	{
		"override/identity", Error,
		"in edition ytt, an override has the `kind` and `metadata.name` of one document, and would give them " +
			"to others",
		"select the document: `--select Deployment/web`, or `$select: Deployment/web` in the override",
	},
	{
		"override/template", Error,
		"an input of `weft override` is a template: its code computes values, and overrides change " +
			"text",
		"override what it renders, `weft -f FILE --overrides …`, or change its text with `--force`",
	},
	{
		"override/path-as-key", Error,
		"a key such as `spec.replicas` is added next to `spec`",
		"write `spec: {replicas: 3}`",
	},
	{
		"override/repeated-key", Error,
		"the document defines a key twice: see [overrides.md](overrides.md#duplicate-keys)",
		"remove one of the two from the file",
	},
	{"override/schema", Error, "CEKit's schema rejects a descriptor", "follow the message"},
	{"override/ignored", Warning, "CEKit accepts something and ignores it", "follow the hint"},
	{
		"override/internal", Error,
		"a document cannot be written with its overrides, which is a bug in weft",
		"please report it with the input that causes it",
	},

	{
		"emit/annotation", Error,
		"`@output/file` or `@output/skip` is malformed, on a document twice, or names a path that cannot be " +
			"written. As a warning: it is on a document that is not part of the output",
		"see the hint, and [files.md](files.md#files-that-documents-name)",
	},
	{
		"emit/path", Error,
		"a file cannot be written at its path",
		"choose another path; the message names the problem",
	},
	{
		"emit/split", Error,
		"`--split` has no name for a document, two documents would get the same one, or the " +
			"pattern is malformed",
		"see the hint, and [files.md](files.md#one-file-per-document)",
	},
	{
		"emit/duplicate", Error,
		"two files would be written to the same path",
		"rename one of the inputs: `-f NAME=PATH`, or change `@output/file` or the pattern of `--split`",
	},
	{
		"emit/symlink", Error,
		"a symbolic link is where a file would be written",
		"write to its target, or remove it",
	},
	{
		"emit/refused", Error,
		"weft does not empty a directory that contains an input or that weft did not write",
		"choose another directory",
	},
	{
		"emit/git", Error,
		"weft does not write or delete anything below `.git`, in a bare repository, or where a " +
			"`.git` file points, because git would run programs that are named there",
		"choose another path",
	},
	{
		"emit/kept", Warning,
		"`--prune` does not delete a file that this run does not write: its content is not what weft " +
			"wrote, or something reads it",
		"delete it if you do not need it",
	},
	{
		"emit/write", Error,
		"the operating system refuses to write",
		"check the permissions and the disk",
	},
	{"emit/changed", Error, "another program changed a file after weft read it", "run again"},
	{
		"emit/bulk", Error,
		"the input of `--bulk-in` is not valid",
		"pass the JSON that `--bulk-out` writes",
	},

	{
		"playground/large", Error,
		"`weft playground` is asked to show more files than a page can",
		"name the files that matter with `-f`",
	},
	{
		"playground/later", Error,
		"the program that the page loads first does not apply overrides, check JSON Schemas or keep comments",
		"nothing: the page loads the program that does",
	},

	{
		"diff/template", Error,
		"an argument of `weft diff` is a template, whose code would not be evaluated",
		"compare what it renders: `weft diff --a '-f A' --b '-f B'`",
	},
	{
		"diff/secret", Error,
		"a patch would show a secret",
		"add `--show-secrets`, or use another format: all others hide secrets",
	},
	{
		"diff/binary", Error,
		"a file that is not text cannot be part of a patch",
		"use another format than `-o patch`, or leave the file out",
	},
	{
		"diff/path", Warning,
		"a path of `--secret` is in no document and no data value, so that it hides nothing",
		"correct the path: it begins at the top of a document, or with `**.` anywhere",
	},
	{
		"diff/revision", Error,
		"a git revision cannot be read",
		"follow the message: run weft inside the repository, fetch the branch first, or correct the name",
	},
	{
		"path/pattern", Error,
		"a path in a flag cannot be understood",
		"write it as messages show paths: `spec.containers[name=web].image`; `*` is any step, `**` " +
			"any number of steps",
	},
	{
		"path/selector", Error,
		"the name of a document, or a condition on documents, cannot be read",
		"write `KIND/NAME`, `FILE#N`, or conditions such as `kind=Deployment,metadata.name=~^web`",
	},
	{
		"path/no-document", Error,
		"`--select` names a document that the output does not have",
		"name it as weft prints it: `KIND/NAME`, `KIND/NAMESPACE/NAME` or `FILE#N`",
	},
	{
		"blame/moved", Warning,
		"`weft blame FILE:LINE` is about a file that is not what the environment writes now",
		"refresh it with `weft render --write`",
	},
	{
		"mcp/argument", Error,
		"an agent calls a tool of `weft mcp` with an argument that cannot be used",
		"do what the hint says; paths have to be in the directory in which `weft mcp` was started",
	},
	{
		"mcp/cursor", Error,
		"an agent continues an answer of `weft mcp` with a cursor that does not belong to it",
		"repeat the call without the cursor: its arguments or the files have changed",
	},
	{
		"mcp/secret", Error,
		"`weft mcp` cannot tell what an answer has from a secret, since code accepts no other secret",
		"change the code at the place that the hint names so that it accepts others of the same length",
	},
	{
		"blame/select", Error,
		"`weft blame` is asked for a document or a place that the output does not have",
		"name a document as `KIND/NAME`, and a place as `spec.replicas`",
	},
	{
		"blame/ambiguous", Error,
		"the first argument of `weft blame` is an environment and a document",
		"name the environment with `-e`; the first argument is the document then",
	},
	{
		"impact/value", Error,
		"`weft impact` is asked for a data value that does not exist",
		"`weft --data-values-inspect` shows all of them",
	},
	{
		"test/key", Error,
		"a key of a test file is unknown or missing, or a test checks nothing",
		"use the key of the hint, or see the [reference](tests.md)",
	},
	{
		"test/value", Error,
		"a key of a test file has an invalid value",
		"write what the message expects; see the [reference](tests.md)",
	},
	{
		"test/path", Error,
		"a test file, a golden file or a directory of tests cannot be read or written, or is not there",
		"correct the path: in a test file it begins in the directory of that file",
	},
	{
		"test/function", Error,
		"`star` names a function that the script does not have",
		"use the name of the hint",
	},
	{
		"test/none", Error,
		"`weft test` found no test, or `--run` and `-e` select none",
		"write a file that ends in `.test.yml` below `tests`, or name one",
	},
	{
		"test/coverage", Error,
		"the tests cover less of nodes and branches than `--min` or `test.min` of weft.yml asks for",
		"test what the message names; `weft test --coverage=html` shows all that is missing",
	},
}
