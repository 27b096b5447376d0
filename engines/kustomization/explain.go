package kustomization

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// explain returns an error of a build with the place that it is about.
func (t *tree) explain(err error, dir string) *wire.Error {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e
	}
	if denied := t.files.Denied(); denied != nil {
		return &wire.Error{Message: denied.Error(), File: t.kustomizationIn(dir)}
	}
	if len(t.kustomizations) == 0 {
		return &wire.Error{
			Code:    wire.CodeMissing,
			Message: fmt.Sprintf("no kustomization.yaml, kustomization.yml or Kustomization in '%s'", dir),
		}
	}
	if e := t.missing(); e != nil {
		return e
	}
	message := plain(err.Error())
	e := &wire.Error{Message: message, File: t.kustomizationIn(innermost(err.Error(), dir))}
	switch {
	case strings.Contains(message, "external plugins disabled"):
		e.Code = wire.CodePlugin
	case strings.Contains(message, "--enable-helm"):
		e.Code, e.Message = wire.CodeHelm, "HelmChartInflationGenerator: weft renders charts itself"
	}
	if file, line := t.malformed(err.Error()); file != "" {
		e.File, e.Line = file, line
	}
	return e
}

// missing reports the first entry that names a file or a directory that does not exist.
func (t *tree) missing() *wire.Error {
	for _, file := range t.kustomizations {
		for _, e := range t.entriesIn(file) {
			for _, n := range paths(e) {
				full := path.Join(mount, path.Dir(file), n.Value)
				if path.IsAbs(n.Value) {
					full = n.Value
				}
				if strings.Contains(n.Value, "\n") || t.Exists(full) {
					continue
				}
				what := "does not exist"
				if full != mount && !strings.HasPrefix(full, mount+"/") {
					what = "is outside of the repository"
				}
				return &wire.Error{
					Code: wire.CodeMissing, File: file, Line: n.Line,
					Message: fmt.Sprintf("%s: '%s' %s", e.key, n.Value, what),
				}
			}
		}
	}
	return nil
}

// entriesIn returns the entries of a kustomization that was read.
func (t *tree) entriesIn(file string) []entry {
	root, err := yaml.Parse(string(t.text(file)))
	if err != nil || root == nil {
		return nil
	}
	return entriesOf(root.YNode())
}

// paths returns the nodes of an entry that are paths.
func paths(e entry) []*yaml.Node {
	n := e.item
	switch e.key {
	case "resources", "bases", "components", "crds", "configurations":
		if n.Kind == yaml.ScalarNode && n.Value != "" {
			return []*yaml.Node{n}
		}
	case "patches", "patchesJson6902", "replacements", "openapi":
		return pathsIn(n, "path")
	case "configMapGenerator", "secretGenerator":
		return pathsIn(n, "env", "envs", "files")
	}
	return nil
}

func pathsIn(n *yaml.Node, keys ...string) []*yaml.Node {
	var list []*yaml.Node
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		for _, key := range keys {
			value := follow(n.Content[i+1])
			if n.Content[i].Value != key {
				continue
			}
			if value.Kind == yaml.ScalarNode && value.Value != "" {
				list = append(list, value)
			}
			for _, item := range value.Content {
				c := *follow(item)
				if key == "files" {
					if _, after, ok := strings.Cut(c.Value, "="); ok {
						c.Value = after
					}
				}
				list = append(list, &c)
			}
		}
	}
	return list
}

var (
	// notAFile is what kustomize says about each directory before it says what is wrong there.
	notAFile = regexp.MustCompile(`accumulation err='accumulating resources from '[^']*': no such file': `)
	recursed = regexp.MustCompile(`recursed accumulation of path '` + mount + `/?([^']*)'`)
	steps    = regexp.MustCompile(`(accumulating resources|accumulating components|` +
		`recursed accumulation of path '[^']*'|accumulateDirectory): `)
	lineOf = regexp.MustCompile(`yaml: line (\d+): `)
	inFile = regexp.MustCompile(`in File: (\S+)`)
)

// plain returns a message without the steps that led to it, and with paths of the repository.
func plain(message string) string {
	message = notAFile.ReplaceAllString(message, "")
	message = steps.ReplaceAllString(message, "")
	return strings.TrimSpace(shorten(message))
}

// innermost returns the directory of the kustomization that an error is about.
func innermost(message, dir string) string {
	if all := recursed.FindAllStringSubmatch(message, -1); len(all) > 0 {
		return all[len(all)-1][1]
	}
	return dir
}

// malformed returns the file and line of an error about YAML. The line in the message counts from the
// beginning of its document.
func (t *tree) malformed(message string) (string, int) {
	name, line := inFile.FindStringSubmatch(message), lineOf.FindStringSubmatch(message)
	if name == nil || line == nil {
		return "", 0
	}
	n, _ := strconv.Atoi(line[1])
	for _, k := range t.kustomizations {
		file := path.Join(path.Dir(k), name[1])
		for _, c := range chunksOf(t.text(file)) {
			if _, err := yaml.Parse(c.text); err != nil && strings.Contains(message, err.Error()) {
				return file, c.line + n - 1
			}
		}
	}
	return "", 0
}
