package modules

import (
	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
)

// Host is what functions need from the evaluation that calls them. A thread has its host under
// HostKey. Any part may be missing.
type Host struct {
	Limits *Limits

	// TryTo makes the calls of assert.try_to, and undoes the effects of one that fails.
	TryTo func(call func() (starlark.Value, error)) (starlark.Value, error)

	// Replace receives what template.replace returns: the builder of the nodes knows which one to replace.
	Replace func(*starlark.Thread, Replacement) error

	// Text receives the texts that functions hash or encode, because mistakes in them are invisible in
	// the result.
	Text func(*starlark.Thread, string)

	// Overlay returns the options of overlay.apply. Without them its errors have fewer locations.
	Overlay func(*starlark.Thread) overlay.Options
}

// HostKey is the thread-local key of a *Host.
const HostKey = "weft.host"

// hostOf returns the host of a thread. If there is none, it has no parts.
func hostOf(thread *starlark.Thread) *Host {
	if thread != nil {
		if h, ok := thread.Local(HostKey).(*Host); ok {
			return h
		}
	}
	return &Host{}
}
