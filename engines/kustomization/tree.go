package kustomization

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"weft/engines/files"
	"weft/internal/project/engines/wire"
)

// mount is the directory at which kustomize sees the repository. It is not the root directory, where a path
// with too many `..` would end in the repository again.
const mount = "/repository"

// What one build may read. The largest of 2,500 real kustomizations loads 120 kustomizations.
const (
	maxKustomizations = 2_000
	maxReads          = 100_000
	maxBytes          = 512 << 20
	maxDepth          = 100       // directories of a path
	maxNodes          = 1_000_000 // that the aliases of a file stand for; kustomize copies them
)

// tree is the repository as kustomize sees it.
type tree struct {
	filesys.FileSystem // refuses to write
	files              *files.System
	variant            *variant
	refused            *wire.Error // why the build must not go on

	kustomizations []string // files that the first build has read, in this order
	roles          roles
	reads          reads
}

// reads counts what a build has read.
type reads struct{ kustomizations, files, bytes int }

func newTree(f *files.System) *tree { return &tree{FileSystem: f, files: f, roles: roles{}} }

// inside returns a path of the repository for one of kustomize's, which also tries whether text is a path.
func (t *tree) inside(name string) (string, bool) {
	if len(name) > 4096 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", false
	}
	name = path.Clean(filepath.ToSlash(name))
	if name == mount {
		return "", true
	}
	rest, ok := strings.CutPrefix(name, mount+"/")
	if !utf8.ValidString(rest) {
		return "", false
	}
	if strings.Count(rest, "/") > maxDepth {
		t.refuse(&wire.Error{
			Code:    wire.CodeLimit,
			Message: fmt.Sprintf("a path has more than %d directories: %.60s…", maxDepth, rest),
		})
		ok = false
	}
	return rest, ok
}

// refuse ends the build. The first reason counts.
func (t *tree) refuse(e *wire.Error) error {
	if t.refused == nil {
		t.refused = e
	}
	return e
}

func (t *tree) IsDir(name string) bool {
	short, ok := t.inside(name)
	return ok && t.refused == nil && t.files.IsDir(short)
}

func (t *tree) Exists(name string) bool {
	short, ok := t.inside(name)
	return ok && t.refused == nil && t.files.Exists(short)
}

// ReadFile returns the bytes of a file, as the variant has them.
func (t *tree) ReadFile(name string) ([]byte, error) {
	short, ok := t.inside(name)
	if t.refused != nil {
		return nil, t.refused
	}
	if !ok {
		return nil, errMissing
	}
	text, err := t.files.ReadFile(short)
	if err != nil {
		return nil, errMissing
	}
	t.reads.files++
	t.reads.bytes += len(text)
	if t.reads.files > maxReads || t.reads.bytes > maxBytes {
		return nil, t.refuse(&wire.Error{Code: wire.CodeLimit, Message: "the kustomization reads too many files"})
	}
	if explodes(text) {
		return nil, t.refuse(&wire.Error{
			Code: wire.CodeLimit, File: short,
			Message: fmt.Sprintf("its aliases stand for more than %d nodes", maxNodes),
		})
	}
	if slices.Contains(konfig.RecognizedKustomizationFileNames(), path.Base(short)) {
		return t.readKustomization(short, text)
	}
	if t.variant != nil && t.variant.file != nil {
		return t.variant.file(short, text), nil
	}
	return text, nil
}

// text returns the bytes of a file of the repository, or nil. Names of kustomizations may be anything.
func (t *tree) text(name string) []byte {
	short, ok := t.inside(path.Join(mount, name))
	if !ok {
		return nil
	}
	text, err := t.files.ReadFile(short)
	if err != nil {
		return nil
	}
	return text
}

// readKustomization checks a kustomization before kustomize sees it.
func (t *tree) readKustomization(name string, text []byte) ([]byte, error) {
	if t.reads.kustomizations++; t.reads.kustomizations > maxKustomizations {
		return nil, t.refuse(&wire.Error{
			Code: wire.CodeLimit, File: name,
			Message: fmt.Sprintf("more than %d kustomizations are built", maxKustomizations),
		})
	}
	if t.variant == nil {
		if e := refusal(name, text); e != nil {
			return nil, t.refuse(e)
		}
		if !slices.Contains(t.kustomizations, name) {
			t.kustomizations = append(t.kustomizations, name)
		}
	}
	k, err := decode(text)
	if err != nil {
		return text, nil // kustomize reports it
	}
	customSchema = customSchema || len(k.OpenAPI) > 0
	if t.variant == nil {
		t.roles.add(path.Dir(name), k)
		return text, nil
	}
	if t.variant.kustomization != nil {
		t.variant.kustomization(name, k)
		return json.Marshal(k)
	}
	return text, nil
}

// CleanedAbs returns the directory of a path, and the name of the file in it if it is one.
func (t *tree) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	name = path.Clean(filepath.ToSlash(name))
	switch {
	case t.IsDir(name):
		return filesys.ConfirmedDir(filepath.FromSlash(name)), "", nil
	case t.Exists(name):
		return filesys.ConfirmedDir(filepath.FromSlash(path.Dir(name))), path.Base(name), nil
	case t.refused != nil:
		return "", "", t.refused
	}
	return "", "", errMissing
}

// ReadDir, Walk, Glob and Open are for plugins and `kustomize edit`, which do not run.
func (t *tree) ReadDir(string) ([]string, error)     { return nil, errNotUsed }
func (t *tree) Walk(string, filepath.WalkFunc) error { return errNotUsed }
func (t *tree) Glob(string) ([]string, error)        { return nil, errNotUsed }
func (t *tree) Open(string) (filesys.File, error)    { return nil, errNotUsed }

// errMissing is the error about a file. Its text is part of kustomize's errors: see explain.
var errMissing = errors.New("no such file")

var errNotUsed = fmt.Errorf("kustomizations read single files only")

// shorten returns a text with paths as they are in the repository.
func shorten(text string) string {
	text = strings.ReplaceAll(filepath.ToSlash(text), mount+"/", "")
	return strings.ReplaceAll(text, mount, ".")
}

// role is what a file is for. A file can have several.
type role int

const (
	resource role = 1 << iota // a resource, a patch, a configuration of a transformer or a generator
	data                      // text for a ConfigMap or a Secret
)

// roles are the files that kustomizations name.
type roles map[string]role

func (r roles) add(dir string, k *types.Kustomization) {
	note := func(name string, what role) { r[path.Join(dir, filepath.ToSlash(name))] |= what }
	for _, list := range [][]string{k.Resources, k.Generators, k.Transformers} {
		for _, name := range list {
			note(name, resource)
		}
	}
	for _, name := range k.PatchesStrategicMerge {
		note(string(name), resource)
	}
	for _, p := range slices.Concat(k.Patches, k.PatchesJson6902) {
		note(p.Path, resource)
	}
	for _, c := range k.ConfigMapGenerator {
		r.addSources(note, c.KvPairSources)
	}
	for _, s := range k.SecretGenerator {
		r.addSources(note, s.KvPairSources)
	}
}

func (r roles) addSources(note func(string, role), s types.KvPairSources) {
	for _, name := range slices.Concat(s.FileSources, s.EnvSources, []string{s.EnvSource}) {
		if _, after, ok := strings.Cut(name, "="); ok {
			name = after
		}
		note(name, data)
	}
}
