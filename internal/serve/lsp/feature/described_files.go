package feature

import (
	"path"
	"slices"
	"strings"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// fits reports whether a file or a folder is of the kind that a path must lead to.
type fits func(name string, folder bool) bool

func isFolder(_ string, folder bool) bool { return folder }

func isProject(name string, folder bool) bool { return !folder && path.Base(name) == "weft.yml" }

// ends returns what fits files with one of these extensions.
func ends(extensions ...string) fits {
	return func(name string, folder bool) bool { return !folder && slices.Contains(extensions, path.Ext(name)) }
}

// isPlainYAML reports whether a file is YAML that is not one of the project's inputs.
func (d *described) isPlainYAML(name string, folder bool) bool {
	if !ends(".yml", ".yaml")(name, folder) || isProject(name, folder) {
		return false
	}
	all, _, err := d.doc.Index(d.ctx, false)
	return err != nil || !slices.ContainsFunc(all.Sources, func(s *index.Source) bool {
		return s.Path == name && s.Input != ""
	})
}

// How many folders below the one of a path are looked at, and how many files.
const (
	maxFolders = 2
	maxFiles   = 2000
)

// files returns the files and folders that continue a path, which is relative to the document. Those that
// fit come first, also from folders below.
func (d *described) files(c *outline.Cursor, fit fits) (items []outline.Item) {
	if !isScalar(c) {
		return nil
	}
	typed := ""
	if i := strings.LastIndexByte(c.Word, '/'); i >= 0 {
		typed = c.Word[:i+1]
	}
	base := path.Dir(d.doc.Path())
	if dir := path.Join(base, typed); strings.HasPrefix(dir, "..") || path.IsAbs(typed) {
		return nil
	}
	seen := 0
	var list func(prefix string, depth int)
	list = func(prefix string, depth int) {
		entries, err := d.doc.Snapshot().Files().ReadDir(path.Join(base, prefix))
		if err != nil {
			return
		}
		for _, e := range entries {
			if seen++; strings.HasPrefix(e.Name(), ".") || seen > maxFiles || len(items) >= maxNamed ||
				e.Name() == "node_modules" {
				continue
			}
			name := prefix + e.Name()
			good := fit == nil && depth == 0 || fit != nil && fit(path.Join(base, name), e.IsDir())
			if good || depth == 0 {
				items = append(items, fileItem(name, e.IsDir(), good))
			}
			if e.IsDir() && depth < maxFolders && fit != nil {
				list(name+"/", depth+1)
			}
		}
	}
	list(typed, 0)
	return items
}

func fileItem(name string, folder, good bool) outline.Item {
	it := word(name, "", protocol.CompleteFile)
	if folder {
		it.Detail, it.Kind = "folder", protocol.CompleteFolder
	}
	if !good {
		it.Rank = outline.Other
	}
	return it
}
