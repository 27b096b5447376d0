package mcp

// tools returns the tools of a server. Only if the person at the command line allows it, one of them writes.
func (s *server) tools() []tool {
	list := tools()
	for i := range list {
		if t := &list[i]; t.name == "suggest" && s.opt.Write {
			t.takes, t.writes = append(t.takes, "write"), true
		}
	}
	return list
}

// tools returns the table of tools, in the order in which clients show them.
func tools() []tool {
	return []tool{
		{
			name: "environments", title: "List environments",
			description: "List the environments of the project, with their labels, where each is defined, and where " +
				"its output is written.",
			answer: environments,
		},
		{
			name: "values", title: "Show data values",
			description: "Show the data values of an environment: each with its value, the place that sets it, its " +
				"type, the values that its schema allows, and its description. Use `value` for a part of them.",
			takes: []string{"environment", "files", "value", "set"}, answer: dataValues,
		},
		{
			name: "render", title: "Render documents",
			description: "Render an environment and show one document as YAML, or what is at a path of documents. " +
				"Without `document` and `path`, list the documents. Secrets are hidden.",
			takes: []string{"environment", "files", "document", "path", "set"}, answer: render,
		},
		{
			name: "blame", title: "Show where lines come from",
			description: "Show which file and line produces each line of a document, and how its value was " +
				"determined. With `path`, show the whole history of that place: templates, data values, overlays.",
			takes: []string{"environment", "files", "document", "path", "set"}, answer: blame,
		},
		{
			name: "impact", title: "Show what depends on a data value",
			description: "Show what depends on a data value: documents and places in them. Or use `set` to try " +
				"other values, and show exactly what would change in the output.",
			takes: []string{"environment", "files", "value", "set", "document"}, answer: impact,
		},
		{
			name: "explain", title: "Show what overlays change",
			description: "Show for each overlay which documents it matches, what it changes there, and what nearly " +
				"matches.",
			takes: []string{"environment", "files", "document", "set"}, answer: explain,
		},
		{
			name: "diff", title: "Compare two environments or revisions",
			description: "Compare output by meaning, with the input that causes each difference: two " +
				"environments with `from` and `to`, or all (or one `environment`) with their output at a git " +
				"`revision`, such as HEAD to see what edits do.",
			takes: []string{"from", "to", "environment", "revision", "document", "set"}, answer: diff,
		},
		{
			name: "check", title: "Check the project",
			description: "Lint the files and run the tests of the project: errors, likely mistakes, and tests that " +
				"fail, each with its place and a hint. Without `environment`, check all environments. Call it after " +
				"each edit.",
			takes: []string{"environment", "files"}, answer: check,
		},
		{
			name: "suggest", title: "Find the change of the sources",
			description: "Say what should be different in the output, and get the change of the sources that " +
				"does it: a data value, a literal, or a new overlay, with a patch. It is proved by rendering " +
				"all environments; what cannot be proved is not suggested. Prefer it to editing by hand.",
			takes: []string{"environment", "changes", "set"}, needs: []string{"changes"}, answer: suggest,
		},
	}
}
