package weft

import "weft/internal/project/fleet"

// Cache keeps what runs have read, compiled and evaluated, for the next run with the same options:
// see Options.Cache. The zero value is empty. It may be used from several goroutines.
type Cache struct{ cache fleet.Cache }

// Changed says which files have other content than before. Files that are new or gone need not be
// named. Without this call, the next run does not look into files that it knows.
func (c *Cache) Changed(paths ...string) { c.cache.Changed(paths...) }

// ChangedOnly is Changed for callers that know of all files that have come, gone or have other content,
// such as one who watches the directories. The next run does not list directories then.
func (c *Cache) ChangedOnly(paths ...string) { c.cache.ChangedOnly(paths...) }
