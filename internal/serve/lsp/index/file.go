// Package index finds the names that files bind and use, the modules that they load, and the data
// values that they read, declare and set.
//
// A File is the index of one file; ReadFile and others create it from an analysis. It never changes,
// so snapshots share it. It does not know the values of loaded names and of parameters: an Index
// joins the files of a project, and looks these up in other files on demand.
//
//	file.go, read.go, value.go   one file: names, calls, reads of data values
//	describe.go                  one file: signatures and documentation of its functions
//	place.go                     what is at a place of code that is typed
//	types.go, results.go         types of values, and of what calls return
//	fragments.go                 types of YAML that functions return
//	arguments.go                 what parameters are given, and what is added to dicts and lists
//	keys.go, weftyml.go          one file: data values that it declares and sets
//	project.go                   files together: loads, libraries
//	values.go                    which data value is read, across functions and files
package index

import (
	"slices"
	"sort"

	"weft/internal/lang/source"
)

// File is the index of one file. It never changes. Ranges are those of its text.
type File struct {
	Text   *source.File
	Broken bool // it has errors, so something may be missing here

	Bindings  []Binding
	Names     []Name // in order
	Functions []Function
	Calls     []Call
	Reads     []Read
	Keys      []Key
	Paths     []Path
	Objects   []Object
	Passed    []Passed

	flows []flow
}

// Passed says that code passes what a function returns to a library, as its data values.
type Passed struct {
	Callee  ID
	Library string
}

// Range is bytes of a file.
type Range struct{ Start, End int }

// Holds reports whether an offset is in the range, or right after it, where a cursor may be.
func (r Range) Holds(off int) bool { return r.Start <= off && off <= r.End }

// ID is the number of a binding in its file.
type ID int32

// None is the ID of names without a binding.
const None ID = -1

// Binding is a name that the file defines or loads.
type Binding struct {
	Name   string
	At     Range // where it is first bound
	Kind   BindingKind
	Global bool // other files may load it

	// for a loaded name: the module as it is written, and the name there
	Module, From string

	Function int // for a function: its number; for a parameter: that of its function; or -1
	Index    int // for a parameter: its position

	values []value // for a variable: the data values that it may have
}

// BindingKind is the kind of a Binding.
type BindingKind uint8

// The kinds of binding.
const (
	Variable BindingKind = iota
	FunctionName
	Parameter
	Loaded
)

// Name is a place where a name is written.
type Name struct {
	At      Range
	Binding ID
	Bound   bool // it is defined here
	Module  bool // it is the name in the module of a load; Binding is the name in this file
}

// Function is a function with a name.
type Function struct {
	Binding ID
	At      Range // from its beginning to its last statement
	Params  []ID

	Signature string // the parameters as they are written, with parentheses
	Doc       string // the comments above it, or the text at the beginning of its body

	returns []value
}

// Call is a call of a function that the file defines or loads.
type Call struct {
	At       Range // the name
	Callee   ID
	Caller   int // the number of the function around it, or -1
	Keywords []Keyword
	Spread   bool // it has an argument **kwargs, whose keywords are only known at run time
}

// Keyword is an argument with a name.
type Keyword struct {
	At   Range
	Name string
}

// Form is how a name is written, which matters when it is renamed.
type Form uint8

// The forms.
const (
	Identifier Form = iota // in code
	String                 // a string in code; the range is without the quotes
	Scalar                 // a scalar of YAML; the range is with its quotes
	Dotted                 // a part of a.b.c in a scalar of YAML
)

// Read is a place where a data value is read, or an attribute of a value that may be one.
type Read struct {
	At   Range
	Form Form
	of   []value // what may be read: unless Whole, the last step of each is the key at At

	// Whole means that the value is used as a whole: it is written, or passed to an unknown function.
	Whole bool

	// Dynamic means that the key is known only at run time.
	Dynamic bool
}

// KeyKind is the kind of a Key.
type KeyKind uint8

// The kinds of key.
const (
	Declares KeyKind = iota // in a schema
	Sets                    // in data values of any kind
	Requires                // in weft.yml: it must be set elsewhere
	Names                   // in a rule of a schema
)

// Key is a place where a data value is declared or set.
type Key struct {
	At      Range
	Form    Form
	Kind    KeyKind
	Library string // the library of the data value, as the file names it; "" for the library of the file
	Path    []string
	Around  Range // the key with its value
}

// PathKind is what a Path names.
type PathKind uint8

// The kinds of path.
const (
	Module      PathKind = iota // of load
	Data                        // of data.read
	Folder                      // of data.list
	Library                     // the name of a library
	Input                       // a file or directory in weft.yml, relative to its folder
	Pattern                     // a pattern of paths of inputs in weft.yml
	Environment                 // the name of an environment in weft.yml
)

// Path is a text that names a file, a folder, a library or an environment.
type Path struct {
	At      Range
	Form    Form
	Kind    PathKind
	Text    string
	Defines bool   // for an environment: it is defined here
	Of      *Range // for an Input: the definition of its environment, or nil
}

// Object is a Kubernetes document.
type Object struct {
	Name string // such as Deployment web
	At   Range
}

// NameAt returns the name at an offset, or nil.
func (f *File) NameAt(off int) *Name {
	i := sort.Search(len(f.Names), func(i int) bool { return f.Names[i].At.End >= off })
	for ; i < len(f.Names) && f.Names[i].At.Start <= off; i++ {
		if f.Names[i].At.Holds(off) {
			return &f.Names[i]
		}
	}
	return nil
}

// ReadAt returns the read of a data value at an offset, or nil.
func (f *File) ReadAt(off int) *Read {
	for i := range f.Reads {
		if r := &f.Reads[i]; !r.Whole && !r.Dynamic && r.At.Holds(off) {
			return r
		}
	}
	return nil
}

// EachRead calls f with each read of the project's data values that can be found without other files,
// and with the path of the value, in which "" is an item of a list or a key that is not known.
func (f *File) EachRead(each func(r *Read, path []string)) {
	for i := range f.Reads {
		r := &f.Reads[i]
		v := slices.IndexFunc(r.of, func(v value) bool { return v.root == dataValues })
		if r.Whole || r.Dynamic || v < 0 {
			continue
		}
		path := slices.Clone(r.of[v].steps)
		for i, step := range path {
			if step == Any {
				path[i] = ""
			}
		}
		each(r, path)
	}
}

// KeyAt returns the key at an offset, or nil.
func (f *File) KeyAt(off int) *Key {
	for i := range f.Keys {
		if f.Keys[i].At.Holds(off) {
			return &f.Keys[i]
		}
	}
	return nil
}

// PathAt returns the path at an offset, or nil.
func (f *File) PathAt(off int) *Path {
	for i := range f.Paths {
		if f.Paths[i].At.Holds(off) {
			return &f.Paths[i]
		}
	}
	return nil
}

// Exports calls f with each binding that others may load, and with its function, or nil if it is a
// variable.
func (f *File) Exports(each func(b *Binding, fn *Function)) {
	for i := range f.Bindings {
		switch b := &f.Bindings[i]; {
		case !b.Global:
		case b.Kind == FunctionName:
			each(b, &f.Functions[b.Function])
		case b.Kind == Variable:
			each(b, nil)
		}
	}
}

// Export returns the binding that others load with a name, or None.
func (f *File) Export(name string) ID {
	for i, b := range f.Bindings {
		if b.Global && b.Name == name && b.Kind != Loaded {
			return ID(i)
		}
	}
	return None
}
