package weft

// Warnings decides what happens to warnings.
type Warnings uint8

// The values of Warnings.
const (
	WarningsOn    Warnings = iota // report them
	WarningsOff                   // drop them
	WarningsError                 // treat them as errors, so that the run fails
)

// String returns the mode, as in --warnings.
func (w Warnings) String() string {
	switch w {
	case WarningsOff:
		return "off"
	case WarningsError:
		return "error"
	default:
		return "on"
	}
}
