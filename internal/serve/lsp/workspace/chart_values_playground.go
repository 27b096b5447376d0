//go:build playground

package workspace

import (
	"context"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/source"
)

// chartCache is empty: a page in a browser renders no charts.
type chartCache struct{}

// ChartValues is empty, too.
type ChartValues struct{ Schemas []*jsonschema.Schema }

// ChartValues returns nothing.
func (d *TextDocument) ChartValues(context.Context) []*ChartValues { return nil }

// Default returns nothing.
func (c *ChartValues) Default([]string) (at string, f *source.File, key source.Span) {
	return "", nil, source.Span{}
}
