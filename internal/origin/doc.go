// Package origin holds the third floor: where output comes from. Results of the engine come in; reports
// come out that say which lines, values and overlays made which part of them, and what differs.
package origin
