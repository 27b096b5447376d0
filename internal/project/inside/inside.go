// Package inside shows the packages above the public API what its values hold, so that no exported name of
// the API has an internal type. The root package sets the functions when it is loaded; their first
// arguments are values of its types.
package inside

import (
	"io"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Config returns the configuration that a *weft.Options stands for.
var Config func(options any) engine.Config

// Result returns what an evaluation made, to be written as a *weft.Options says.
var Result func(options any, res *engine.Result) io.WriterTo

// Hold keeps URLs that a file names, rather than the caller of a *weft.Options, from leading out of
// what is allowed.
var Hold func(options any, urls, allowed []string)

// Error returns a *weft.Error with messages whose places are in files.
var Error func(files *source.Set, list diag.List) error

// Diagnostics returns the messages of a *weft.Error, and the files that they point into, which may be
// nil.
var Diagnostics func(err error) (diag.List, *source.Set)

// Schemas returns which schemas of Kubernetes a *weft.Options holds documents to.
var Schemas func(options any) *lint.Schemas
