package weft

import (
	"errors"
	"path"

	"weft/internal/diag"
	"weft/internal/load"
	"weft/internal/source"
	"weft/internal/values"
)

// DataValues are the data values of the command line, each kind in the order given. The kinds are listed in the order of their strength, the weakest
// first; all of them are stronger than the data values documents among the inputs. Each may begin with a library that it is meant for: "@lib:key=value".
type DataValues struct {
	Files   []string // paths of plain YAML
	Env     []string // prefixes of environment variables, whose values are strings
	EnvYAML []string // prefixes of environment variables, whose values are YAML
	KV      []string // key=string
	KVYAML  []string // key=YAML
	KVFile  []string // key=path of a file whose content is the value
}

// given reports whether there are any.
func (v DataValues) given() bool {
	return len(v.Files)+len(v.Env)+len(v.EnvYAML)+len(v.KV)+len(v.KVYAML)+len(v.KVFile) > 0
}

// layers are the data values of the command line as documents.
func (o Options) layers(files *source.Set) (docs []values.Document, notes diag.List, err error) {
	docs, err = values.Flags(o.DataValues).Documents(values.Environment{
		Files:    files,
		Vars:     o.Env,
		Read:     func(p string) ([]load.Input, error) { return o.valuesFiles(files, p) },
		ReadFile: func(p string) (string, error) { return o.valueFile(files, p) },
		YAML:     o.compile().YAML,
		Strict:   o.Strict,
		FileFlag: o.valuesFlag,
		Warn:     func(d *diag.Diagnostic) { notes = append(notes, d) },
	})
	return docs, notes, err
}

// valuesFiles reads the files of --data-values-file: a file of any name, or the YAML files of a directory.
func (o Options) valuesFiles(files *source.Set, p string) ([]load.Input, error) {
	opt := o.load()
	opt.Paths, opt.Marks = []string{p}, []string{"**/*:type=yaml-plain"}
	inputs, err := load.Read(files, opt)
	o.note(inputs)
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.Code == "load/irregular" && d.Hint != "" {
		d.WithHint("weft reads only regular files in a directory: move it elsewhere") // marks are not for data values
	}
	if err != nil || !opt.IsDir(p) {
		return inputs, err
	}
	kept := inputs[:0]
	for _, in := range inputs {
		if ext := path.Ext(in.Path); ext == ".yml" || ext == ".yaml" {
			kept = append(kept, in)
		}
	}
	return kept, nil
}

// valueFile reads the file of --data-value-file. Of a directory with one file, that is taken, as in the reference.
func (o Options) valueFile(files *source.Set, p string) (string, error) {
	opt := o.load()
	opt.Paths, opt.Marks = []string{p}, []string{"**/*:type=text-plain"}
	inputs, err := load.Read(&source.Set{}, opt)
	o.note(inputs)
	switch {
	case (err != nil || len(inputs) != 1) && opt.IsDir(p):
		return "", diag.Errorf(source.Span{}, values.CodeFlag, "expected '%s' to be a file, but is a directory", p)
	case err != nil:
		return "", err
	}
	return string(inputs[0].File.Data()), nil
}
