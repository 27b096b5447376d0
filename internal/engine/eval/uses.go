package eval

import "sync"

// Uses records which files the templates of a run use: those that are evaluated, loaded or read as data.
// It is safe for concurrent use, and a nil *Uses records nothing.
type Uses struct {
	mu    sync.Mutex
	paths map[string]bool
	more  bool
}

// Has reports whether a file was used, or may have been: what libraries use is not recorded.
func (u *Uses) Has(path string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.more || u.paths[path]
}

// note records that a file was used.
func (u *Uses) note(path string) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.paths == nil {
		u.paths = map[string]bool{}
	}
	u.paths[path] = true
}

// noteMore records that something was used of which not everything is known.
func (u *Uses) noteMore() {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.more = true
}
