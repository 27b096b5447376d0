package overlay

import (
	"errors"

	"weft/internal/diag"
)

// The codes of this package's diagnostics.
const (
	CodeCount      diag.Code = "overlay/match-count"        // more or fewer matches than expected
	CodeMatcher    diag.Code = "overlay/matcher"            // a matcher cannot be asked, or gives no answer
	CodeMapKey     diag.Code = "overlay/map-key"            // overlay.map_key without the key
	CodeAnnotation diag.Code = "overlay/annotation"         // an annotation that cannot be read
	CodeType       diag.Code = "overlay/type"               // a map onto a scalar, and the like
	CodeAssert     diag.Code = "overlay/assert"             // an assertion that does not hold
	CodeVia        diag.Code = "overlay/via"                // a function that returns what cannot be used
	CodeFunction   diag.Code = "overlay/function"           // a function that fails
	CodeKey        diag.Code = "overlay/duplicate-key"      // two items with one key
	CodeLimit      diag.Code = "overlay/limit"              // more nodes than a document may have
	CodeNoEffect   diag.Code = "overlay/no-effect"          // a warning: an annotation that does nothing
	CodeUnknown    diag.Code = "overlay/unknown"            // a warning of package compile: an annotation that there is not
	CodeNoMatch    diag.Code = "overlay/no-document"        // a warning: an overlay without its match
	CodePosition   diag.Code = "overlay/positional"         // a warning: an argument without its name
	CodePlacement  diag.Code = "overlay/above-first-key"    // a warning: a match that belongs above `---`
	CodeTwice      diag.Code = "overlay/twice"              // a warning: an annotation that is on a node twice
	CodeWhole      diag.Code = "overlay/added-whole"        // a warning: an annotation inside of what is put in whole
	CodeStrange    diag.Code = "overlay/added-odd"          // a warning: an item that is added, or gets a key, which was hardly meant
	CodeText       diag.Code = "overlay/collection-as-text" // a warning: a function that writes a collection into a text
	CodeIdle       diag.Code = "overlay/not-added"          // a warning: a replacement without anything to replace
)

// errStop says that something is wrong. Documents are first worked on side by side, without a word;
// if that fails, they are again, in order, to say what is wrong.
var errStop = errors.New("overlay: stopped")
