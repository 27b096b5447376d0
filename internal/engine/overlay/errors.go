package overlay

import (
	"errors"

	"weft/internal/lang/diag"
)

// The codes of this package's errors.
const (
	CodeCount      diag.Code = "overlay/match-count"   // more or fewer matches than expected
	CodeMatcher    diag.Code = "overlay/matcher"       // a matcher that gives no answer
	CodeMapKey     diag.Code = "overlay/map-key"       // overlay.map_key without the key
	CodeAnnotation diag.Code = "overlay/annotation"    // an annotation that cannot be read
	CodeType       diag.Code = "overlay/type"          // a map onto a scalar, and the like
	CodeAssert     diag.Code = "overlay/assert"        // an assertion that does not hold
	CodeVia        diag.Code = "overlay/via"           // a function whose result cannot be used
	CodeFunction   diag.Code = "overlay/function"      // a function that fails
	CodeKey        diag.Code = "overlay/duplicate-key" // two items with one key
	CodeLimit      diag.Code = "overlay/limit"         // more nodes than a document may have
)

// The codes of its warnings. Package compile warns of unknown annotations.
const (
	CodeNoEffect  diag.Code = "overlay/no-effect"          // an annotation that does nothing
	CodeNoMatch   diag.Code = "overlay/no-document"        // an overlay without its match
	CodePosition  diag.Code = "overlay/positional"         // an argument without its name
	CodePlacement diag.Code = "overlay/above-first-key"    // a match that belongs above `---`
	CodeTwice     diag.Code = "overlay/twice"              // an annotation that is on a node twice
	CodeWhole     diag.Code = "overlay/added-whole"        // one inside what is put in whole
	CodeStrange   diag.Code = "overlay/added-odd"          // an item or a key that was hardly meant
	CodeText      diag.Code = "overlay/collection-as-text" // a text made of a collection
	CodeIdle      diag.Code = "overlay/not-added"          // a replacement of nothing
)

// errStop says that something is wrong. Documents are first edited in parallel, without a word; if
// that fails, they are edited again, in order, to say what is wrong.
var errStop = errors.New("overlay: stopped")
