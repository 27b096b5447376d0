package weft

import (
	"context"
	"fmt"
	"sync"

	"weft/internal/parallel"
	"weft/internal/pipeline"
)

// ProjectRun is an environment of a project and the options to render it with, as Project.Options
// returns them.
type ProjectRun struct {
	Name    string
	Options Options
}

// RenderAll renders environments of a project, each as Render would. Inputs that environments have
// in common are read and compiled once. If an environment fails, the others are not affected.
//
// RenderAll renders at most Options.Parallelism environments at a time, as the first run says. It
// calls each(i, r) as soon as environment i is done, from several goroutines at a time, and keeps no
// results. The error is that of the context, or one of the inputs if all environments have the same.
func RenderAll(ctx context.Context, runs []ProjectRun, each func(i int, r Rendered)) error {
	if len(runs) == 0 {
		return nil
	}
	defer runs[0].Options.Timings.end()
	groups := groupRuns(runs)
	if len(groups) == 1 {
		return groups[0].renderShared(ctx, runs, each)
	}
	common := commonInputs(groups)
	parallel.Workers(runs[0].Options.Parallelism).Each(len(groups), func(i int) {
		if ctx.Err() == nil {
			groups[i].render(ctx, runs, common, each)
		}
	})
	return ctx.Err()
}

// runGroup is environments that differ only in the data values that the project sets.
type runGroup struct {
	members []int
	config  pipeline.Config
	cache   *Cache
	key     string // of the group in the cache
	files   string // the project files, as part of keys
	family  string // what groups have in common whose inputs can be shared
}

// groupRuns puts environments together that can share a session.
func groupRuns(runs []ProjectRun) []*runGroup {
	var groups []*runGroup
	byKey := map[string]*runGroup{}
	for i, run := range runs {
		o := run.Options
		family := familyOf(o)
		key := fmt.Sprintf("%s %q %q %q %v", family, o.Inputs, o.Exclude, o.Marks, o.Overrides)
		g := byKey[key]
		if g == nil {
			g = &runGroup{config: o.config(), cache: o.Cache, key: key, family: family}
			if o.Cache != nil {
				g.files = o.projectKey()
				g.key = "group " + g.key + g.files
			}
			g.config.Debug, g.config.Values.Project = nil, nil
			byKey[key] = g
			groups = append(groups, g)
		} else if o.Reads != nil {
			_ = o.config() // it reports what the environment reads
		}
		g.members = append(g.members, i)
	}
	return groups
}

// familyOf is all of the options that decides how files are read, compiled and evaluated, as text.
func familyOf(o Options) string {
	v := o.DataValues
	return fmt.Sprintf("%q %v %v %v %v %v %v %v %v %v %v %v %v %q", o.Revision, o.Symlinks, o.Edition,
		o.Format, o.Keep, o.YAML, o.Strict, o.IgnoreUnknownComments, o.ImplicitMapKeyOverrides,
		o.WarnUnused, o.Warnings, o.DisableValidation,
		[]uint64{uint64(o.MaxDepth), o.MaxSteps, uint64(o.MaxNodes)},
		[][]string{v.Files, v.Env, v.EnvYAML, v.KV, v.KVYAML, v.KVFile})
}

// sharedInputs is a session with the inputs that several groups have. It is opened when the first
// of them needs it, and never evaluated.
type sharedInputs struct {
	config  pipeline.Config
	cache   *Cache
	once    sync.Once
	session *pipeline.Session
}

// commonInputs are the sessions that groups share, by their families.
func commonInputs(groups []*runGroup) map[string]*sharedInputs {
	common := map[string]*sharedInputs{}
	uses := map[[2]string]int{}
	for _, g := range groups {
		c := common[g.family]
		if c == nil {
			c = &sharedInputs{config: g.config, cache: g.cache}
			c.config.Load.Paths, c.config.Load.Exclude, c.config.Load.Marks = nil, nil, nil
			c.config.Overrides = nil
			common[g.family] = c
		}
		for _, p := range g.config.Load.Paths {
			key := [2]string{g.family, p}
			if uses[key]++; uses[key] == 2 {
				c.config.Load.Paths = append(c.config.Load.Paths, p)
			}
		}
	}
	return common
}

// open gives the session of a group.
func (g *runGroup) open(
	ctx context.Context, common map[string]*sharedInputs,
) (*pipeline.Session, error) {
	c := common[g.family]
	return g.cache.openAs(ctx, g.key, g.config, func(config pipeline.Config) (*pipeline.Session, error) {
		c.once.Do(func() { c.session, _ = c.cache.open(ctx, "shared "+g.files+g.family, c.config) })
		if c.session == nil { // environments with all inputs report input errors better
			return pipeline.Open(ctx, config)
		}
		return c.session.Variant(ctx, config)
	})
}

// render renders the environments of a group. What is wrong with their inputs is an error of each.
func (g *runGroup) render(
	ctx context.Context,
	runs []ProjectRun,
	common map[string]*sharedInputs,
	each func(i int, r Rendered),
) {
	s, err := g.open(ctx, common)
	if err == nil {
		err = g.fleet(ctx, s, runs, each)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	for _, i := range g.members {
		each(i, Rendered{Environment: Environment{Name: runs[i].Name}, Err: public(err)})
	}
}

// renderShared renders the environments of the only group.
func (g *runGroup) renderShared(
	ctx context.Context, runs []ProjectRun, each func(i int, r Rendered),
) error {
	s, err := g.cache.open(ctx, g.key, g.config)
	if err != nil {
		return public(err)
	}
	return public(g.fleet(ctx, s, runs, each))
}

func (g *runGroup) fleet(
	ctx context.Context, s *pipeline.Session, runs []ProjectRun, each func(i int, r Rendered),
) error {
	envs := make([]pipeline.Environment, len(g.members))
	for n, i := range g.members {
		envs[n] = pipeline.Environment{
			Name: runs[i].Name, Project: runs[i].Options.DataValues.project.values,
			Test: runs[i].Options.DataValues.test,
		}
	}
	req := pipeline.Request{JSON: runs[g.members[0]].Options.Format == JSON}
	return s.Fleet(ctx, req, envs, func(n int, r pipeline.Rendered) {
		i := g.members[n]
		done := Rendered{
			Environment: Environment{Name: runs[i].Name}, Err: public(r.Err), Prints: r.Prints,
			took: r.Took,
		}
		if r.Err == nil {
			done.Result = runs[i].Options.result(r.Result)
			if r.Kept {
				done.Result.printed = g.cache.printed(g.key, runs[i].Name)
			}
		}
		each(i, done)
	})
}
