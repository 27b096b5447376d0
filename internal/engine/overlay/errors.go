package overlay

import (
	"errors"

	"weft/internal/lang/diag"
)

// The codes of this package's errors.
const (
	CodeCount      diag.Code = "overlay/match-count"   // an unexpected number of matches
	CodeMatcher    diag.Code = "overlay/matcher"       // a matcher without a valid result
	CodeMapKey     diag.Code = "overlay/map-key"       // overlay.map_key without the key
	CodeAnnotation diag.Code = "overlay/annotation"    // an annotation that is not valid
	CodeType       diag.Code = "overlay/type"          // for example a map merged into a scalar
	CodeAssert     diag.Code = "overlay/assert"        // an assertion that fails
	CodeVia        diag.Code = "overlay/via"           // a function whose result cannot be used
	CodeFunction   diag.Code = "overlay/function"      // a function that fails
	CodeKey        diag.Code = "overlay/duplicate-key" // two items with the same key
	CodeInside     diag.Code = "overlay/inside"        // a string that does not hold YAML or JSON
	CodeLimit      diag.Code = "overlay/limit"         // more nodes than a document may have
)

// The codes of its warnings. Package compile warns of unknown annotations.
const (
	CodeNoEffect  diag.Code = "overlay/no-effect"          // an annotation that does nothing
	CodeNoMatch   diag.Code = "overlay/no-document"        // an overlay without a matching document
	CodePosition  diag.Code = "overlay/positional"         // a positional argument that needs a name
	CodePlacement diag.Code = "overlay/above-first-key"    // a match that belongs above `---`
	CodeTwice     diag.Code = "overlay/twice"              // a duplicate annotation
	CodeWhole     diag.Code = "overlay/added-whole"        // an annotation inside a value that is added whole
	CodeOddItem   diag.Code = "overlay/added-odd"          // an item or a key that is probably a mistake
	CodeText      diag.Code = "overlay/collection-as-text" // a collection turned into text
	CodeIdle      diag.Code = "overlay/not-added"          // a replacement that replaces nothing
	CodeEmpty     diag.Code = "overlay/empty"              // an overlay without content
	CodeAlias     diag.Code = "overlay/alias"              // a change that aliases do not follow
	CodeDoubled   diag.Code = "overlay/silent-append"      // an item next to one of the same name
)

// errStop reports that something is wrong, without details. Documents are first edited silently in
// parallel; if that fails, they are edited again in order to report the error.
var errStop = errors.New("overlay: stopped")
