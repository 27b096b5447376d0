package archive

import (
	"path"
	"slices"
	"strings"
)

// target returns where a symbolic link leads, from the top of the archive; why is set if it must not be
// followed. The link itself is at name.
func target(name, to string) (at, why string) {
	switch {
	case to == "":
		return "", "is a link to nothing"
	case strings.HasPrefix(to, "/"):
		return "", "is a link to '" + to + "', outside of the source"
	}
	at = path.Join(path.Dir(name), to)
	if at == ".." || strings.HasPrefix(at, "../") {
		return "", "is a link to '" + to + "', outside of the source"
	}
	return at, ""
}

// mostLinks is how many links may lead to a file, one after the other.
const mostLinks = 40

// followLinks replaces each link by a copy of the file or the directory that it leads to. What the project
// has then works on systems without links, and no link can be changed later to lead out.
func (e *entries) followLinks() error {
	var links []string
	for name, n := range e.byName {
		if n.link && n.why == "" {
			links = append(links, name)
		}
	}
	if links == nil {
		return nil
	}
	slices.Sort(links)
	names := e.names()
	copies := map[string]entry{}
	for _, name := range links {
		to, why := e.resolve(e.byName[name].to)
		if why == "" && (to == "." || name == to || strings.HasPrefix(name, to+"/")) {
			why = "is a link to a directory above it"
		}
		if why != "" {
			copies[name] = entry{why: why}
			continue
		}
		if err := e.copyTo(copies, name, to, names); err != nil {
			return err
		}
	}
	for name, n := range copies {
		n.file.Name = name
		e.byName[name] = n
	}
	return nil
}

// names returns the names of everything, sorted.
func (e *entries) names() []string {
	names := make([]string, 0, len(e.byName))
	for name := range e.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// resolve follows links until it reaches a file or a directory.
func (e *entries) resolve(to string) (name, why string) {
	for range mostLinks {
		if to == "." {
			return to, ""
		}
		at, n, ok := e.firstLink(to)
		switch {
		case !ok:
			return "", "is a link to '" + to + "', which is not in the source"
		case n.why != "":
			return "", "is a link to '" + at + "', which " + n.why
		case !n.link:
			return to, ""
		}
		to = path.Join(n.to, strings.TrimPrefix(to, at))
	}
	return "", "is a link to itself, or to too many others"
}

// firstLink returns the first link on the way to a name, or what has the name.
func (e *entries) firstLink(name string) (at string, n entry, ok bool) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if n, ok := e.byName[name[:i]]; ok && n.link {
			return name[:i], n, true
		}
	}
	n, ok = e.byName[name]
	return name, n, ok
}

// copyTo copies a file, or all that is below a directory, to the name of a link. Links below the directory
// are refused: one link to a directory of links could otherwise stand for endlessly many files.
func (e *entries) copyTo(copies map[string]entry, name, from string, names []string) error {
	n := e.byName[from]
	if !n.dir {
		copies[name] = entry{file: n.file}
		return e.counted(int64(len(n.file.Data)))
	}
	copies[name] = entry{dir: true}
	first, _ := slices.BinarySearch(names, from+"/")
	for _, below := range names[first:] {
		rest, ok := strings.CutPrefix(below, from+"/")
		if !ok {
			break
		}
		c := e.byName[below]
		if c.link && c.why == "" {
			c = entry{why: "is a link in a directory that is linked"}
		}
		copies[name+"/"+rest] = c
		if err := e.counted(int64(len(c.file.Data))); err != nil {
			return err
		}
	}
	return nil
}
