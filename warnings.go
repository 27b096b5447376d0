package weft

// Warnings says what happens to warnings.
type Warnings uint8

// The ways to treat warnings.
const (
	WarningsOn    Warnings = iota // a run reports them and succeeds
	WarningsOff                   // they are dropped
	WarningsError                 // each one is an error, and the run fails
)

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
