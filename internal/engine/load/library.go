package load

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/source"
)

// Library is a folder that templates may use as a private library, by its name, from every folder. It is
// read only if an input names it.
type Library struct {
	Name string
	Dir  string

	// Problem says why the folder must not or cannot be read, and Hint what to do; or both are "".
	Problem, Hint string
}

// librariesDir is where the inputs have the files of such libraries. Nothing but a use of the library
// reaches them there, as with any private library.
const librariesDir = "vendor/_ytt_lib/"

// Root returns the folder of the library in the paths of inputs.
func (l *Library) Root() string { return librariesDir + l.Name }

// named reports whether a file may use the library: with `load("@NAME:…")`, or with library.get, whose
// argument may come from a variable of the same file.
func (l *Library) named(data []byte, gets bool) bool {
	return bytes.Contains(data, []byte("@"+l.Name)) || gets && bytes.Contains(data, []byte(l.Name))
}

// withLibraries adds the files of the libraries that inputs name, and of those that these name. It also
// returns how many files were read.
func (opt Options) withLibraries(set *source.Set, inputs []Input) (_ []Input, read int, err error) {
	if len(opt.Libraries) == 0 {
		return inputs, 0, nil
	}
	opt = opt.keepLibraries(inputs)
	for checked := map[*source.File]bool{}; ; {
		asked := opt.asked(inputs, checked)
		if len(asked) == 0 {
			return inputs, read, nil
		}
		opt.used = append(slices.Clip(opt.used), asked...)
		var n int
		if inputs, n, err = reload(set, opt, inputs, func(string) bool { return false }); err != nil {
			return nil, 0, err
		}
		read += n
	}
}

// keepLibraries returns the options with the libraries whose files are among the inputs already.
func (opt Options) keepLibraries(inputs []Input) Options {
	opt.used = nil
	for _, l := range opt.Libraries {
		has := func(in Input) bool { return strings.HasPrefix(in.Path, l.Root()+"/") }
		if slices.ContainsFunc(inputs, has) && opt.usable(l) {
			opt.used = append(opt.used, l)
		}
	}
	return opt
}

// asked returns the libraries that inputs name and that are not used yet. Files that are checked already
// are left out.
func (opt *Options) asked(inputs []Input, checked map[*source.File]bool) (libs []Library) {
	for _, in := range inputs {
		if in.File == nil || checked[in.File] {
			continue
		}
		checked[in.File] = true
		data := in.File.Data()
		if !bytes.Contains(data, []byte("load")) {
			continue
		}
		gets := bytes.Contains(data, []byte("@ytt:library"))
		for _, l := range opt.Libraries {
			if l.named(data, gets) && !slices.Contains(opt.used, l) && !slices.Contains(libs, l) && opt.usable(l) {
				libs = append(libs, l)
			}
		}
	}
	return libs
}

func (opt *Options) usable(l Library) bool { return l.Problem == "" && opt.isDir(l.Dir) }

// listLibraries finds the files of the libraries that are used. Exclude and Marks are for other files.
func (opt *Options) listLibraries() (files []*file, err error) {
	for _, l := range opt.used {
		group, err := opt.listPath("", l.Dir)
		if err != nil {
			return nil, err
		}
		for _, f := range group {
			f.rel = l.Root() + "/" + f.rel
		}
		files = append(files, group...)
	}
	return files, nil
}
