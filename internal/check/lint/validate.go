//go:build !playground

package lint

import (
	"strconv"
	"strings"

	"weft/internal/check/kubernetes"
	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
)

// SchemaCache keeps Kubernetes schemas for as long as their files stay the same. The zero value is
// ready to use. It is safe for concurrent use.
type SchemaCache struct{ cache kubernetes.Cache }

// openSchemas are open schemas, by version and locations.
type openSchemas map[string]*kubernetes.Schemas

// Check returns an error for an invalid version, without rendering.
func (s *Schemas) Check() error {
	if s.Version == "" {
		return nil
	}
	return kubernetes.CheckVersion(s.Version)
}

// Open finds the schemas. Each is read when an object needs it.
func (s *Schemas) Open(cache *SchemaCache) (*kubernetes.Schemas, error) {
	schemas, err := kubernetes.Open(kubernetes.Options{
		Version: s.Version, Locations: s.Locations, FromProject: s.FromProject, Cache: &cache.cache,
		Files: kubernetes.Files{FS: s.FS, Reads: s.Reads, CheckPath: s.CheckPath},
	})
	if err != nil {
		return nil, s.failed(err)
	}
	return schemas, nil
}

// failed returns an error about missing schemas, at the place where the project names the version,
// if it does.
func (s *Schemas) failed(err error) error {
	list := diag.Of(err)
	if s.Files == nil || len(list) != 1 || list[0].At.IsValid() {
		return err
	}
	d := *list[0]
	d.At = s.At
	return &diag.Failure{Files: s.Files, List: diag.List{&d}}
}

// validate checks the documents of an environment against its schemas, if it has any.
func (l *Linter) validate(
	env *Environment, res *engine.Result,
) (found diag.List, files *source.Set, err error) {
	s := &env.Schemas
	if s.Version == "" {
		return nil, res.Files, nil
	}
	key := strings.Join(append([]string{s.Version, strconv.Itoa(s.FromProject)}, s.Locations...), "\x00")
	schemas := l.schemas[key]
	if schemas == nil {
		if schemas, err = s.Open(l.options.Cache); err != nil {
			return nil, res.Files, err
		}
		l.schemas[key] = schemas
	}
	l.validates = true
	found, files = validated(runOutput{
		Schemas: schemas, Docs: res.Docs, Origins: res.Origins, Files: res.Files,
		Secrets: res.Secrets, Written: env.Keep&keep.Literals != 0,
	})
	return found, files, nil
}
