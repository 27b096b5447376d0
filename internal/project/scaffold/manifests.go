package scaffold

import (
	"path"
	"slices"
)

// maxFolders is how many folders of manifests are added to a draft. A repository with more keeps them for
// something else.
const maxFolders = 20

// plain returns folders of manifests that belong to no kustomization and no chart, and the files that are in
// none of them. All files of such a folder are manifests, or it has the name of an environment, as
// clusters/prod.
func (r *repository) plain(f *found) (list []source, left []string) {
	objects := map[string]bool{}
	var files []string
	for _, x := range f.files {
		if x.kind == plainFile && x.manifest && !r.covers(x.path) && !slices.Contains(r.helmfiles.values, x.path) {
			objects[x.path] = x.object
			files = append(files, x.path)
		}
	}
	impure := r.impureDirs(objects)
	folders := map[string]int{} // positions in list
	for _, file := range files {
		dir := path.Dir(file)
		for !impure[dir] && !impure[path.Dir(dir)] && !slices.Contains(overlayDirs, path.Base(path.Dir(dir))) {
			dir = path.Dir(dir)
		}
		at, known := folders[dir]
		if !known {
			s := source{kind: manifests, dir: dir, inputs: []string{dir}}
			if !s.place(false) || impure[dir] && s.env == "" {
				left = append(left, file)
				continue
			}
			if impure[dir] {
				s.inputs = nil
			}
			at = len(list)
			list, folders[dir] = append(list, s), at
		}
		s := &list[at]
		if s.files = append(s.files, file); impure[dir] {
			s.inputs = append(s.inputs, file)
		}
	}
	if len(list) > maxFolders {
		return nil, files
	}
	return list, left
}

// impureDirs returns the directories with files, in them or below, that are not objects of Kubernetes.
func (r *repository) impureDirs(objects map[string]bool) map[string]bool {
	impure := map[string]bool{".": true}
	for _, file := range r.all {
		if objects[file] {
			continue
		}
		for dir := path.Dir(file); !impure[dir]; dir = path.Dir(dir) {
			impure[dir] = true
		}
	}
	for _, dir := range slices.Concat(r.charts, r.libraries) { // whose files are not walked
		for ; !impure[dir]; dir = path.Dir(dir) {
			impure[dir] = true
		}
	}
	return impure
}
