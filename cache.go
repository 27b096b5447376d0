package weft

import "weft/internal/project/fleet"

// Cache keeps what runs have read, compiled and evaluated, for the next run with the same options:
// see Options.Cache. The zero value is empty. It is safe for concurrent use.
type Cache struct{ cache fleet.Cache }

// Changed names files whose content has changed. New and deleted files need not be named. Without
// this call, the next run does not read files again that it knows.
func (c *Cache) Changed(paths ...string) { c.cache.Changed(paths...) }

// ChangedOnly is like Changed, for callers that name all files that were created, deleted or changed,
// such as a program that watches the directories. Then the next run does not list directories.
func (c *Cache) ChangedOnly(paths ...string) { c.cache.ChangedOnly(paths...) }
