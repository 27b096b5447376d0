package engine

import (
	"context"
	"sync"

	"weft/internal/engine/values"
	"weft/internal/lang/source"
)

// maxKept is the maximum number of files, over all environments, whose results are kept. Results
// beyond it are dropped, so that memory does not grow with the number of environments.
const maxKept = 20_000

// keptFleet is what environments keep for their next rendering, in a session that is reloaded. It
// is nil in others.
type keptFleet struct {
	mu    sync.Mutex
	envs  map[string]*keptEnvironment
	files int  // the number of files whose results are kept, in all environments
	moved bool // the next session has it
}

// keptEnvironment is what an environment keeps for its next rendering. One rendering uses it at a
// time.
type keptEnvironment struct {
	layers        *Layers  // nil if one of their files has changed
	dirs          []string // the files and directories that they are read from
	own           []*source.File
	base          int // how many files come before those
	before, after *Layers
	last          *last
	size          int // how many files are kept for it
}

// take returns what the last rendering of an environment kept: see Environment.key. Nothing else has it until
// it is put back.
func (k *keptFleet) take(key string) *keptEnvironment {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.envs[key]
	if e == nil {
		return &keptEnvironment{}
	}
	delete(k.envs, key)
	return e
}

// put keeps an environment for its next rendering, unless files have changed in the meantime.
func (k *keptFleet) put(key string, e *keptEnvironment) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.moved {
		return
	}
	if was := k.envs[key]; was != nil {
		k.files -= was.size
	}
	if k.envs == nil {
		k.envs = map[string]*keptEnvironment{}
	}
	k.envs[key] = e
}

// key identifies the data values of an environment, except the content of their files.
func (env Environment) key() string {
	k := keyWriter{content: true}
	k.string(env.Name)
	k.string(env.Values)
	for _, p := range []*values.ProjectValues{env.Project, env.Test} {
		k.flags(p != nil)
		if p != nil {
			k.plain(*p)
		}
	}
	return string(k.text)
}

// keyOf returns the key of data values that flags set.
func keyOf(flags *values.Flags) string {
	k := keyWriter{content: true}
	k.values(flags)
	return string(k.text)
}

// next returns what is still valid after files have changed. Layers with a changed file are read
// again.
func (k *keptFleet) next(has func(layers *Layers, dirs []string) bool) *keptFleet {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	next := &keptFleet{envs: k.envs}
	k.envs, k.moved = nil, true
	for _, e := range next.envs {
		next.files += e.size
		if e.layers != nil && has(e.layers, e.dirs) {
			e.layers = nil
		}
	}
	return next
}

// keep decides whether the result of an environment is kept, as far as there is room.
func (k *keptFleet) keep(e *keptEnvironment, res *last) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.files -= e.size
	e.last, e.size = nil, 0
	if res != nil && k.files+res.files.Len() <= maxKept {
		e.last, e.size = res, res.files.Len()
		k.files += e.size
	}
}

// layersIn returns the layers of an environment that is rendered with these files, or nil if they
// must be read.
func (e *keptEnvironment) layersIn(f *fleet, files *source.Set) *Layers {
	if e == nil || e.layers == nil || e.before.id != f.before.id || e.after.id != f.after.id ||
		e.base != files.Len() {
		return nil
	}
	files.Take(e.own)
	again := *e.layers
	return &again
}

// layersOf returns the layers of an environment, kept or read again.
func (f *fleet) layersOf(
	ctx context.Context, files *source.Set, env Environment, e *keptEnvironment,
) (*Layers, error) {
	if layers := e.layersIn(f, files); layers != nil {
		return layers, nil
	}
	base := files.Len()
	layers, err := f.layers(ctx, files, env)
	if err == nil && e != nil {
		e.layers, e.before, e.after = layers, f.before, f.after
		e.base, e.own = base, files.From(base)
		e.dirs = append(append(layerPaths(env.Project), layerPaths(env.Test)...), env.Values)
	}
	return layers, err
}

// EvaluateWith evaluates the session with the data values of flags instead of those of the command
// line, and returns the layers of these values too. As with an environment, its result is kept for
// the next session.
func (s *Session) EvaluateWith(
	ctx context.Context, flags values.Flags, print func(line string),
) (*Result, *Layers, error) {
	key := keyOf(&flags)
	kept := s.environments.take(key)
	defer s.environments.put(key, kept)
	layers, err := s.layersWith(ctx, flags, kept)
	if err != nil {
		return nil, nil, err
	}
	res, err := s.Evaluate(ctx, Request{Layers: layers, Print: print, environment: kept})
	return res, layers, err
}

// layersWith returns data values from flags, kept or read again.
func (s *Session) layersWith(
	ctx context.Context, flags values.Flags, e *keptEnvironment,
) (*Layers, error) {
	if e == nil {
		return s.Layers(ctx, flags)
	}
	if _, err := s.readOverrides(ctx); err != nil { // as in Layers
		return nil, s.config.Fail(ctx, s.files, err)
	}
	if files := s.files.Fork(); e.layers != nil && e.base == files.Len() {
		files.Take(e.own)
		return e.layers.withFiles(files), nil
	}
	base := s.files.Len()
	layers, err := s.Layers(ctx, flags)
	if err == nil {
		e.layers, e.base, e.own = layers, base, layers.files.From(base)
		e.dirs = append(layerPaths(flags.Project), flags.Files...)
	}
	return layers, err
}
