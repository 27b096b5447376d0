package mcp

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
)

// render shows a document or what is at a path, or lists the documents.
func render(ctx context.Context, args *arguments) (*report, error) {
	s, err := args.scene(ctx)
	if err != nil {
		return nil, err
	}
	res, err := weft.Render(ctx, s.Options)
	if err != nil {
		return nil, err
	}
	list, err := res.Excerpts(weft.ExcerptOptions{Select: args.Document, Path: args.Path})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if args.Document == "" && args.Path == "" {
		for _, x := range list {
			fmt.Fprintf(&b, "%s  %s  %s\n", diag.Visible(x.Document), place(x.Place),
				diag.Count(bytes.Count(x.Text, []byte("\n")), "line"))
		}
		return &report{summary: diag.Count(len(list), "document") + s.note, data: b.String()}, nil
	}
	for _, x := range list {
		parts := []string{diag.Visible(x.Document), diag.Visible(x.Path), place(x.Place)}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		fmt.Fprintf(&b, "# %s\n%s", strings.Join(parts, "  "), x.Text)
	}
	what := "document"
	if args.Path != "" {
		what = "place"
	}
	return &report{summary: diag.Count(len(list), what) + s.note, data: b.String()}, nil
}
