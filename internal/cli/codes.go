package cli

import "weft/internal/diag"

// The codes of this package's diagnostics.
const (
	codeUsage    diag.Code = "cli/usage"
	codeOutput   diag.Code = "cli/output"
	codeFormat   diag.Code = "cli/format"
	codeHeader   diag.Code = "cli/header"
	codeRemark   diag.Code = "cli/remark"
	codeTimeout  diag.Code = "run/timeout"
	codeUnproven diag.Code = "migrate/unproven"
	codeInternal diag.Code = "internal"
)
