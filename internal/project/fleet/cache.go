package fleet

import (
	"context"
	"sync"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/origin/compare"
)

// Cache keeps what runs have read, compiled and evaluated, for the next run with the same options:
// see Options.Cache. The zero value is empty. It is safe for concurrent use.
type Cache struct {
	mu       sync.Mutex
	sessions map[string]*cachedSession // by kind of run and configuration
}

// cachedSession is a session that the next run starts from.
type cachedSession struct {
	mu      sync.Mutex
	session *engine.Session     // nil if nothing could be read yet
	used    bool                // it was used since the last change; guarded by the lock of the cache
	memory  bool                // the session has files in memory
	printed map[string]*printed // what was printed, by environment
	plain   compare.PlainFiles  // for a side that is not rendered

	noting  sync.Mutex // guards the following fields; held only for a moment
	changed []string   // files that changed since the session was opened or reloaded
	more    bool       // files that are not in changed may have been added or removed
}

// take returns the changes since the last call.
func (k *cachedSession) take() (changed []string, more bool) {
	k.noting.Lock()
	defer k.noting.Unlock()
	changed, more = k.changed, k.more
	k.changed, k.more = nil, false
	return changed, more
}

// note adds changes.
func (k *cachedSession) note(changed []string, more bool) {
	k.noting.Lock()
	defer k.noting.Unlock()
	k.changed, k.more = append(k.changed, changed...), k.more || more
}

// Changed announces files with new content. New and removed files need not be named. Without this
// call, the next run does not read known files again.
func (c *Cache) Changed(paths ...string) { c.change(paths, true) }

// ChangedOnly is like Changed for callers that know all files that were added, removed or changed,
// for example by watching the directories. Then the next run does not list directories.
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
			delete(c.sessions, key) // the options have changed
			continue
		}
		k.used = false
		k.note(paths, more)
	}
}

// at returns the entry of earlier runs of a kind with this configuration, or nil if caching is
// impossible.
func (c *Cache) at(kind string, config engine.Config) *cachedSession {
	if !c.serves(config) {
		return nil
	}
	key := kind + " " + cached(config).Key()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil {
		c.sessions = map[string]*cachedSession{}
	}
	k := c.sessions[key]
	if k == nil {
		k = &cachedSession{}
		c.sessions[key] = k
	}
	k.used = true
	return k
}

// serves reports whether runs with a configuration can use the cache.
func (c *Cache) serves(config engine.Config) bool {
	return c != nil && (config.Load.FS == nil || config.Load.Fixed()) && config.Load.Rewrite == nil &&
		config.Timings == nil && config.Debug == nil
}

// cached returns a configuration without what may differ in the next run: files in memory may change
// just as files on disk.
func cached(config engine.Config) *engine.Config {
	config.Once, config.Again = false, true
	config.Load.Memory = nil
	return &config
}

// kept returns the entry of earlier runs of a kind with these options, or nil.
func (o Options) kept(kind string, config engine.Config) *cachedSession {
	return o.Cache.at(kind+" "+o.Format.String(), config)
}

// Session opens a session for a command with the options. kind names the command: commands do not
// share sessions.
func (o Options) Session(
	ctx context.Context, kind string, config engine.Config,
) (*engine.Session, error) {
	return o.kept(kind, config).open(ctx, config)
}

// open opens the session of a run. If there is one already, only what changed is read again.
func (k *cachedSession) open(ctx context.Context, config engine.Config) (*engine.Session, error) {
	return k.openAs(ctx, config, func(config engine.Config) (*engine.Session, error) {
		return engine.Open(ctx, config)
	})
}

// openAs is like open with another way to open the first session.
func (k *cachedSession) openAs(
	ctx context.Context, config engine.Config,
	first func(engine.Config) (*engine.Session, error),
) (*engine.Session, error) {
	if k == nil {
		return first(config)
	}
	config.Once, config.Again = false, true
	k.mu.Lock()
	defer k.mu.Unlock()
	next := k.session
	changed, more := k.take() // those from now on may be about files that were read already
	var err error
	switch {
	case next == nil:
		next, err = first(config)
	case !config.Load.Fixed() || k.memory || config.Load.Memory != nil:
		next, err = next.Reload(ctx, k.change(config, changed, more))
	}
	if err != nil {
		k.note(changed, more)
		return nil, err
	}
	k.session = next
	k.memory = config.Load.Memory != nil
	return next, nil
}

// change returns what happened to files since the session was opened or reloaded.
func (k *cachedSession) change(config engine.Config, changed []string, more bool) engine.FileChanges {
	change := engine.FileChanges{Paths: changed, Only: !more, Memory: config.Load.Memory}
	if k.memory && change.Memory == nil {
		change.Memory = []load.Memory{} // all of them are gone
	}
	return change
}

// PlainFiles returns the files of a side that is not rendered, or nil without a cache.
func (o Options) PlainFiles(config engine.Config) *compare.PlainFiles {
	k := o.kept("plain", config)
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if changed, _ := k.take(); !config.Load.Fixed() {
		k.plain.Forget(changed)
	}
	return &k.plain
}

// printedOf returns the printed results of an environment, or nil without a cache.
func (k *cachedSession) printedOf(environment string) *printed {
	if k == nil {
		return nil
	}
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
