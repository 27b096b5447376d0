package scaffold

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	lang "weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/project/engines"
	"weft/internal/project/engines/wire"
)

// Built is what Helm and kustomize print for the sources of a draft, without weft: no weft.yml is read, and
// Kubernetes' own reader compares it with what weft prints.
type Built struct {
	engines *engines.Engines
	files   *engines.Files
	docs    map[string][]document // by environment
}

// document is a document as Kubernetes reads it.
type document struct {
	name string // such as Deployment/web
	sum  [sha256.Size]byte
}

// Build builds the sources of a draft with the program weft-engines. It returns a draft without those that
// fail, with notes that say why, or nil if none is left. The error is that of the program or the context.
func (d *Draft) Build(ctx context.Context, program string) (*Built, *Draft, error) {
	own := engines.New(program)
	p, err := project.Open(project.Options{
		Path: filepath.FromSlash(path.Join(d.Dir, project.FileName)),
		Text: []byte("weft: 2026\n"), Engines: own,
	})
	if err != nil {
		return nil, nil, err
	}
	bounds := p.Bounds()
	b := &Built{engines: own, docs: map[string][]document{}, files: engines.NewFiles(engines.Repository{
		Root: p.Relative(p.Root()),
		Allow: func(path string) error {
			if d := bounds.CheckInside(path, lang.Span{}); d != nil {
				return d
			}
			return nil
		},
	})}
	left := failures{}
	var good []source
	for _, s := range d.sources {
		docs, err := b.build(ctx, &s, d.Dir)
		failed, ok := errors.AsType[*wire.Error](err)
		switch {
		case ok && failed.Code != wire.CodeLimit:
			left.add(s, failed)
			continue
		case err != nil:
			b.Close()
			return nil, nil, err
		case s.random != "":
			if name := s.name + " (" + s.random + ")"; !slices.Contains(left.random, name) {
				left.random = append(left.random, name)
			}
		}
		b.docs[s.env] = append(b.docs[s.env], docs...)
		good = append(good, s)
	}
	notes := append(slices.Clone(d.Notes), left.notes()...)
	if len(good) == 0 {
		return b, nil, nil
	}
	return b, &Draft{Dir: d.Dir, Text: planOf(good).text(), Notes: notes, sources: good}, nil
}

// Context returns a context in which the project of the draft uses the same program, and what it built.
func (b *Built) Context(ctx context.Context) context.Context { return engines.With(ctx, b.engines) }

// Close ends the program.
func (b *Built) Close() { b.engines.Close() }

// build returns the documents of a source. If a chart has random results, they are seeded, and the source
// says so.
func (b *Built) build(ctx context.Context, s *source, dir string) ([]document, error) {
	if s.kind == manifests {
		return b.read(ctx, b.texts(s.files, dir))
	}
	where, err := b.files.Name(filepath.FromSlash(path.Join(dir, s.dir)))
	if err != nil {
		return nil, &wire.Error{Message: err.Error()}
	}
	r := &wire.Request{Kustomization: &wire.Kustomization{Path: where}}
	if s.kind == chart {
		r = &wire.Request{Chart: &wire.Chart{
			Path: where, Release: cmp.Or(s.release, s.name), Namespace: cmp.Or(s.namespace, "default"),
			Kubernetes: clusterVersion, CRDs: true, Hooks: true, Order: wire.Helm4, Random: wire.RandomError,
		}}
		for i, text := range b.texts(s.values, dir) {
			r.Chart.Values = append(r.Chart.Values, wire.ValuesFile{Name: s.values[i], Text: text})
		}
	}
	res, err := b.engines.Render(ctx, r, b.files)
	if err == nil && res.Error != nil && res.Error.Code == wire.CodeRandom {
		s.random = place(res.Error)
		r.Chart.Random = wire.RandomSeeded
		res, err = b.engines.Render(ctx, r, b.files)
	}
	if err != nil {
		return nil, err
	}
	if res.Error != nil {
		return nil, res.Error
	}
	var texts []string
	for i := range res.Docs {
		texts = append(texts, res.Docs[i].Text)
	}
	return b.read(ctx, texts)
}

// texts returns the texts of files. One that cannot be read is empty: weft reports it better.
func (b *Built) texts(names []string, dir string) []string {
	var list []string
	for _, name := range names {
		name := filepath.FromSlash(path.Join(dir, name))
		var text []byte
		if b.files.Allow(name) == nil {
			text, _ = os.ReadFile(name)
		}
		list = append(list, string(text))
	}
	return list
}

// read returns the documents of texts as Kubernetes reads them.
func (b *Built) read(ctx context.Context, texts []string) (list []document, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	res, err := b.engines.Render(ctx, &wire.Request{Read: texts}, b.files)
	if err != nil {
		return nil, err
	}
	if res.Error != nil {
		return nil, res.Error
	}
	for i := range res.Docs {
		text := []byte(res.Docs[i].Text)
		var head struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		}
		_ = json.Unmarshal(text, &head) // what is no object has no name
		name := strings.Trim(head.Kind+"/"+head.Metadata.Name, "/")
		list = append(list, document{cmp.Or(name, "a document"), sha256.Sum256(text)})
	}
	return list, nil
}

// Documents returns the number of documents of an environment.
func (b *Built) Documents(env string) int { return len(b.docs[env]) }

// Compare returns the names of the documents of an environment that weft prints otherwise than Helm and
// kustomize. The order of documents does not count.
func (b *Built) Compare(ctx context.Context, env, printed string) ([]string, error) {
	docs, err := b.read(ctx, []string{printed})
	if err != nil {
		return nil, err
	}
	count := map[document]int{}
	for _, d := range b.docs[env] {
		count[d]++
	}
	for _, d := range docs {
		count[d]--
	}
	differ := map[string]bool{}
	for d, n := range count {
		if n != 0 {
			differ[d.name] = true
		}
	}
	return slices.Sorted(maps.Keys(differ)), nil
}
