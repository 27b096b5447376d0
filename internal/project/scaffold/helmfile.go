package scaffold

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"weft/internal/lang/lazy"
	lang "weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project"
)

var (
	// helmfileMark matches the texts of helmfiles: they have releases of charts at the top.
	helmfileMark = lazy.Regexp{Text: `(?m)^releases:[^\S\n]*(?:#.*)?\r?\n(?:.*\n)*?[\s-]+chart:\s`}
	// goTemplate matches what helmfile fills in, if it needs no values: the environment and the release.
	goTemplate = lazy.Regexp{Text: `\{\{-?\s*[$]?\.(Environment|Release)\.Name\s*-?\}\}`}
)

// helmfiles are the releases of helmfiles, as far as plain YAML says what they are.
type helmfiles struct {
	dir     fs.FS
	paths   []string
	sources []source
	values  []string            // files with values, which are not documents
	left    map[string][]string // releases that weft cannot render as helmfile does, by the reason
}

// The reasons why a release is left out.
const (
	leftTemplate = "their Go templates are not run"
	leftRemote   = "their charts are not in the repository (`weft vendor` keeps copies)"
	leftInline   = "their values are in the helmfile (move them to files)"
	leftMissing  = "their values files do not exist"
	leftUnknown  = "weft.yml has nothing for their keys"
)

// add reads a helmfile.
func (h *helmfiles) add(name, text string) {
	h.paths = append(h.paths, name)
	docs, err := readDocuments(name, text)
	if err != nil {
		h.leave(leftTemplate, name)
		return
	}
	var envs []string
	for _, doc := range docs {
		environments, _ := doc.Lookup("environments")
		for _, item := range environments.Entries() {
			if env := item.Key.Text(); env != "default" && project.IsName(env) {
				envs = addOnce(envs, env)
			}
		}
		if _, ok := doc.Lookup("bases"); ok {
			h.leave("their `bases` are not read", name)
		}
	}
	if len(envs) == 0 {
		envs = []string{environmentOfHelmfile(name)}
	}
	for _, doc := range docs {
		releases, _ := doc.Lookup("releases")
		for release := range releases.Elements() {
			h.release(name, release, envs)
		}
	}
}

// readDocuments reads a file of plain YAML.
func readDocuments(name, text string) ([]tree.Value, error) {
	f, err := new(lang.Set).Add(name, []byte(text))
	if err != nil {
		return nil, err
	}
	y, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		return nil, err
	}
	if list := y.Check(false); list.Failed() {
		return nil, list
	}
	var docs []tree.Value
	for doc := range y.Documents() {
		docs = append(docs, tree.FromSyntax(y, y.Root(doc)))
	}
	return docs, nil
}

// environmentOfHelmfile returns the environment that the name of a file is for, as of clusters/prod.yaml, or
// what helmfile calls the only one.
func environmentOfHelmfile(file string) string {
	if name := stem(file); slices.Contains(overlayDirs, path.Base(path.Dir(file))) && project.IsName(name) {
		return name
	}
	return "default"
}

// leave notes what is left out.
func (h *helmfiles) leave(reason, what string) {
	if h.left == nil {
		h.left = map[string][]string{}
	}
	h.left[reason] = addOnce(h.left[reason], what)
}

// unsupported are keys of releases that change what they render to in ways that weft.yml cannot say.
var unsupported = []string{
	"set", "setTemplate", "setString", "valuesTemplate", "secrets", "inherit", "jsonPatches",
	"strategicMergePatches", "transformers", "postRenderer", "dependencies", "forceNamespace",
}

// release adds a release for each environment, or notes why weft cannot render it as helmfile does.
func (h *helmfiles) release(file string, v tree.Value, envs []string) {
	name := v.TextAt("name")
	shown := file + ": " + name
	for _, key := range unsupported {
		if x, ok := v.Lookup(key); ok && !x.IsNull() {
			h.leave(leftUnknown, shown+" ("+key+")")
			return
		}
	}
	installed := v.TextAt("installed")
	switch {
	case installed == "false":
		return
	case !project.IsName(name) || v.TextAt("condition") != "" || strings.Contains(installed, "{{"):
		h.leave(leftTemplate, shown)
		return
	}
	left := map[string][]string{} // the environments without it, by the reason
	for _, env := range envs {
		s := source{
			kind: chart, name: name, release: name, namespace: v.TextAt("namespace"), env: env,
			group: path.Dir(file),
		}
		in := func(text string) string {
			return path.Join(path.Dir(file), goTemplate.Get().ReplaceAllStringFunc(text, func(m string) string {
				if strings.Contains(m, "Release") {
					return name
				}
				return env
			}))
		}
		s.dir = in(v.TextAt("chart"))
		reason := h.addValues(&s, v, in)
		switch {
		case strings.Contains(s.dir+s.namespace, "{{"):
			reason = leftTemplate
		case !isLocalChart(h.dir, s.dir):
			reason = leftRemote
		}
		if reason == "" {
			h.sources = append(h.sources, s)
		} else {
			left[reason] = append(left[reason], env)
		}
	}
	for reason, some := range left {
		if len(some) < len(envs) {
			h.leave(reason, shown+" (only in "+SomeOf(some)+")")
		} else {
			h.leave(reason, shown)
		}
	}
}

// addValues adds the values files of a release. It returns why weft cannot have them, or "".
func (h *helmfiles) addValues(s *source, v tree.Value, in func(string) string) (reason string) {
	values, _ := v.Lookup("values")
	optional := v.TextAt("missingFileHandler") != "" && v.TextAt("missingFileHandler") != "Error"
	for x := range values.Elements() {
		name := in(x.Text())
		_, err := fs.Stat(h.dir, name)
		switch {
		case x.Kind() != tree.ScalarKind:
			reason = leftInline
		case strings.Contains(name, "{{") || strings.HasSuffix(name, ".gotmpl"):
			reason = leftTemplate
		case err == nil:
			s.values = append(s.values, name)
			h.values = append(h.values, name)
		case !optional:
			reason = leftMissing
		}
	}
	return reason
}

// isLocalChart reports whether a chart, or an archive of one, is in the repository.
func isLocalChart(dir fs.FS, name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(dir, name)
	return err == nil && (info.IsDir() && isChart(dir, name) || strings.HasSuffix(name, ".tgz"))
}

// notes returns what is left out of helmfiles.
func (h *helmfiles) notes() []Note {
	var notes []Note
	for _, reason := range slices.Sorted(maps.Keys(h.left)) {
		notes = append(notes, Note{Text: "left out of helmfiles, since " + reason + ": " + SomeOf(h.left[reason])})
	}
	return notes
}
