package load

import (
	"net/url"
	"path/filepath"
	"strings"
)

// Find lists the files of an argument, which is taken literally, without reading them: standard
// input for "-", a URL, a file, or all files below a directory. Bytes reads them.
func (opt Options) Find(arg string) ([]Input, error) {
	if arg == "-" {
		return []Input{{Path: stdinName, source: &file{rel: stdinName, stdin: true}}}, nil
	}
	if u := parseURL(arg); u != nil && u.Scheme != "file" {
		return []Input{{Path: urlName(arg), source: &file{rel: urlName(arg), url: arg}}}, nil
	}
	return opt.FindPath(DiskPath(arg))
}

// FindPath is like Find for a path, on disk or in FS, even if it looks like something else.
func (opt Options) FindPath(path string) ([]Input, error) {
	if opt.FS == nil {
		return opt.Symlinks.Find(path)
	}
	files, err := opt.listFS("", path)
	return found(files), err
}

// Find lists the files on disk at path, which is taken literally, without reading them. Links are
// checked against s.
func (s Symlinks) Find(path string) ([]Input, error) {
	files, err := s.list("", path)
	if err != nil {
		return nil, err
	}
	return found(files), nil
}

func found(files []*file) []Input {
	inputs := make([]Input, len(files))
	for i, f := range files {
		inputs[i] = Input{Path: f.rel, source: f}
	}
	return inputs
}

// Bytes reads an input that was found.
func (opt Options) Bytes(in Input) ([]byte, error) {
	if in.source.irregular {
		return nil, irregular(
			in.Shown(),
		).WithHint("weft reads only regular files in a directory: move it elsewhere")
	}
	data, err := in.source.bytes(&opt)
	return data, in.source.unreadable(err)
}

// Listed reports whether an input was found in a directory, not named by the user.
func (in Input) Listed() bool { return in.source.listed }

// IsFile reports whether an input is a file, not standard input or a URL.
func (in Input) IsFile() bool {
	return !in.source.stdin && in.source.url == "" && in.source.memory == nil
}

// IsURL reports whether an argument is a URL of a kind that can be read.
func IsURL(arg string) bool { return parseURL(arg) != nil }

// DiskPath returns the path of an argument that names something on disk, also as a URL.
func DiskPath(arg string) string {
	u := parseURL(arg)
	if u == nil || u.Scheme != "file" {
		return arg
	}
	name := u.Path
	if onWindows {
		name = strings.TrimPrefix(name, "/")
	}
	return filepath.FromSlash(name)
}

// parseURL returns an argument as a URL, if it is one of a kind that can be read.
func parseURL(arg string) *url.URL {
	scheme, _, ok := strings.Cut(arg, ":")
	if !ok || scheme != "http" && scheme != "https" && scheme != "file" {
		return nil
	}
	u, err := url.Parse(arg)
	if err != nil || u.Scheme != "file" && u.Host == "" {
		return nil
	}
	return u
}
