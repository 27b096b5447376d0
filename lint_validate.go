//go:build !playground

package weft

import (
	"strconv"
	"strings"

	"weft/internal/check/kubernetes"
	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// SchemaCache keeps schemas of Kubernetes for as long as their files stay the same. The zero value
// is ready for use. Goroutines may share it.
type SchemaCache struct{ cache kubernetes.Cache }

// openSchemas are schemas that are open, by version and places.
type openSchemas map[string]*kubernetes.Schemas

// check reports a version that is none, which needs no rendering to be seen.
func (v Validation) check() error {
	if v.Kubernetes == "" {
		return nil
	}
	return public(kubernetes.CheckVersion(v.Kubernetes))
}

// failed is why there are no schemas, where the project names the version if it does.
func (v Validation) failed(err error) error {
	list := diag.Of(err)
	if v.files == nil || len(list) != 1 || list[0].At.IsValid() {
		return public(err)
	}
	d := *list[0]
	d.At = v.at
	return &Error{files: v.files, list: diag.List{&d}}
}

// validate holds the documents of an environment to schemas, if its options say so.
func (l *Linter) validate(
	opts Options, made *engine.Result,
) (found diag.List, files *source.Set, err error) {
	v := opts.Validate
	if v.Kubernetes == "" {
		return nil, made.Files, nil
	}
	key := strings.Join(append([]string{v.Kubernetes, strconv.Itoa(v.held)}, v.Schemas...), "\x00")
	schemas := l.schemas[key]
	if schemas == nil {
		schemas, err = kubernetes.Open(kubernetes.Options{
			Version: v.Kubernetes, Locations: v.Schemas, Held: v.held, Cache: &l.what.Cache.cache,
			Files: kubernetes.Files{FS: opts.FS, Reads: opts.Reads, Stays: v.stays},
		})
		if err != nil {
			return nil, made.Files, v.failed(err)
		}
		l.schemas[key] = schemas
	}
	l.validates = true
	found, files = lint.Kubernetes(lint.Validation{
		Schemas: schemas, Docs: made.Docs, Origins: made.Origins, Files: made.Files,
		Secrets: made.Secrets, Written: opts.settled().Keep&KeepLiterals != 0,
	})
	return found, files, nil
}
