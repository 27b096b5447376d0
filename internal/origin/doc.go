// Package origin holds the third floor: where output comes from. Its packages take results of the engine
// and report which lines, values and overlays produced which part of them, and how two results differ.
package origin
