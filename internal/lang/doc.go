// Package lang holds the first floor: what files say. Text comes in; syntax trees, values, edits of text,
// and messages with places come out. Nothing here knows data values, overlays or weft.yml.
package lang
