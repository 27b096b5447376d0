package process

// The exit codes. Those of a signal are what a shell reports for a program that the signal ended.
const (
	ExitOK         = 0
	ExitError      = 1 // wrong input or wrong usage
	ExitInternal   = 2 // a bug in weft
	ExitDifferent  = 1 // diff or --diff found a difference, or a test failed
	ExitTrouble    = 2 // what exitError is elsewhere, with commands that ask: diff, --diff, test
	exitInterrupt  = 130
	exitTerminated = 143
)

// ExitCodes is the table of them, for documentation.
var ExitCodes = [...]struct{ Code, Meaning string }{
	{"0", "success; with `diff`, `--diff` and `--check`: nothing differs; with `lint`: nothing found; " +
		"with `test`: all tests pass; with `--bulk-out`: the JSON contains the files or the errors"},
	{"1", "the input or the command line is wrong, something could not be read or written, " +
		"or `--timeout` expired; with `diff`, `--diff` and `--check`: something differs, and " +
		"there is no error; with `lint`: something found; with `test`: a test fails; " +
		"with `fleet`: at least one environment failed; with `migrate`: values may change; " +
		"with `init`: the project does not render yet"},
	{"2", "internal error, a bug in weft; with `diff`, `lint`, `migrate`, `test`, `--diff` and " +
		"`--check`: " +
		"any error"},
	{"130", "interrupted by Ctrl-C"},
	{"143", "terminated by SIGTERM"},
}
