package scaffold

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/shell"
	"weft/internal/project"
	"weft/internal/rewrite/migrate"
)

// FromScript drafts a project for the ytt and weft command lines in a script. dir is where the
// project file will be, and where is the directory of the script below it.
func FromScript(dir fs.FS, where, name, script string) (*Draft, error) {
	r := reader{dir: dir, where: where}
	for _, c := range shell.Commands(script, isRenderer) {
		if isRenderer(c.Words[0].Text) {
			r.add(c)
		} else if c.Words[0].Text == "cd" {
			r.note(c.Line, "the script changes the directory: check the paths")
		}
	}
	if len(r.plan.envs) == 0 {
		return nil, fmt.Errorf("found no command line of ytt or weft in '%s'", name)
	}
	r.plan.edition = "ytt"
	r.plan.comment = migrate.Advice
	r.nameAll(stem(name))
	r.plan.share()
	return &Draft{Dir: ".", Text: r.plan.text(), Notes: r.notes}, nil
}

// isRenderer reports whether a command is ytt or weft, with any path, or a variable with such a
// name.
func isRenderer(name string) bool {
	if variable := strings.Trim(name, "${}()"); variable != name {
		name = strings.ToLower(variable) // as in $YTT
	}
	base := path.Base(name)
	return base == "ytt" || base == "weft" || strings.HasPrefix(base, "ytt-")
}

// reader turns command lines into environments.
type reader struct {
	dir   fs.FS
	where string
	plan  plan
	notes []Note
}

