package engine

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/engine/overlay"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// Warnings is how warnings are treated.
type Warnings uint8

// The ways to treat warnings.
const (
	WarningsOn    Warnings = iota // a run reports them and succeeds
	WarningsOff                   // they are dropped
	WarningsError                 // each one is an error, and the run fails
)

// Apply returns the diagnostics to report. Several runs may share a diagnostic, so those that
// change are copied.
func (w Warnings) Apply(list diag.List) diag.List {
	if w == WarningsOn {
		return list
	}
	var kept diag.List
	for _, d := range list {
		switch {
		case d.Severity != diag.Warning:
			kept = append(kept, d)
		case w == WarningsError:
			failed := *d
			failed.Severity = diag.Error
			kept = append(kept, &failed)
		}
	}
	return kept
}

// applyWarnings is like Warnings.Apply, but first turns warnings about idle annotations into errors if the
// configuration requires known annotations.
func (c *Config) applyWarnings(list diag.List) diag.List {
	if !c.Compile.KnownAnnotations {
		return c.Warnings.Apply(list)
	}
	refused := slices.Clone(list)
	for i, d := range refused {
		if d.Severity == diag.Warning && slices.Contains(idleAnnotations, d.Code) {
			failed := *d
			failed.Severity = diag.Error
			refused[i] = &failed
		}
	}
	return c.Warnings.Apply(refused)
}

// idleAnnotations are the codes of warnings about annotations that have no effect, whatever the
// data values are. Those of the compiler are already errors.
var idleAnnotations = []diag.Code{
	overlay.CodePosition, overlay.CodeTwice, overlay.CodeNoMatch, overlay.CodePlacement,
	schema.CodeAnnotation,
}

// failure returns the error of a run that failed with err.
func (c *Config) failure(files *source.Set, err error) *diag.Failure {
	return &diag.Failure{Files: files, List: c.applyWarnings(diag.Of(err))}
}

// Fail returns the error of a run without a configuration, like Config.Fail.
func (w Warnings) Fail(ctx context.Context, files *source.Set, err error) error {
	return (&Config{Warnings: w}).Fail(ctx, files, err)
}

// codeNothing is the code of a warning that weft can read none of the inputs.
const codeNothing diag.Code = "load/nothing"

// codeUnrendered is the code of warnings about files of charts and kustomizations among the inputs.
const codeUnrendered diag.Code = "engines/input"

// unrenderedInputs warns about charts and kustomizations that are not rendered, because their files are plain
// inputs. It warns once for each kind. A template may well make such a file.
func unrenderedInputs(inputs []load.Input) (list diag.List) {
	seen := map[string]bool{}
	for _, in := range inputs {
		what, key, sign := "", "", ""
		switch path.Base(in.Path) {
		case "Chart.yaml":
			what, key, sign = "a Helm chart", "charts", "version:"
		case "kustomization.yaml", "kustomization.yml":
			what, key = "a kustomization", "kustomizations"
		}
		if what == "" || seen[key] || !in.Output || in.File == nil || bytes.Contains(in.File.Data(), []byte("#@")) ||
			!bytes.Contains(in.File.Data(), []byte(sign)) ||
			bytes.Contains(in.File.Data(), []byte("kustomize.toolkit.fluxcd.io")) {
			continue
		}
		seen[key] = true
		list = append(list, diag.Warningf(in.File.Span(0, 0), codeUnrendered,
			"'%s' belongs to %s, which is not rendered: its files are printed as they are", in.Shown(), what).
			WithHint("name the directory with the key `%s` of weft.yml, or `exclude` it", key))
	}
	return list
}

// nothingRead warns if weft can read none of the inputs: such a run has no output, and looks like a
// success.
func nothingRead(inputs []load.Input, paths []string) diag.List {
	if slices.ContainsFunc(inputs, func(in load.Input) bool { return in.Type != load.Data }) {
		return nil
	}
	if len(inputs) == 0 && len(paths) > 0 {
		return diag.List{diag.Warningf(source.Span{}, codeNothing, "there are no files in %s",
			strings.Join(paths, ", ")).
			WithHint("name a directory that has YAML files, or a file")}
	}
	if len(inputs) == 0 {
		return diag.List{diag.Warningf(source.Span{}, codeNothing,
			"no input files").WithHint("name files or directories with -f")}
	}
	const maxNames = 3
	var names []string
	for _, in := range inputs[:min(len(inputs), maxNames)] {
		names = append(names, in.Path)
	}
	if len(inputs) > maxNames {
		names = append(names, "…")
	}
	files := "1 file"
	if len(inputs) > 1 {
		files = strconv.Itoa(len(inputs)) + " files"
	}
	like := max(0, slices.IndexFunc(inputs, likeYAML))
	return diag.List{diag.Warningf(source.Span{}, codeNothing,
		"no YAML, text or Starlark files among %s: %s", files, strings.Join(names, ", ")).
		WithHint("weft reads .yml, .yaml, .txt and .star; for other names, set the type: "+
			"--file-mark %s", diag.InShell(inputs[like].Path+":type=yaml-plain"))}
}

// likeYAML reports whether a file is YAML by its name, although weft does not treat it as YAML.
func likeYAML(in load.Input) bool {
	return slices.Contains([]string{".json", ".yml", ".yaml"}, strings.ToLower(path.Ext(in.Path)))
}

// codeChanged is the code of scalars that YAML 1.1 changes.
const codeChanged diag.Code = "yaml/changed-scalar"

// changedScalars returns one warning about all scalars that are printed differently from how they
// are written, because YAML 1.1 reads them that way.
func changedScalars(all yaml.Changed) diag.List {
	if all.Count == 0 {
		return nil
	}
	scalars, them := "an unquoted scalar", "it as it is"
	if all.Count > 1 {
		scalars, them = strconv.Itoa(all.Count)+" unquoted scalars", "them as they are"
	}
	first := all.First[0]
	d := diag.Warningf(
		first.At,
		codeChanged,
		"YAML 1.1 changes %s: `%s` becomes `%s`",
		scalars,
		first.Text,
		first.Printed,
	)
	for _, c := range all.First[1:] {
		d.WithRelated(c.At, "`%s` becomes `%s`", c.Text, c.Printed)
	}
	return diag.List{d.WithHint("use quotes to keep %s written; --yaml 1.2 reads words such as "+
		"on and no as strings, --strict rejects scalars that YAML readers disagree about", them)}
}

// codeRemark is the code of warnings that are plain text in ytt.
const codeRemark diag.Code = "module/remark"

// remarkList returns the warnings of modules as diagnostics. They have no location.
func remarkList(texts []string) diag.List {
	var list diag.List
	for _, s := range texts {
		list = append(list, diag.Warningf(source.Span{}, codeRemark, "%s", s))
	}
	return list
}
