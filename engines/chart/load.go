package chart

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"

	"weft/engines/files"
)

// load returns a chart, which is a directory or an archive, and the digest of its files.
func load(f *files.System, name string) (*v2.Chart, string, error) {
	list, err := read(f, name)
	if err != nil {
		return nil, "", err
	}
	c, err := loader.LoadFiles(list)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	return c, digest(list), nil
}

func read(f *files.System, name string) ([]*archive.BufferedFile, error) {
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
	return readBelow(f, rules, dir, "", nil)
}

func readBelow(
	f *files.System, rules *ignore.Rules, dir, below string, list []*archive.BufferedFile,
) ([]*archive.BufferedFile, error) {
	names, err := f.Entries(path.Join(dir, below))
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		name := path.Join(below, n)
		isDir := f.IsDir(path.Join(dir, name))
		if rules.Ignore(name, files.Info(n, isDir)) {
			continue
		}
		if isDir {
			if list, err = readBelow(f, rules, dir, name, list); err != nil {
				return nil, err
			}
			continue
		}
		data, err := f.ReadFile(path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		list = append(list, &archive.BufferedFile{Name: name, Data: data})
	}
	return list, nil
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
