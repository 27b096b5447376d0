package weft

import "weft/internal/project/fleet"

// Cache keeps what runs have read, compiled and evaluated, for the next run with the same options:
// see Options.Cache. The zero value is empty. It may be used from several goroutines.
type Cache struct{ cache fleet.Cache }

// Changed names files whose content has changed. Files that are new or gone need not be named. Without
// this call, the next run does not look at files that it knows.
func (c *Cache) Changed(paths ...string) { c.cache.Changed(paths...) }

// ChangedOnly is like Changed, for callers that name all files that are new, gone or changed, such as a
// program that watches the directories. The next run then lists no directories.
func (c *Cache) ChangedOnly(paths ...string) { c.cache.ChangedOnly(paths...) }
