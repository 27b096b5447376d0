package weft

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"weft/internal/load"
	"weft/internal/pipeline"
)

// Cache keeps what runs have read, compiled and evaluated, for the next run with the same options:
// see Options.Cache. The zero value is empty. It may be used from several goroutines.
type Cache struct {
	mu       sync.Mutex
	sessions map[string]*kept // by the options that decide what they are
}

// kept is a session that the next run begins with.
type kept struct {
	mu      sync.Mutex
	session *pipeline.Session   // nil if nothing could be read yet
	changed []string            // since the session was opened or reloaded
	more    bool                // files may have come and gone that are not among those
	used    bool                // since the last change
	printed map[string]*printed // by environment
	plain   pipeline.Plain      // of a side that is not rendered
}

// Changed says which files have other content than before. Files that are new or gone need not be
// named. Without this call, the next run does not look into files that it knows.
func (c *Cache) Changed(paths ...string) { c.change(paths, true) }

// ChangedOnly is Changed for those who know of all files that have come, gone or have other content,
// such as one who watches the directories. The next run does not list directories then.
func (c *Cache) ChangedOnly(paths ...string) { c.change(paths, false) }

func (c *Cache) change(paths []string, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	some := false
	for _, k := range c.sessions {
		some = some || k.used
	}
	for key, k := range c.sessions {
		if some && !k.used {
			delete(c.sessions, key) // the options are others now
			continue
		}
		k.used = false
		k.changed = append(k.changed, paths...)
		k.more = k.more || more
	}
}

// open opens the session of a run. If there is one already, only what changed is read again.
func (c *Cache) open(
	ctx context.Context, key string, config pipeline.Config,
) (*pipeline.Session, error) {
	return c.openAs(ctx, key, config, func(config pipeline.Config) (*pipeline.Session, error) {
		return pipeline.Open(ctx, config)
	})
}

// openAs is open with another way to open the first session.
func (c *Cache) openAs(
	ctx context.Context, key string, config pipeline.Config,
	first func(pipeline.Config) (*pipeline.Session, error),
) (*pipeline.Session, error) {
	if !c.serves(config) {
		return first(config)
	}
	config.Once, config.Again = false, true
	k := c.at(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	next := k.session
	var err error
	switch {
	case next == nil:
		next, err = first(config)
	case !config.Load.Fixed:
		change := pipeline.Change{Paths: k.changed, Only: !k.more, Memory: config.Load.Memory}
		next, err = next.Reload(ctx, change)
	}
	if err != nil {
		return nil, err
	}
	k.session, k.changed, k.more = next, nil, false
	return next, nil
}

// session opens a session for what a command does with the options, of which kind names all that is
// its own.
func (o Options) session(
	ctx context.Context, kind string, config pipeline.Config,
) (*pipeline.Session, error) {
	if o.Cache == nil {
		return pipeline.Open(ctx, config)
	}
	return o.Cache.open(ctx, kind+" "+o.cacheKey(), config)
}

// serves reports whether runs with a configuration can use what others have left.
func (c *Cache) serves(config pipeline.Config) bool {
	return c != nil && (config.Load.FS == nil || config.Load.Fixed) && config.Load.Rewrite == nil &&
		config.Timings == nil && config.Debug == nil
}

// plain is the files of a side that is not rendered, or nil if it cannot use them.
func (c *Cache) plain(key string, config pipeline.Config) *pipeline.Plain {
	if !c.serves(config) {
		return nil
	}
	k := c.at(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !config.Load.Fixed {
		k.plain.Forget(k.changed)
	}
	k.changed, k.more = nil, false
	return &k.plain
}

// printed is what was printed of an environment, or nil without a cache.
func (c *Cache) printed(key, environment string) *printed {
	if c == nil {
		return nil
	}
	k := c.at(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.printed == nil {
		k.printed = map[string]*printed{}
	}
	p := k.printed[environment]
	if p == nil {
		p = &printed{}
		k.printed[environment] = p
	}
	return p
}

func (c *Cache) at(key string) *kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil {
		c.sessions = map[string]*kept{}
	}
	k := c.sessions[key]
	if k == nil {
		k = &kept{}
		c.sessions[key] = k
	}
	k.used = true
	return k
}

// cacheKey is all of the options that decides what a session is, as text. What files contain is not
// part of it, except those of a project.
func (o Options) cacheKey() string {
	key := fmt.Sprintf("%s %s", o.inputsKey(), o.projectKey())
	if p := o.DataValues.project; p.values != nil {
		key += fmt.Sprintf(" %+v", *p.values)
	}
	return key
}

// inputsKey is which files there are, and how they are read and evaluated, as text.
func (o Options) inputsKey() string {
	return fmt.Sprintf("%s %q %q %q %v %q %q", familyOf(o), o.Inputs, o.Exclude, o.Marks, o.Overrides,
		o.Env, o.AllowEnv)
}

// projectKey is what project files contain.
func (o Options) projectKey() string {
	var b strings.Builder
	for _, f := range o.DataValues.project.files {
		fmt.Fprintf(&b, " %q %q", f.Path, f.Data)
	}
	for _, f := range o.DataValues.Texts {
		fmt.Fprintf(&b, " %q %q", f.Path, f.Data)
	}
	return b.String()
}

// reportReads tells Reads which paths the run depends on.
func (o *Options) reportReads(c *pipeline.Config) {
	if o.Reads == nil || o.FS != nil {
		return
	}
	for _, arg := range o.Inputs {
		o.readsFile(load.OnDisk(arg))
	}
	for _, arg := range o.DataValues.Files {
		if _, path, ok := strings.Cut(arg, ":"); ok && strings.HasPrefix(arg, "@") {
			arg = path // of a library's data values
		}
		o.readsFile(arg)
	}
	for _, arg := range o.DataValues.KVFile {
		_, path, _ := strings.Cut(arg, "=")
		o.readsFile(path)
	}
	for _, x := range o.Overrides {
		if x.File {
			o.readsFile(x.Text)
		}
	}
	if p := c.Values.Project; p != nil {
		for _, l := range p.Layers {
			o.readsFile(l.Path)
		}
	}
}

// readsFile reports a path, unless it is that of something else than a file.
func (o *Options) readsFile(path string) {
	if path = load.DiskPath(path); path != "" && path != "-" && !load.IsURL(path) {
		o.Reads(path)
	}
}