func (r *reader) note(line int, format string, args ...any) {
	n := Note{line, fmt.Sprintf(format, args...)}
	if !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

// add adds an environment for a command line.
func (r *reader) add(c shell.Command) {
	e := environment{}
	words := c.Words[1:]
	if len(words) > 0 && slices.Contains([]string{"template", "t", "tpl", "render"}, words[0].Text) {
		words = words[1:]
	} else if len(words) > 0 && !strings.HasPrefix(words[0].Text, "-") {
		if slices.Contains([]string{"version", "help", "completion"}, words[0].Text) {
			return
		}
		r.note(c.Line, "`%s %s` is another command", path.Base(c.Words[0].Text), words[0].Text)
		return
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		flag, value, has := splitFlag(w)
		if flag == "" {
			r.note(c.Line, "cannot translate the argument '%s'", w.Text)
			continue
		}
		if !has && !switches.Get()[flag] {
			if i++; i == len(words) {
				r.note(c.Line, "--%s has no value", flag)
				break
			}
			value = words[i]
		}
		r.flag(&e, c.Line, flag, value)
	}
	if c.Output != nil {
		if file, ok := r.path(c.Line, *c.Output, false); ok && file != "/dev/null" {
			e.file = file
		}
	}
	r.plan.envs = append(r.plan.envs, e)
}

// splitFlag splits --flag=value and -fvalue.
func splitFlag(w shell.Word) (flag string, value shell.Word, has bool) {
	text := w.Text
	switch {
	case strings.HasPrefix(text, "--"):
		name, rest, found := strings.Cut(text[2:], "=")
		return name, shell.Word{Text: rest, Variable: w.Variable}, found
	case strings.HasPrefix(text, "-") && len(text) > 1:
		name := shorthands.Get()[text[1]]
		rest := strings.TrimPrefix(text[2:], "=")
		return name, shell.Word{Text: rest, Variable: w.Variable}, len(text) > 2
	}
	return "", shell.Word{}, false
}

var shorthands = lazy.Value[map[byte]string]{New: func() map[byte]string {
	return map[byte]string{
		'f': "file", 'v': "data-value", 'o': "output", 's': "strict", 'q': "quiet", 'e': "environment",
	}
}}

// switches are flags without a value.
var switches = lazy.Value[map[string]bool]{New: func() map[string]bool {
	return map[string]bool{
		"strict": true, "ignore-unknown-comments": true, "implicit-map-key-overrides": true,
		"quiet": true, "debug": true, "prune": true, "warn-unused": true, "fsync": true,
		"timings": true, "data-values-inspect": true, "data-values-schema-inspect": true,
		"files-inspect": true, "bulk-out": true, "dangerous-allow-all-symlink-destinations": true,
		"dangerous-data-values-disable-validation": true,
	}
}}

// flag adds a flag to the environment.
func (r *reader) flag(e *environment, line int, flag string, w shell.Word) {
	switch flag {
	case "file":
		name, file, found := strings.Cut(w.Text, "=")
		if !found || strings.Contains(w.Text, "://") {
			name, file = "", w.Text
		} else {
			name += "="
		}
		if p, ok := r.path(line, shell.Word{Text: file, Variable: w.Variable}, true); ok {
			e.inputs = append(e.inputs, name+p)
		}
	case "data-values-file":
		if p, ok := r.path(line, w, true); ok {
			e.valueFiles = append(e.valueFiles, p)
		}
	case "overrides-file":
		if p, ok := r.path(line, w, true); ok {
			e.overrides = append(e.overrides, p)
		}
	case "data-value", "data-value-yaml":
		r.value(e, line, w, flag == "data-value-yaml")
	case "data-value-file":
		e.flags = r.listFlag(e.flags, flag, w.Text)
	case "data-values-env":
		e.fromEnv = addOnce(e.fromEnv, project.Quote(w.Text))
	case "data-values-env-yaml":
		e.fromEnv = addOnce(e.fromEnv, "{prefix: "+project.Quote(w.Text)+", yaml: true}")
	case "file-mark":
		r.mark(e, line, w)
	case "output-files":
		if p, ok := r.path(line, w, false); ok {
			e.dir = p
		}
	case "output":
		if w.Text == "json" {
			e.format = w.Text
		} else if w.Text != "yaml" {
			r.note(line, "cannot translate --output %s", w.Text)
		}
	case "prune":
		e.prune = true
	default:
		switch {
		case !slices.Contains(project.FlagNames(), flag):
			r.note(line, "cannot translate --%s: give it on the command line", flag)
		case w.Variable != "":
			r.note(line, "cannot translate --%s: its value is '%s'", flag, w.Variable)
		case switches.Get()[flag]:
			e.flags = append(e.flags, value{flag, "true"})
		case project.IsList(flag):
			e.flags = r.listFlag(e.flags, flag, w.Text)
		default:
			e.flags = append(e.flags, value{flag, w.Text})
		}
	}
}

// listFlag adds to a flag that takes a list.
func (r *reader) listFlag(flags []value, flag, text string) []value {
	for i := range flags {
		if flags[i].path == flag {
			flags[i].yaml = strings.TrimSuffix(flags[i].yaml, "]") + ", " + project.Quote(text) + "]"
			return flags
		}
	}
	return append(flags, value{flag, "[" + project.Quote(text) + "]"})
}

// value adds a data value. A value that the shell computes must be supplied by the user.
func (r *reader) value(e *environment, line int, w shell.Word, yaml bool) {
	key, text, found := strings.Cut(w.Text, "=")
	switch {
	case !found:
		r.note(line, "cannot translate the data value '%s'", w.Text)
	case strings.HasPrefix(key, "@"):
		r.note(line, "cannot translate '%s': data values of libraries are for the command line", w.Text)
	case strings.Contains(key, "$"):
		r.note(line, "cannot translate the data value '%s'", w.Text)
	case w.Variable != "":
		e.require = addOnce(e.require, key)
		r.note(line, "data value %s is '%s': give it on the command line, -v %s=...", key, text,
			diag.InShell(key))
	case yaml && strings.Contains(text, "\n"):
		r.note(line, "cannot translate the data value '%s', which has several lines", key)
	case yaml:
		e.values = append(e.values, value{key, orNull(text)})
	default:
		e.values = append(e.values, value{key, project.Quote(text)})
	}
}

func orNull(text string) string {
	if strings.TrimSpace(text) == "" {
		return "null"
	}
	return text
}

func (r *reader) mark(e *environment, line int, w shell.Word) {
	pattern, rest, found := strings.Cut(w.Text, ":")
	key, v, found2 := strings.Cut(rest, "=")
	switch {
	case !found || !found2 || w.Variable != "":
		r.note(line, "cannot translate --file-mark '%s'", w.Text)
	case key == "exclude" && v == "true":
		e.exclude = addOnce(e.exclude, pattern)
	default:
		e.marks = append(e.marks, mark{pattern, key, v})
	}
}

// path returns a path of the script as seen from the project file.
func (r *reader) path(line int, w shell.Word, read bool) (string, bool) {
	text := strings.TrimPrefix(path.Clean(w.Text), "./")
	switch {
	case w.Variable != "":
		r.note(line, "cannot translate the path '%s': it has '%s'", w.Text, w.Variable)
		return "", false
	case w.Text == "-" || w.Text == "/dev/null" || strings.Contains(w.Text, "://"):
		return w.Text, true
	case r.exists(text):
		return text, true
	case r.exists(path.Join(r.where, text)):
		return path.Join(r.where, text), true
	case read:
		r.note(line, "'%s' does not exist: check the path", w.Text)
	}
	if !read && r.where != "." && r.exists(path.Dir(path.Join(r.where, text))) &&
		!r.exists(path.Dir(text)) {
		return path.Join(r.where, text), true
	}
	return text, true
}

func (r *reader) exists(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	_, err := fs.Stat(r.dir, name)
	return err == nil
}

// nameAll names environments after their output, their last values file, or the script.
func (r *reader) nameAll(script string) {
	taken := map[string]bool{}
	for i := range r.plan.envs {
		e := &r.plan.envs[i]
		name := e.ownName(script)
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", e.ownName(script), n)
		}
		taken[name] = true
		e.name = name
		if e.file != "" {
			e.file = withPlaceholder(e.file, name)
		}
		if e.dir != "" {
			e.dir = withPlaceholder(e.dir, name)
		}
	}
}

