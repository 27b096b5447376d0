//go:build !playground

package workspace

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"weft/internal/check/jsonschema"
	"weft/internal/check/kubernetes"
	"weft/internal/lang/tree"
)

// Kubernetes is what is known about the objects of a view: the schemas that `weft lint` uses, the custom
// resources that the output and vendored sources define, and the types of the objects in the output.
type Kubernetes struct {
	// Err is why there are no schemas of Kubernetes. It is nil if the project names none.
	Err error
	// Named reports whether the project names a version of Kubernetes.
	Named bool

	without *kubernetes.Schemas // without the custom resources that the output defines
	schemas *kubernetes.Schemas
	types   []kubernetes.Type
	objects []kubernetes.Object // in the output

	structure int
	of        *Outcome
}

// Kubernetes returns what is known about the objects of the view. Schemas are found once, and again when
// files were added or settings changed; each is read when it is first needed.
func (v *View) Kubernetes(s *Snapshot) *Kubernetes {
	v.kubernetes.Lock()
	defer v.kubernetes.Unlock()
	out := v.Latest()
	if good := v.LastGood(); good != nil && (out == nil || out.Failed) || out != nil && out.Result == nil {
		out = good
	}
	was := v.objects
	if was != nil && was.structure == s.structure && was.of == out {
		return was
	}
	k := &Kubernetes{structure: s.structure, of: out}
	if was != nil && was.structure == s.structure {
		k.Err, k.Named, k.without = was.Err, was.Named, was.without
	} else {
		k.open(v, s)
	}
	k.schemas = k.without
	if out != nil && out.Result != nil {
		k.schemas = k.schemas.With(out.Result.Docs, out.Result.Files)
		k.objects = objectsOf(out.Result.Docs)
	} else { // nothing is evaluated yet
		left := maxSearched
		for _, dir := range v.opts.Inputs {
			k.schemas = withFiles(k.schemas, s.Files(), dir, &left)
		}
	}
	k.types = k.schemas.Types()
	v.objects = k
	return k
}

// open finds the schemas that the project names, and the custom resources of its vendored sources.
func (k *Kubernetes) open(v *View, s *Snapshot) {
	opts := v.Options()
	opts.FS = s.Files()
	named := opts.Linting().Schemas
	k.without = kubernetes.Custom()
	if k.Named = named.Version != ""; k.Named {
		found, err := named.Open(&v.folder.schemas)
		if k.Err = err; err == nil {
			k.without = found
		}
	}
	left := maxSearched
	for _, l := range opts.Libraries {
		if l.Problem == "" {
			k.without = withFiles(k.without, opts.FS, l.Dir, &left)
		}
	}
}

// maxSearched limits how many bytes of files are searched for custom resources.
const maxSearched int64 = 32 << 20

// withFiles adds the custom resources that the files of a folder define.
func withFiles(to *kubernetes.Schemas, files fs.FS, dir string, left *int64) *kubernetes.Schemas {
	dir = path.Clean(filepath.ToSlash(dir))
	_ = fs.WalkDir(files, dir, func(name string, d fs.DirEntry, err error) error {
		ext := path.Ext(name)
		if err != nil || !d.Type().IsRegular() || ext != ".yml" && ext != ".yaml" {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if *left -= info.Size(); *left < 0 {
			return fs.SkipAll
		}
		if text, err := fs.ReadFile(files, name); err == nil {
			to = to.WithFile(name, text)
		}
		return nil
	})
	return to
}

// maxObjects limits how many objects of the output are looked at.
const maxObjects = 10_000

// objectsOf returns the objects of documents.
func objectsOf(docs []tree.Doc) (list []kubernetes.Object) {
	for i := range docs {
		if len(list) > maxObjects {
			break
		}
		list = append(list, kubernetes.Objects(docs[i].Value)...)
	}
	return list
}

// Types returns the types that there are schemas for, the most common ones first. Requests share them, so
// what one appends goes into a copy.
func (k *Kubernetes) Types() []kubernetes.Type { return slices.Clip(k.types) }

// Find returns what the schema of a type says and where it is from, or nil if there is none. Without an
// apiVersion, the objects of the output decide which version is meant, then the preferred one counts.
func (k *Kubernetes) Find(t kubernetes.Type) (o jsonschema.Outline, of kubernetes.Type, from string) {
	if t.APIVersion == "" {
		t = k.complete(t)
	}
	if s, err := k.schemas.Find(t); err == nil && s != nil {
		return s.Outline(), t, s.Name()
	}
	for _, other := range k.versions(t) {
		if s, err := k.schemas.Find(other); err == nil && s != nil {
			return s.Outline(), other, s.Name()
		}
	}
	return nil, t, ""
}

// versions returns the other versions of a type that there are schemas for, the preferred one first: much of one
// is right for another.
func (k *Kubernetes) versions(t kubernetes.Type) (list []kubernetes.Type) {
	for _, other := range k.types {
		if other != t && other.Kind == t.Kind && path.Dir(other.APIVersion) == path.Dir(t.APIVersion) {
			list = append(list, other)
		}
	}
	return list
}

func (k *Kubernetes) complete(t kubernetes.Type) kubernetes.Type {
	for i := range k.objects {
		if k.objects[i].Kind == t.Kind && k.objects[i].APIVersion != "" {
			return k.objects[i].Type
		}
	}
	if found, ok := kubernetes.Of(k.types, t.Kind); ok {
		return found
	}
	return t
}
