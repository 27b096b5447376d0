package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/shell"
	"weft/internal/serve/cli/process"
)

// sides returns the two sides. Call closing when they are no longer needed.
func (f *diffFlags) sides(
	cmd *cobra.Command, args []string,
) (a, b weft.Side, closing func(), err error) {
	closing = func() {}
	stdin := cmd.InOrStdin()
	if len(args) > 0 {
		a, b, err = f.plainSides(args, stdin)
	} else {
		a, b, err = f.renderedSides(cmd.Flags(), stdin)
	}
	if err == nil && f.rev != "" {
		closing, err = f.atRevision(cmd, &a, &b)
	}
	return a, b, closing, err
}

func (f *diffFlags) plainSides(args []string, stdin io.Reader) (a, b weft.Side, err error) {
	if a, err = f.plainSide(args[0]); err == nil {
		b, err = f.plainSide(args[len(args)-1])
	}
	a.Stdin, b.Stdin = stdin, stdin
	return a, b, err
}

// plainSide returns plain YAML at a path as a side.
func (f *diffFlags) plainSide(arg string) (weft.Side, error) {
	opts, err := f.render.resolve(nil)
	opts.Inputs = []string{arg}
	return weft.Side{Options: opts, Plain: true, Name: arg}, err
}

// renderedSides returns two rendered sides, with the flags that they share and those of each.
func (f *diffFlags) renderedSides(
	common *pflag.FlagSet, stdin io.Reader,
) (a, b weft.Side, err error) {
	one := func(flag, text string) (weft.Side, error) {
		side, err := f.side(common, flag, text)
		if err != nil {
			return weft.Side{}, err
		}
		opts, err := side.resolve(stdin)
		return weft.Side{Options: opts, Name: flag}, err
	}
	if a, err = one("--a", f.a); err == nil {
		b, err = one("--b", f.b)
	}
	return a, b, err
}

// sideFlags are the flags of one side.
type sideFlags struct {
	renderFlags
	flags *pflag.FlagSet
}

// side returns the flags of one side: the shared ones, and its own.
func (f *diffFlags) side(common *pflag.FlagSet, flag, text string) (*sideFlags, error) {
	words, unfinished := shell.Words(text)
	if unfinished != nil {
		return nil, unfinishedWord(flag, unfinished)
	}
	parsed, side := &renderFlags{}, &sideFlags{}
	ownFlags := parsed.command("weft diff " + flag).Flags()
	args := make([]string, len(words))
	for i, w := range words {
		args[i] = w.Text
	}
	if err := ownFlags.Parse(args); err != nil {
		d := process.Usagef("%s%s: %s", flag, columnOf(words, err), err)
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
			d.WithNearestAs("--%s", unknown.GetSpecifiedName(), renderedBy())
		}
		return nil, d
	}
	if rest := ownFlags.Args(); len(rest) > 0 {
		w := words[len(words)-len(rest)]
		return nil, process.Usagef("%s: expected a flag at column %d, but found '%s'", flag, w.Column, w.Text).
			WithHint("files are named with -f: -f %s", diag.InShell(w.Text))
	}
	var refused string
	ownFlags.Visit(func(x *pflag.Flag) {
		if !slices.Contains(renderedBy(executionFlags...), x.Name) {
			refused = x.Name
		}
	})
	if refused != "" {
		return nil, process.Usagef("%s: --%s cannot differ between the sides", flag, refused)
	}
	side.flags = side.command("").Flags()
	copyFlags(side.flags, common)
	copyFlags(side.flags, ownFlags)
	side.options.Overrides = slices.Concat(f.render.options.Overrides, parsed.options.Overrides)
	return side, nil
}

// unfinishedWord rejects a quote that is not closed, and a backslash at the end.
func unfinishedWord(flag string, u *shell.Unfinished) error {
	if u.Char == '\\' {
		return process.Usagef("%s: nothing follows the backslash at column %d", flag, u.Column).
			WithHint(`write \\ for a backslash`)
	}
	return process.Usagef("%s: the quote %c at column %d is never closed", flag, u.Char, u.Column).
		WithHint("close the quote, or write \\%c for the character itself", u.Char)
}

// columnOf returns the column of the word that the parser did not understand: the longest word in its
// message.
func columnOf(words []shell.Word, err error) string {
	longest, column := "", 0
	for _, w := range words {
		name, _, _ := strings.Cut(w.Text, "=")
		if strings.HasPrefix(name, "-") && len(name) > len(longest) &&
			strings.Contains(err.Error(), name) {
			longest, column = name, w.Column
		}
	}
	if longest == "" {
		return ""
	}
	return fmt.Sprintf(" column %d", column)
}

// copyFlags sets flags to their values in another set. It appends to lists.
func copyFlags(to, from *pflag.FlagSet) {
	from.Visit(func(x *pflag.Flag) {
		target := to.Lookup(x.Name)
		if target == nil || !slices.Contains(renderedBy(), x.Name) {
			return
		}
		if list, ok := x.Value.(pflag.SliceValue); ok && x.Name == "environment" {
			// the value of this side replaces the shared one
			_ = target.Value.(pflag.SliceValue).Replace(list.GetSlice())
		} else if ok {
			for _, s := range list.GetSlice() {
				_ = target.Value.(pflag.SliceValue).Append(s) // both are the same kind of flag
			}
		} else if _, ok := x.Value.(*overrideValue); !ok {
			_ = target.Value.Set(x.Value.String())
		}
		target.Changed = true
	})
}
