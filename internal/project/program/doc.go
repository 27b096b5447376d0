// Package program is about the programs that weft runs, git and weft-engines: they end when weft says so.
package program
