package engine

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
)

// writeDebug prints what a run is going to evaluate: the tree of libraries, and each file as it was
// read and compiled. It does so before evaluation, in case that fails. Errors in files are reported
// elsewhere.
func writeDebug(w io.Writer, lib *eval.Library, opt yaml.Options) error {
	var b bytes.Buffer
	b.WriteString("## libraries\n")
	writeTree(&b, lib.Files)
	for _, f := range lib.Files {
		if f.Input.Type == load.Data {
			continue
		}
		b.WriteString("\n## file " + diag.Visible(f.Input.Shown()) + "\n")
		if f.Input.Type == load.YAML {
			if t, err := yaml.Parse(f.Input.File, opt); err == nil {
				b.WriteString("### ast\n")
				b.Write(t.Dump())
			}
		}
		if u, err := f.Unit(); err == nil {
			b.WriteString("### plan\n")
			b.Write(u.Dump())
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeTree lists files by folder. It marks folders of private libraries: only library.get can access
// their files from outside.
func writeTree(b *bytes.Buffer, files []*eval.File) {
	var open []string // the folder of the previous line
	b.WriteString("- /\n")
	for _, f := range files {
		var dirs []string
		if d := path.Dir(f.Input.Path); d != "." {
			dirs = strings.Split(d, "/")
		}
		same := 0
		for same < len(dirs) && same < len(open) && dirs[same] == open[same] {
			same++
		}
		for i := same; i < len(dirs); i++ {
			b.WriteString(strings.Repeat("  ", i+1) + "- " + diag.Visible(dirs[i]) + "/")
			if slices.Contains(dirs[:i+1], eval.PrivateDir) {
				b.WriteString(" (private)")
			}
			b.WriteByte('\n')
		}
		open = dirs
		b.WriteString(
			strings.Repeat(
				"  ",
				len(dirs)+1,
			) + "- " + diag.Visible(
				path.Base(f.Input.Path),
			) + " (" + describe(
				f.Input,
			) + ")\n",
		)
	}
}

// describe describes a file.
func describe(in load.Input) string {
	parts := []string{in.Type.String()}
	if in.Library {
		parts = append(parts, "library")
	}
	if !in.Template && in.Type != load.Starlark && in.Type != load.Data {
		parts = append(parts, "plain")
	}
	if in.Output {
		parts = append(parts, "for output")
	}
	return strings.Join(parts, ", ")
}
