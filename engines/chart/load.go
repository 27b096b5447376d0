package chart

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"

	"weft/engines/chart/trace"
	"weft/engines/files"
)

// source is the files of a chart, which is a directory or an archive.
type source struct {
	path   string
	list   []*archive.BufferedFile
	digest string
	paths  map[*byte]string  // by their bytes, which loaded charts share
	packed map[string]string // of files in archives of dependencies, by their names and texts

	sites []site            // see nameSites
	sited map[string][]byte // templates with the names of sites, by their paths
}

// read reads the files of a chart.
func read(f *files.System, name string) (*source, error) {
	list, err := readFiles(f, name)
	if err != nil {
		return nil, err
	}
	s := &source{path: path.Clean(name), list: list, paths: map[*byte]string{}, packed: map[string]string{}}
	s.digest = digest(list)
	s.addPaths(s.path, list, false)
	return s, nil
}

// addPaths remembers the paths of files. Files of archives are unpacked once more when a chart is loaded, so
// their texts identify them.
func (s *source) addPaths(dir string, list []*archive.BufferedFile, packed bool) {
	for _, f := range list {
		name := path.Join(dir, f.Name)
		if path.Ext(f.Name) == ".tgz" && strings.HasPrefix(path.Dir(f.Name)+"/", "charts/") {
			if below, err := archive.LoadArchiveFiles(bytes.NewReader(f.Data)); err == nil {
				s.addPaths(name, below, true)
			}
		}
		switch {
		case packed:
			s.packed[path.Base(name)+"\x00"+string(f.Data)] = name
		case len(f.Data) > 0:
			s.paths[&f.Data[0]] = name
		}
	}
}

// pathOf returns the path of a file of a loaded chart.
func (s *source) pathOf(f *common.File) string {
	if len(f.Data) == 0 {
		return s.path
	}
	if name, ok := s.paths[&f.Data[0]]; ok {
		return name
	}
	if name, ok := s.packed[path.Base(f.Name)+"\x00"+string(f.Data)]; ok {
		return name
	}
	return s.path
}

// valuesOf returns the path of values.yaml of a chart.
func (s *source) valuesOf(c *v2.Chart) string {
	for _, f := range c.Raw {
		if f.Name == "values.yaml" {
			return s.pathOf(f)
		}
	}
	return s.path
}

// hasMarks reports whether files of the chart have what looks like marks of package trace.
func (s *source) hasMarks() bool {
	return slices.ContainsFunc(s.list, func(f *archive.BufferedFile) bool {
		return trace.HasMarks(string(f.Data))
	})
}

// texts returns the paths of the files that templates can read, by their texts.
func (s *source) texts(c *v2.Chart) map[string]string {
	out := map[string]string{}
	for _, f := range c.Files {
		if _, ok := out[string(f.Data)]; !ok && len(f.Data) > 0 {
			out[string(f.Data)] = s.pathOf(f)
		}
	}
	for _, d := range c.Dependencies() {
		for text, name := range s.texts(d) {
			if _, ok := out[text]; !ok {
				out[text] = name
			}
		}
	}
	return out
}

// load returns the chart. Each load makes another one: values and templates change it.
func (s *source) load() (*v2.Chart, error) {
	c, err := loader.LoadFiles(s.list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	sortDependencies(c)
	s.nameSites(c)
	return c, nil
}

// sortDependencies gives dependencies an order; Helm loads them in a random one.
func sortDependencies(c *v2.Chart) {
	all := slices.Clone(c.Dependencies())
	slices.SortStableFunc(all, func(a, b *v2.Chart) int { return strings.Compare(a.Name(), b.Name()) })
	c.SetDependencies(all...)
	for _, d := range all {
		sortDependencies(d)
	}
}

func readFiles(f *files.System, name string) ([]*archive.BufferedFile, error) {
	if f.IsDir(name) {
		return readDir(f, name)
	}
	packed, err := f.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	list, err := archive.LoadArchiveFiles(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// readDir reads the files of a directory, without those that .helmignore names.
func readDir(f *files.System, dir string) ([]*archive.BufferedFile, error) {
	rules := ignore.Empty()
	if f.Exists(path.Join(dir, ignore.HelmIgnore)) {
		text, err := f.ReadFile(path.Join(dir, ignore.HelmIgnore))
		if err != nil {
			return nil, err
		}
		if rules, err = ignore.Parse(bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(dir, ignore.HelmIgnore), err)
		}
	}
	rules.AddDefaults()
	d := &directory{files: f, rules: rules, dir: dir}
	err := d.read("")
	return d.list, err
}

// directory reads the files of a chart.
type directory struct {
	files *files.System
	rules *ignore.Rules
	dir   string
	list  []*archive.BufferedFile
}

// read reads the files of a folder in the chart.
func (d *directory) read(below string) error {
	names, err := d.files.Entries(path.Join(d.dir, below))
	if err != nil {
		return err
	}
	for _, n := range names {
		name := path.Join(below, n)
		isDir := d.files.IsDir(path.Join(d.dir, name))
		if d.rules.Ignore(name, files.Info(n, isDir)) {
			continue
		}
		if isDir {
			if err := d.read(name); err != nil {
				return err
			}
			continue
		}
		data, err := d.files.ReadFile(path.Join(d.dir, name))
		if err != nil {
			return err
		}
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		d.list = append(d.list, &archive.BufferedFile{Name: name, Data: data})
	}
	return nil
}

// digest returns a digest of the names and the bytes of files.
func digest(list []*archive.BufferedFile) string {
	all := sha256.New()
	for _, f := range list {
		sum := sha256.Sum256(f.Data)
		fmt.Fprintf(all, "%x  %q\n", sum, f.Name)
	}
	return hex.EncodeToString(all.Sum(nil))
}
