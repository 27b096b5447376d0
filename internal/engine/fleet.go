package engine

import (
	"context"
	"time"

	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/source"
)

// Environment is one of the environments that a project is rendered for.
type Environment struct {
	Name   string
	Values string // path of its data values, plain YAML

	// Project is the data values that the project file sets for it; then Values is not used. All data
	// values of the command line override them.
	Project *values.ProjectValues

	// Test is the data values of a test, in addition to Project. They override all files; other data
	// values of the command line override them.
	Test *values.ProjectValues
}

// Rendered is the result of an environment.
type Rendered struct {
	Result *Result
	Err    error
	Prints []string
	Took   time.Duration
	Kept   bool // the result is kept for the next rendering
}

// Fleet renders a project for many environments, each as Evaluate would, and as many at a time as
// there are processors. The values of an environment override those of files; all others on the
// command line override the environment's. There are n environments. env(i) is called when
// environment i begins, and each as soon as it is done, both from several goroutines at a time. An
// error is about something that all environments share, or the context's.
func (s *Session) Fleet(
	ctx context.Context,
	req Request,
	n int,
	env func(i int) (Environment, error),
	each func(i int, r Rendered),
) error {
	// If code does not compile, all environments fail. Each environment reports other errors itself,
	// because its data values may fix them.
	if err := s.Compile(ctx); err != nil {
		return err
	}
	s.points()
	f := fleet{session: s, request: req}
	if err := f.share(ctx); err != nil {
		return s.config.Fail(ctx, s.files, err)
	}
	if _, err := s.readOverrides(ctx); err != nil {
		return s.config.Fail(ctx, s.files, err)
	}
	s.config.Workers.Each(n, func(i int) {
		if ctx.Err() != nil {
			return
		}
		e, err := env(i)
		r := Rendered{Err: err}
		if err == nil {
			r = f.render(shortcut.InEnvironment(ctx, e.Name), e)
		}
		if ctx.Err() == nil {
			each(i, r)
		}
	})
	if ctx.Err() != nil {
		return ended(ctx, nil, s.files)
	}
	return nil
}

// fleet is the environments that are rendered together.
type fleet struct {
	session *Session
	request Request
	*sharedLayers
}

// sharedLayers are the layers that environments share.
type sharedLayers struct{ before, after *Layers }

// share reads the layers that environments share, once per session.
func (f *fleet) share(ctx context.Context) (err error) {
	s := f.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shared == nil {
		if s.shared, err = s.readShared(ctx); err != nil {
			return err
		}
	}
	f.sharedLayers = s.shared
	return nil
}

func (s *Session) readShared(ctx context.Context) (*sharedLayers, error) {
	all := s.config.Values
	below, above := values.Flags{Files: all.Files, Texts: all.Texts}, all
	above.Files, above.Texts, above.Project = nil, nil, nil
	before, err := s.layers(ctx, s.files, below, "")
	if err != nil {
		return nil, err
	}
	after, err := s.layers(ctx, s.files, above, "")
	return &sharedLayers{before, after}, err
}

// render renders one environment.
func (f *fleet) render(ctx context.Context, env Environment) Rendered {
	began := time.Now()
	s := f.session
	// Each environment adds files to its own set, so that their order does not depend on other
	// goroutines.
	files := s.files.Fork()
	key := env.key()
	kept := s.environments.take(key)
	defer s.environments.put(key, kept)
	layers, err := f.layersOf(ctx, files, env, kept)
	if err != nil {
		return Rendered{Err: s.config.failure(files, err), Took: time.Since(began)}
	}
	layers.files = files
	var done Rendered
	req := f.request
	req.Layers, req.environment = layers, kept
	req.Print = func(line string) { done.Prints = append(done.Prints, line) }
	done.Result, done.Err = s.Evaluate(ctx, req)
	done.Took, done.Kept = time.Since(began), kept != nil && kept.last != nil
	return done
}

// layers returns the data values of an environment, and those that all environments share.
func (f *fleet) layers(ctx context.Context, files *source.Set, env Environment) (*Layers, error) {
	s := f.session
	if env.Project == nil {
		envLayers, err := s.layers(ctx, files, values.Flags{Files: []string{env.Values}}, "--env")
		if err != nil {
			return nil, err
		}
		return f.after.Over(envLayers.Over(f.before)), nil
	}
	envLayers, err := s.layers(ctx, files, values.Flags{Project: env.Project}, "")
	if err != nil {
		return nil, err
	}
	below := f.before.Over(envLayers)
	test := &Layers{}
	if env.Test != nil {
		if test, err = s.layers(ctx, files, values.Flags{Project: env.Test}, ""); err != nil {
			return nil, err
		}
		below = test.Over(below)
	}
	all := f.after.Over(below)
	all.tested = test.docs
	return all, s.require(env.Project, all)
}
