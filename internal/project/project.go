package project

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project/engines"
)

// Options selects the project to open.
type Options struct {
	// Path is the project file. If it is empty, weft.yml is looked for in Dir and above it.
	Path string

	// Text, if not nil, replaces the project file at Path, which is not read and need not exist.
	Text []byte

	// Dir is where the search begins; "" is the current directory.
	Dir string

	// FS is the file system of the project; nil means the disk. Paths then follow the rules of
	// io/fs, and the root of FS is the root of the project.
	FS fs.FS

	// AllowOutside are paths outside of the project's root that may be used, and prefixes of URLs
	// that may be fetched. With FS, only the URLs count.
	AllowOutside []string

	// Reads, if not nil, is called with each path on disk before it is read.
	Reads func(path string)

	// Engines render charts and kustomizations; nil if the project must not have any.
	Engines *engines.Engines
}

// Description is a project file with everything that it extends. It is safe for concurrent use.
type Description struct {
	Files *source.Set // the files that positions refer to

	own    *File   // the project file itself
	layers []*File // the project file and those that it extends, the most basic first
	places places

	names []string // the names of the environments, in their order
	envs  map[string]*definition

	mu      sync.Mutex
	settled map[string]*Settings // the settings computed so far

	counted sync.Once
	uses    map[source.Pos]int // how many environments have each short cut

	resolve   sync.Once
	libraries []load.Library // see Libraries

	engines *engines.Engines
}

// File is a project file.
type File struct {
	Path   string // the path in messages, relative to the current directory
	Source *source.File
	root   *Node
	bases  []*File
}

// ErrNone is returned by Open if no project file is found.
var ErrNone = errors.New("there is no project file")

// Open reads a project file and those that it extends, and lists its environments. The error is a
// *diag.Failure if the project is wrong, and ErrNone if there is none.
func Open(opts Options) (*Description, error) {
	p := Empty()
	p.engines = opts.Engines
	path, err := p.places.find(opts)
	if opts.Text != nil {
		p.places.drafted, p.places.draft = path, opts.Text
	}
	if err == nil {
		err = p.load(path)
	}
	if err == nil {
		err = p.listEnvironments()
	}
	if err == nil {
		err = p.checkVendored()
	}
	if err != nil {
		return nil, p.fail(err)
	}
	return p, nil
}

// Empty returns a project without a file and without environments.
func Empty() *Description {
	files := &source.Set{}
	files.Conceal(withoutCredentials)
	return &Description{
		Files: files, own: &File{root: &Node{}},
		envs: map[string]*definition{}, settled: map[string]*Settings{},
	}
}

func (p *Description) fail(err error) error {
	if errors.Is(err, ErrNone) {
		return err
	}
	return &diag.Failure{Files: p.Files, List: diag.Of(err)}
}

// Path returns the path of the project file.
func (p *Description) Path() string { return p.own.Path }

// Sources returns the project file and those that it extends, the most basic first.
func (p *Description) Sources() []*File { return p.layers }

// Edition returns the edition in the project file: 2026 or ytt, or "" if there is no file.
func (p *Description) Edition() string {
	if n := p.own.root.Get(keyWeft); n != nil {
		return n.Text
	}
	return ""
}

// Names returns the names of the environments, in the order in which the files name them.
func (p *Description) Names() []string { return p.names }

// Engines returns what renders charts and kustomizations, or nil.
func (p *Description) Engines() *engines.Engines { return p.engines }

// Relative returns a path for messages: relative to the current directory, if possible.
func (p *Description) Relative(path string) string {
	if p.places.fsys != nil {
		return path
	}
	return relative(path)
}

// Root returns the directory that paths of the project may not leave.
func (p *Description) Root() string { return p.places.root }

// FS returns the file system that the project is in; nil is the disk.
func (p *Description) FS() fs.FS { return p.places.fsys }

// Environments returns environments by name, with the errors of all of them. One with a missing file is
// among them, and fails when it is rendered: it must not keep others from being rendered.
func (p *Description) Environments(names []string) ([]*Settings, error) {
	envs := make([]*Settings, 0, len(names))
	var list diag.List
	reported := map[string]bool{} // report a mistake that many environments share once
	for _, name := range names {
		s, err := p.Environment(name)
		if err != nil {
			if found := p.withMissing(name); found != nil {
				s, err = found, nil
			}
		}
		if err == nil {
			envs = append(envs, s)
			continue
		}
		f, ok := errors.AsType[*diag.Failure](err)
		if !ok {
			return nil, err
		}
		for _, d := range f.List {
			key := fmt.Sprint(d.At, d.Message)
			if !reported[key] {
				reported[key] = true
				list = append(list, d)
			}
		}
	}
	if list != nil {
		return nil, &diag.Failure{Files: p.Files, List: list}
	}
	return envs, nil
}
