package load

import "strconv"

// Memory is a file in memory. Do not change its bytes before they are read.
type Memory struct {
	Path string // its relative path, with forward slashes
	Data []byte

	Plain bool // it is YAML without annotations
}

// Disk returns where the input is on disk, or "" if it came from elsewhere.
func (in Input) Disk() string {
	if in.source.fsys != nil {
		return ""
	}
	return in.source.path
}

// Origin returns the path of the file that the input was read from, on disk or in its file system,
// or "".
func (in Input) Origin() string { return in.source.path }

// Shown returns the name of the input in messages: as the user would find it.
func (in Input) Shown() string {
	if in.source == nil {
		return in.Path
	}
	return orElse(in.source.name, in.source.shown())
}

// nameShown sets the names of files in messages. A file that is not on disk may have the name of
// another one. Then it gets a number, so that no two inputs have the same name.
func nameShown(files []*file) {
	memory := false
	for _, f := range files {
		f.name = f.shown()
		memory = memory || f.memory != nil
	}
	if !memory {
		return
	}
	taken := map[string]bool{}
	for _, f := range files {
		if f.memory == nil {
			taken[f.name] = true
		}
	}
	next := map[string]int{} // keeps the time linear for a thousand files of one name
	for _, f := range files {
		if f.memory == nil {
			continue
		}
		plain := f.name
		for n := max(2, next[plain]); taken[f.name]; n++ {
			f.name = plain + " (" + strconv.Itoa(n) + ")"
			next[plain] = n + 1
		}
		taken[f.name] = true
	}
}
