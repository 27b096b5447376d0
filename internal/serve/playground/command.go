package playground

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"weft"
)

// command is what to render, and how.
type command struct {
	environment string
	format      string
	inspects    bool // shows the data values
	opts        weft.Options
}

// command returns what a request asks for. It also returns what is wrong with the request, or "".
func (req *Request) command() (c command, problem string) {
	if problem := req.check(); problem != "" {
		return c, problem
	}
	if req.Args == nil {
		c.environment, c.format = req.Environment, req.Format
		c.opts.Inputs, c.opts.DataValues.KVYAML = req.Inputs, req.Values
	} else if problem := c.read(req.Args); problem != "" {
		return c, problem
	}
	if _, ok := formats.Get()[c.format]; !ok {
		return c, fmt.Sprintf("unknown format '%s'", c.format)
	}
	return c, req.checkInputs(c.paths())
}

// read reads the arguments of weft in an example of the documentation, as far as a page can run it: weft or
// weft render, with the most common of the flags that decide what is rendered. It returns what is wrong with
// them, or "".
func (c *command) read(args []string) string {
	if len(args) > 0 && args[0] == "render" {
		args = args[1:]
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		c.environment, args = args[0], args[1:]
	}
	for len(args) > 0 {
		flag, value, given := strings.Cut(args[0], "=")
		args = args[1:]
		if !given && c.turnOn(flag) {
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
	if c.environment != "" && len(c.opts.Inputs) > 0 {
		return notHere(c.environment) // it is another command
	}
	return ""
}

func notHere(arg string) string {
	return fmt.Sprintf("'%s' cannot be used here: an example is rendered, with -f, -o, -v, --data-value-yaml, "+
		"--data-value-file, --data-values-file, --data-values-inspect, --file-mark and --warn-unused", arg)
}

// turnOn sets a flag without a value, and reports whether it is one.
func (c *command) turnOn(flag string) bool {
	switch flag {
	case "--data-values-inspect":
		c.inspects = true
	case "--warn-unused":
		c.opts.WarnUnused = true
	default:
		return false
	}
	return true
}

// set sets a flag with a value, and reports whether it is one that a page can use.
func (c *command) set(flag, value string) bool {
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
		c.format = value
		return true
	default:
		return false
	}
	*to = append(*to, value)
	return true
}

// paths returns the files and directories that the command names.
func (c *command) paths() []string {
	list := slices.Concat(c.opts.Inputs, c.opts.DataValues.Files)
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
	evaluate := weft.Render
	if r.command.inspects {
		evaluate = weft.InspectDataValues
	}
	res, err := evaluate(r.ctx, opts)
	if err != nil {
		r.fail(err)
		r.message(&b, weft.ErrorOf(r.shownError(err)).Messages)
	} else {
		r.message(&b, res.Warnings())
		_, _ = res.WriteTo(&b) // writing to a buffer cannot fail
	}
	r.res.Screen = r.limited(b.String())
}

// message adds messages as a terminal shows them, without secrets.
func (r *run) message(to *bytes.Buffer, all weft.Messages) {
	var b bytes.Buffer
	_ = all.Render(&b, false) // writing to a buffer cannot fail
	to.Write(r.redactor.Redact(b.Bytes()))
}
