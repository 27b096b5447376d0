package playground

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weft"
)

// command is what to render, and how.
type command struct {
	name        string   // of a command that only the second program has, or "" for render
	words       []string // arguments that are not flags
	environment string
	project     string // the path of weft.yml, or "" for the one in the top folder
	format      string
	inspects    bool // shows the data values
	schema      bool // shows their JSON Schema
	opts        weft.Options
	other       otherFlags

	isInput func(word string) bool // reports whether a word is an input, as after -f; nil if none is
}

// command returns what a request asks for. It also returns what is wrong with the request, or "".
func (req *Request) command() (c command, problem string) {
	if problem := req.check(); problem != "" {
		return c, problem
	}
	if req.Args == nil {
		c.environment, c.format = req.Environment, req.Format
		c.opts.Inputs, c.opts.DataValues.KVYAML = req.Inputs, req.Values
	} else if problem := c.read(req); problem != "" {
		return c, problem
	}
	if _, ok := formats.Get()[c.format]; !ok {
		return c, fmt.Sprintf("unknown format '%s'", c.format)
	}
	return c, req.checkInputs(c.paths())
}

// read reads the arguments of weft in an example of the documentation, as far as a page can run it: the
// command, and the most common of the flags that decide what is rendered. It returns what is wrong with them,
// or "".
func (c *command) read(req *Request) string {
	args := req.Args
	switch {
	case len(args) > 0 && isOther(args[0]):
		c.name, args = args[0], args[1:]
	case len(args) > 0 && args[0] == "render":
		args = args[1:]
	default:
		c.isInput = req.isInput
	}
	if problem := c.readFlags(args); problem != "" || c.name != "" {
		return problem
	}
	if len(c.words) > 0 {
		c.environment, c.words = c.words[0], c.words[1:]
	}
	if len(c.words) > 0 {
		return notHere(c.words[0])
	}
	if c.environment != "" && len(c.opts.Inputs) > 0 {
		return notHere(c.environment) // it is another command
	}
	return ""
}

// isInput reports whether a word names what to render. Without a path in it, it may be an environment of a
// project.
func (req *Request) isInput(word string) bool {
	return strings.ContainsAny(word, "./") || req.has(word) && !req.has("weft.yml")
}

// readFlags reads flags and the words between them. What follows -- are words.
func (c *command) readFlags(args []string) string {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			c.add(args...)
			return ""
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			c.add(arg)
			continue
		}
		flag, value, given := cutFlag(arg)
		if c.turn(flag, value, given) {
			continue
		}
		if !given && len(args) > 0 {
			value, args, given = args[0], args[1:], true
		}
		if !c.set(flag, value) {
			return notHere(flag)
		}
		if !given {
			return fmt.Sprintf("a value is missing after '%s'", flag)
		}
	}
	return ""
}

// add adds arguments that are not flags. Inputs stay in the order of the command line.
func (c *command) add(words ...string) {
	for _, word := range words {
		if c.isInput != nil && c.isInput(word) {
			c.opts.Inputs = append(c.opts.Inputs, word)
		} else {
			c.words = append(c.words, word)
		}
	}
}

// cutFlag returns a flag, and its value if that is in the same argument: --file=app.yml, -f=app.yml or
// -fapp.yml.
func cutFlag(arg string) (flag, value string, given bool) {
	if strings.HasPrefix(arg, "--") || len(arg) == 2 {
		return strings.Cut(arg, "=")
	}
	return arg[:2], strings.TrimPrefix(arg[2:], "="), true
}

// turn turns a flag on or off that needs no value, such as --warn-unused or --warn-unused=false, and reports
// whether it is one.
func (c *command) turn(flag, value string, given bool) bool {
	on, err := true, error(nil)
	if given {
		on, err = strconv.ParseBool(value)
	}
	turned := *c
	if err != nil || !turned.turnOn(flag) {
		return false
	}
	if on {
		*c = turned
	}
	return true
}

func notHere(arg string) string {
	return fmt.Sprintf("'%s' cannot be used here: a page runs what reads files and prints, with the most common flags; "+
		"run it in a terminal", arg)
}

