package yaml

import "weft/internal/lang/diag"

// The codes of this package's diagnostics. docs/reference/errors.md explains each.
const (
	CodeEncoding     diag.Code = "yaml/encoding"
	CodeControl      diag.Code = "yaml/control-character"
	CodeTab          diag.Code = "yaml/tab-indentation"
	CodeIndent       diag.Code = "yaml/indentation"
	CodeUnclosed     diag.Code = "yaml/unclosed"
	CodeMissingSpace diag.Code = "yaml/missing-space"
	CodeNested       diag.Code = "yaml/nested-on-one-line"
	CodeKey          diag.Code = "yaml/key"
	CodeUnexpected   diag.Code = "yaml/unexpected"
	CodeReserved     diag.Code = "yaml/reserved-character"
	CodeEscape       diag.Code = "yaml/escape"
	CodeBlockHeader  diag.Code = "yaml/block-scalar"
	CodeAnchor       diag.Code = "yaml/anchor"
	CodeTag          diag.Code = "yaml/tag"
	CodeDirective    diag.Code = "yaml/directive"
	CodeDocument     diag.Code = "yaml/document"
	CodeFlow         diag.Code = "yaml/flow"
	CodeLimit        diag.Code = "yaml/limit"
	CodeValue        diag.Code = "yaml/value"
	CodeMerge        diag.Code = "yaml/merge"
	CodeDuplicate    diag.Code = "yaml/duplicate-key"
	CodeStrict       diag.Code = "yaml/strict"
	CodeJSON         diag.Code = "yaml/json"
)