func (e *environment) ownName(script string) string {
	for _, candidate := range []string{stem(e.file), path.Base(e.dir), lastStem(e.valueFiles), script} {
		if project.IsName(candidate) && !slices.Contains([]string{"values", "out", "output"}, candidate) {
			return candidate
		}
	}
	return "env"
}

func lastStem(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return stem(files[len(files)-1])
}

// withPlaceholder returns a path with {env} for the name in its last part.
func withPlaceholder(file, name string) string {
	dir, base := path.Split(file)
	return dir + strings.Replace(base, name, "{env}", 1)
}

// share moves what all environments share to the project. A project with a single command line
// needs no environments.
func (p *plan) share() {
	if len(p.envs) == 1 {
		p.common = p.envs[0].settings
		p.common.dir = strings.ReplaceAll(p.common.dir, "{env}", p.envs[0].name)
		p.common.file = strings.ReplaceAll(p.common.file, "{env}", p.envs[0].name)
		p.envs = nil
		return
	}
	lists := []func(*settings) *[]string{
		func(s *settings) *[]string { return &s.inputs },
		func(s *settings) *[]string { return &s.valueFiles },
		func(s *settings) *[]string { return &s.exclude },
		func(s *settings) *[]string { return &s.overrides },
		func(s *settings) *[]string { return &s.fromEnv },
		func(s *settings) *[]string { return &s.require },
	}
	for _, list := range lists {
		p.shareList(list)
	}
	p.shareValues(func(s *settings) *[]value { return &s.values })
	p.shareValues(func(s *settings) *[]value { return &s.flags })
	first := p.envs[0].settings
	if first.file != "" && p.all(func(s *settings) bool { return s.file == first.file }) {
		p.common.file = first.file
		for i := range p.envs {
			p.envs[i].file = ""
		}
	}
	if first.dir != "" && p.all(func(s *settings) bool { return s.dir == first.dir }) {
		p.common.dir = first.dir
		for i := range p.envs {
			p.envs[i].dir = ""
		}
	}
}

func (p *plan) all(holds func(*settings) bool) bool {
	for i := range p.envs {
		if !holds(&p.envs[i].settings) {
			return false
		}
	}
	return true
}

// shareList moves the common prefix of the lists of all environments, since the order matters.
func (p *plan) shareList(of func(*settings) *[]string) {
	first := *of(&p.envs[0].settings)
	n := 0
	for n < len(first) && p.all(func(s *settings) bool {
		list := *of(s)
		return len(list) > n && list[n] == first[n]
	}) {
		n++
	}
	*of(&p.common) = slices.Clone(first[:n])
	for i := range p.envs {
		list := of(&p.envs[i].settings)
		*list = (*list)[n:]
	}
}

// shareValues moves values that are the same in all environments.
func (p *plan) shareValues(of func(*settings) *[]value) {
	for _, v := range slices.Clone(*of(&p.envs[0].settings)) {
		if !p.all(func(s *settings) bool { return slices.Contains(*of(s), v) }) {
			continue
		}
		*of(&p.common) = append(*of(&p.common), v)
		for i := range p.envs {
			list := of(&p.envs[i].settings)
			*list = slices.DeleteFunc(slices.Clone(*list), func(x value) bool { return x == v })
		}
	}
}