// turnOn sets a flag without a value, and reports whether it is one.
func (c *command) turnOn(flag string) bool {
	switch flag {
	case "--data-values-inspect":
		c.inspects = true
	case "--data-values-schema-inspect":
		c.schema = true
	case "--warn-unused":
		c.opts.WarnUnused = true
	default:
		return c.turnOnOther(flag)
	}
	return true
}

// set sets a flag with a value, and reports whether it is one that a page can use.
func (c *command) set(flag, value string) bool {
	if c.setOther(flag, value) {
		return true
	}
	to := &c.opts.Inputs
	v := &c.opts.DataValues
	switch flag {
	case "-f", "--file":
	case "-v", "--data-value":
		to = &v.KV
	case "--data-value-yaml":
		to = &v.KVYAML
	case "--data-value-file":
		to = &v.KVFile
	case "--data-values-file":
		to = &v.Files
	case "--file-mark":
		to = &c.opts.Marks
	case "-o", "--output":
		if c.format = value; value == "json-schema" && c.schema {
			c.format = "" // the schema is a document
		}
		return true
	case "-e", "--environment":
		c.environment = value
		return c.name != ""
	case "--project":
		c.project = value
		return true
	case "--edition":
		c.opts.Edition = weft.Edition2026
		return value == weft.Edition2026.String()
	case "--yaml":
		c.opts.YAML = weft.YAML12
		return value == weft.YAML12.String()
	case "--keep":
		return c.keep(value)
	case "--overrides", "--overrides-file":
		c.opts.Overrides = append(c.opts.Overrides, weft.Override{Text: value, File: flag != "--overrides"})
		return true
	default:
		return false
	}
	*to = append(*to, value)
	return true
}

// keep reads what is kept of the text of files, and reports whether it can be.
func (c *command) keep(value string) bool {
	for word := range strings.SplitSeq(value, ",") {
		switch word {
		case "all":
			c.opts.Keep |= weft.KeepAll
		case "comments":
			c.opts.Keep |= weft.KeepComments
		case "blank-lines":
			c.opts.Keep |= weft.KeepBlankLines
		default:
			return false
		}
	}
	return true
}

// word returns an argument that is not a flag, or "" if there are fewer.
func (c *command) word(i int) string {
	if i < len(c.words) {
		return c.words[i]
	}
	return ""
}

// paths returns the files and directories that the command names.
func (c *command) paths() []string {
	list := slices.Concat(c.opts.Inputs, c.opts.DataValues.Files, c.otherPaths())
	for _, o := range c.opts.Overrides {
		if o.File {
			list = append(list, o.Text)
		}
	}
	if c.project != "" {
		list = append(list, c.project)
	}
	for _, kv := range c.opts.DataValues.KVFile {
		_, file, _ := strings.Cut(kv, "=")
		list = append(list, file)
	}
	return list
}

// screen is what a terminal shows of the command: messages, and then the result.
func (r *run) screen() {
	var b bytes.Buffer
	opts := r.opts
	opts.Observe.Print = func(line string) { b.WriteString(clip(line, longestPrint) + "\n") }
	err := r.execute(&b, opts)
	if err != nil {
		r.fail(err)
		r.message(&b, weft.ErrorOf(r.shownError(err)).Messages)
	}
	r.res.Screen = r.limited(b.String())
}

// execute does what the command says, and prints it.
func (r *run) execute(to *bytes.Buffer, opts weft.Options) error {
	if r.command.name != "" {
		return r.printOther(to, opts)
	}
	evaluate := weft.Render
	switch {
	case r.command.inspects:
		evaluate = weft.InspectDataValues
	case r.command.schema:
		evaluate = func(ctx context.Context, opts weft.Options) (*weft.Result, error) {
			return weft.InspectSchema(ctx, opts, weft.JSONSchema)
		}
	}
	res, err := evaluate(r.ctx, opts)
	if err != nil {
		return err
	}
	r.message(to, res.Warnings())
	_, _ = res.WriteTo(to) // writing to a buffer cannot fail
	return nil
}

// message adds messages as a terminal shows them, without secrets.
func (r *run) message(to *bytes.Buffer, all weft.Messages) {
	var b bytes.Buffer
	_ = all.Render(&b, false) // writing to a buffer cannot fail
	to.Write(r.redactor.Redact(b.Bytes()))
}
