package fleet

import (
	"cmp"
	"context"
	"sync"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/parallel"
)

// Run is an environment of a project and the options to render it with.
type Run struct {
	Name    string
	Options Options
}

// Runs are environments of a project, and the options to render each with. Options is called when the
// options are needed: up to twice for each environment, and from several goroutines. The options are
// not kept, so memory does not grow with the number of environments.
type Runs struct {
	Names   []string
	Options func(i int) (Options, error)
	Output  func(i int) Dir // where an environment is written; nil if it is not written
}

func (r Runs) outputOf(i int) Dir {
	if r.Output == nil {
		return Dir{}
	}
	return r.Output(i)
}

// RunsOf returns runs whose options are known.
func RunsOf(list []Run) Runs {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return Runs{Names: names, Options: func(i int) (Options, error) { return list[i].Options, nil }}
}

// RenderAll renders environments of a project, each as Render would. Shared inputs are read and
// compiled once. If an environment fails, the others are not affected.
//
// RenderAll renders at most Limits.Parallelism environments at a time, taken from the first run.
// It calls each(i, r) as soon as environment i is done, from several goroutines at a time, and
// keeps no results. The error is that of the context, or one about the inputs if all environments
// share them.
func RenderAll(ctx context.Context, runs Runs, each func(i int, r Rendered)) error {
	groups := groupRuns(runs, each)
	switch {
	case len(groups) == 0:
		return ctx.Err()
	case len(groups) == 1 && len(groups[0].members) == len(runs.Names):
		return groups[0].renderShared(ctx, runs, each)
	}
	shareStdin(groups)
	common := commonInputs(groups)
	parallel.Workers(groups[0].options.Limits.Parallelism).Each(len(groups), func(i int) {
		if ctx.Err() == nil {
			groups[i].render(ctx, runs, common[groups[i].family], each)
		}
	})
	return ctx.Err()
}

// runGroup is environments that differ only in the data values that the project sets.
type runGroup struct {
	members []int
	options Options // the options of the first environment
	config  engine.Config
	family  groupKey    // identifies groups that can share inputs
	stdin   *load.Stdin // set if several groups may read standard input
}

// groupKey identifies environments that can share a session.
type groupKey struct {
	config string // see engine.Config.QuickKey
	format Format
	cache  *Cache
}

// keyOf returns the key of options with a configuration.
func (o Options) keyOf(config engine.Config) groupKey {
	return groupKey{config.QuickKey(), o.Format, o.Cache}
}

// groupRuns groups environments that can share a session. Environments without options have failed.
func groupRuns(runs Runs, failed func(i int, r Rendered)) []*runGroup {
	var groups []*runGroup
	byKey := map[groupKey]*runGroup{}
	for i := range runs.Names {
		o, err := runs.Options(i)
		if err != nil {
			failed(i, Rendered{Err: err})
			continue
		}
		config := o.Config()
		config.Debug, config.Values.Project = nil, nil
		key := o.keyOf(config)
		g := byKey[key]
		if g == nil {
			g = &runGroup{options: o, config: config, family: o.keyOf(withoutInputs(config))}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.members = append(g.members, i)
	}
	return groups
}

// shareStdin lets groups that share standard input read all of it.
func shareStdin(groups []*runGroup) {
	for i, g := range groups {
		if g.config.Load.Stdin == nil || g.stdin != nil {
			continue
		}
		g.stdin = load.Share(g.config.Load.Stdin)
		for _, other := range groups[i+1:] {
			if load.SameReader(g.config.Load.Stdin, other.config.Load.Stdin) {
				other.stdin = g.stdin
			}
		}
	}
	for _, g := range groups {
		if g.stdin != nil {
			g.config.Load.Stdin = g.stdin.Reader()
		}
	}
}

// withoutInputs returns a configuration without what Session.Variant changes. If comments are kept,
// marks stay: they decide the owners of the comments of a file, and files are shared.
func withoutInputs(config engine.Config) engine.Config {
	config.Load.Paths, config.Load.Exclude = nil, nil
	if config.Keep == 0 {
		config.Load.Marks = nil
	}
	config.Overrides, config.Shortcuts, config.Generators = nil, nil, nil
	return config
}

// sharedInputs is a session with the inputs that several groups share. It is opened when the first
// group needs it, and never evaluated.
type sharedInputs struct {
	options Options
	config  engine.Config
	once    sync.Once
	session *engine.Session
}

// commonInputs returns the sessions that groups share, by their families.
func commonInputs(groups []*runGroup) map[groupKey]*sharedInputs {
	type use struct {
		of   *sharedInputs
		path string
	}
	common := map[groupKey]*sharedInputs{}
	uses := map[use]int{}
	for _, g := range groups {
		c := common[g.family]
		if c == nil {
			c = &sharedInputs{options: g.options, config: withoutInputs(g.config)}
			if g.stdin != nil {
				c.config.Load.Stdin = g.stdin.Reader()
			}
			common[g.family] = c
		}
		for _, p := range g.config.Load.Paths {
			key := use{c, p}
			if uses[key]++; uses[key] == 2 {
				c.config.Load.Paths = append(c.config.Load.Paths, p)
			}
		}
	}
	return common
}

// open returns the session of a group, and its entry in the cache.
func (g *runGroup) open(ctx context.Context, c *sharedInputs) (*engine.Session, *cachedSession, error) {
	k := g.options.kept("group", g.config)
	s, err := k.openAs(ctx, g.config, func(config engine.Config) (*engine.Session, error) {
		c.once.Do(func() { c.session, _ = c.options.Session(ctx, "shared", c.config) })
		if c.session == nil { // then each environment reports the errors in its inputs
			return engine.Open(ctx, config)
		}
		return c.session.Variant(ctx, config)
	})
	return s, k, err
}

// render renders the environments of a group. If their inputs have an error, each environment fails
// with it.
func (g *runGroup) render(
	ctx context.Context,
	runs Runs,
	common *sharedInputs,
	each func(i int, r Rendered),
) {
	s, k, err := g.open(ctx, common)
	if err == nil {
		err = g.fleet(ctx, s, k, runs, each)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	for _, i := range g.members {
		each(i, Rendered{Err: err})
	}
}

// renderShared renders the environments of the only group.
func (g *runGroup) renderShared(
	ctx context.Context, runs Runs, each func(i int, r Rendered),
) error {
	k := g.options.kept("group", g.config)
	s, err := k.open(ctx, g.config)
	if err != nil {
		return err
	}
	return g.fleet(ctx, s, k, runs, each)
}

func (g *runGroup) fleet(
	ctx context.Context, s *engine.Session, k *cachedSession, runs Runs, each func(i int, r Rendered),
) error {
	env := func(n int) (engine.Environment, error) {
		i := g.members[n]
		o, err := runs.Options(i)
		return engine.Environment{
			Name: runs.Names[i], Project: cmp.Or(o.Layers, &values.ProjectValues{}), Test: o.Test,
		}, err
	}
	req := engine.Request{JSON: g.options.Format == JSON}
	inputs := &inputFiles{} // the inputs of all environments
	return s.Fleet(ctx, req, len(g.members), env, func(n int, r engine.Rendered) {
		i := g.members[n]
		done := g.options.rendered(r, k, runs.Names[i])
		if done.Result != nil {
			done.Result.inputs = inputs
		}
		each(i, done)
	})
}
