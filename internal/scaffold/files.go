package scaffold

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"weft/internal/migrate"
	"weft/internal/project"
)

// maxFiles is how many files are looked at.
const maxFiles = 20_000

// FromFiles drafts a project for the files of a directory.
func FromFiles(dir fs.FS) (*Draft, error) {
	found, err := survey(dir)
	if err != nil {
		return nil, err
	}
	p := found.plan()
	d := &Draft{Text: p.text()}
	if len(p.common.inputs) == 0 {
		d.Notes = append(d.Notes, Note{Text: "found no templates: add them to `inputs`"})
	}
	return d, nil
}

// kind is what a file is for.
type kind uint8

const (
	plainFile kind = iota
	template       // has code
	schema
	dataValues
	overlay
)

type file struct {
	path string
	kind kind
}

// found is the YAML files of a directory.
type found struct {
	files []file
	text  map[string]bool // directories with text templates and scripts
}

// survey looks at the files below a directory. What is hidden, and what tools make, is left out.
func survey(dir fs.FS) (*found, error) {
	f := &found{text: map[string]bool{}}
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			if entry != nil && entry.IsDir() && name != "." {
				return fs.SkipDir // it may not be read
			}
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || slices.Contains(skipped, base)) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasPrefix(base, ".") || base == "weft.yml" || !entry.Type().IsRegular() ||
			len(f.files) >= maxFiles {
			return nil
		}
		switch path.Ext(base) {
		case ".yml", ".yaml":
			data, err := fs.ReadFile(dir, name)
			if err == nil {
				f.files = append(f.files, file{name, kindOf(string(data))})
			}
		case ".star", ".txt":
			f.text[top(name)] = true
		}
		return nil
	})
	return f, err
}

// skipped are directories that hold what others made.
var skipped = []string{"node_modules", "vendor", "out", "dist", "build", "target", "rendered"}

var (
	schemaMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^#@ *data/values-schema`)
	})
	valuesMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^#@ *data/values\b`)
	})
	overlayMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^#@ *overlay/(match|match-child-defaults)\b`)
	})
	code = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(^|\s)#@`)
	})
)

func kindOf(text string) kind {
	switch {
	case schemaMark().MatchString(text):
		return schema
	case valuesMark().MatchString(text):
		return dataValues
	case overlayMark().MatchString(text):
		return overlay
	case code().MatchString(text):
		return template
	}
	return plainFile
}

// top is the first part of a path.
func top(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

// valuesFile are names of files with the values of an environment, which is the group.
var valuesFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(?:(?:.*/)?(?:envs?|environments|clusters|stages|values)/([^/]+)|(?:.*/)?values[-._]([^/]+))\.ya?ml$`)
})

// plan sorts files into a project.
func (f *found) plan() *plan {
	p := &plan{edition: "2026"}
	values := map[string]string{} // the values file of each environment
	var names []string
	overlays := map[string]string{} // by their names
	inputs := map[string]bool{}
	for _, x := range f.files {
		if x.kind != plainFile {
			p.edition = "ytt"
		}
		if m := valuesFile().FindStringSubmatch(x.path); m != nil && x.kind == plainFile {
			if name := m[1] + m[2]; values[name] == "" && project.IsName(name) {
				values[name] = x.path
				names = append(names, name)
				continue
			}
		}
		switch {
		case x.kind == overlay && (!strings.Contains(x.path, "/") || isOverlayDir(top(x.path))):
			overlays[stem(x.path)] = x.path
		case x.kind == plainFile && (x.path == "values.yml" || x.path == "values.yaml"):
			p.common.valueFiles = append(p.common.valueFiles, x.path)
		case x.kind != plainFile || f.rendered(x.path):
			inputs[input(x.path)] = true
		}
	}
	for in := range inputs {
		p.common.inputs = append(p.common.inputs, in)
	}
	slices.Sort(p.common.inputs)
	if p.edition == "ytt" {
		p.comment = migrate.Advice
	}
	slices.Sort(names)
	for _, name := range slices.Sorted(keys(overlays)) {
		if values[name] == "" {
			p.common.overlays = append(p.common.overlays, overlays[name])
		}
	}
	p.environments(names, values, overlays)
	return p
}

// rendered reports whether a plain file lies beside templates, so that it is rendered with them.
func (f *found) rendered(name string) bool {
	if !strings.Contains(name, "/") {
		return false
	}
	return slices.ContainsFunc(f.files, func(x file) bool {
		return x.kind != plainFile && x.kind != overlay && strings.Contains(x.path, "/") &&
			top(x.path) == top(name)
	})
}

func isOverlayDir(dir string) bool {
	return dir == "overlays" || dir == "overlay" || dir == "patches"
}

// input is what names a file: the directory at the top that it is in, or itself.
func input(name string) string { return top(name) }

func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// fewEnvironments are listed one by one.
const fewEnvironments = 5

// environments adds the environments: one by one, or as a family if there are many of one kind.
func (p *plan) environments(names []string, values, overlays map[string]string) {
	if len(names) == 0 {
		return
	}
	p.common.dir = "out/{env}"
	if family := familyOf(names, values, overlays); family != "" && len(names) > fewEnvironments {
		p.envs = []environment{{name: "*", settings: settings{each: family}}}
		return
	}
	for _, name := range names {
		e := environment{name: name, settings: settings{valueFiles: []string{values[name]}}}
		if overlays[name] != "" {
			e.overlays = []string{overlays[name]}
		}
		p.envs = append(p.envs, e)
	}
}

// familyOf is a pattern that matches the values of all environments and nothing else, or "".
func familyOf(names []string, values, overlays map[string]string) string {
	pattern := ""
	for _, name := range names {
		ext := path.Ext(values[name])
		own := strings.TrimSuffix(values[name], name+ext) + "*" + ext
		if overlays[name] != "" || pattern != "" && own != pattern {
			return ""
		}
		pattern = own
	}
	return pattern
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
