// Command builder builds the files of a release. `go run ./tools/release` runs it. It is a separate
// module, so that weft does not depend on the libraries that write packages and images.
//
// The order of the steps is in release.go. The same commit gives the same bytes on any machine with the
// same version of Go: the sources are copied from the commit to a separate folder (source.go), and all
// times, modes and orders are fixed (file.go).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	// An interrupted release leaves no files.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	opts, err := parseArguments(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(2)
	}
	if err := build(ctx, opts); err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted; nothing was written")
		}
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	fmt.Println(opts.out)
}

// options are the settings of a release.
type options struct {
	version  version
	root     string   // the repository
	out      string   // the output directory
	targets  []target // sorted
	snapshot bool     // for trying out: the working tree may have changes

	site, vsix, playground, profile bool
	helpers                         bool // weft-engines

	// The owner of a release sets these. Their defaults are obvious placeholders that do not work.
	url        string // the project's home page
	downloads  string // the URL of the folder with the files
	publisher  string // of the package in winget
	maintainer string // of the packages for Linux
}

const (
	placeholderURL        = "https://weft.example"
	placeholderMaintainer = "weft <weft@weft.example>"
)

const usage = `Makes the files of a release in dist/VERSION. See docs/releasing.md.

usage: go run ./tools/release VERSION [flags]

`

// parseArguments reads the command line. Flags may be before and after the version.
func parseArguments(args []string) (options, error) {
	opts := options{}
	var from, targets string
	var noSite, noVSIX, noPlayground, noProfile, noEngines bool
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&opts.out, "o", "", "make the directory `DIR` (default dist/VERSION)")
	flags.StringVar(&opts.url, "url", placeholderURL,
		"home page of the project, such as https://github.com/OWNER/weft")
	flags.StringVar(&opts.downloads, "downloads", "",
		"`URL` of the folder that the files will be in (default URL/releases/download/vVERSION)")
	flags.StringVar(&opts.publisher, "publisher", "weft", "`NAME` of the publisher in winget")
	flags.StringVar(&opts.maintainer, "maintainer", placeholderMaintainer,
		"`NAME <ADDRESS>` of the maintainer of the packages for Linux")
	flags.StringVar(&targets, "target", "",
		"build only for these systems: `OS/ARCH,...` (default all six)")
	flags.BoolVar(&opts.snapshot, "snapshot", false,
		"build the working tree with its changes, to try it out")
	flags.BoolVar(&noSite, "without-site", false, "leave out the web site")
	flags.BoolVar(&noVSIX, "without-vsix", false, "leave out the extension for VS Code")
	flags.BoolVar(&noPlayground, "without-playground", false,
		"build weft without the playground (only snapshots)")
	flags.BoolVar(&noProfile, "without-profile", false,
		"build faster, a slower weft (only snapshots)")
	flags.BoolVar(&noEngines, "without-engines", false, "leave out weft-engines (only snapshots)")
	flags.StringVar(&opts.root, "root", ".", "the repository (set by tools/release)")
	flags.StringVar(&from, "from", ".", "what -o is relative to (set by tools/release)")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	var names []string
	for rest := args; len(rest) > 0; {
		if err := flags.Parse(rest); err != nil {
			return opts, err
		}
		if rest = flags.Args(); len(rest) > 0 {
			names, rest = append(names, rest[0]), rest[1:]
		}
	}
	if len(names) != 1 {
		return opts, fmt.Errorf("expected one version, but found %d; "+
			"run: go run ./tools/release 1.2.3", len(names))
	}
	var err error
	if opts.version, err = parseVersion(names[0]); err != nil {
		return opts, err
	}
	if opts.targets, err = parseTargets(targets); err != nil {
		return opts, err
	}
	opts.site, opts.vsix = !noSite, !noVSIX
	opts.playground, opts.profile, opts.helpers = !noPlayground, !noProfile, !noEngines
	if !opts.snapshot && (noPlayground || noProfile || noEngines || len(opts.targets) < len(allTargets)) {
		return opts, errors.New("a release is complete: add --snapshot to use " +
			"--target, --without-playground, --without-profile or --without-engines")
	}
	return opts, opts.complete(from)
}

// complete fills in options that follow from others, and checks URLs.
func (o *options) complete(from string) error {
	o.url = strings.TrimSuffix(o.url, "/")
	if o.downloads == "" {
		o.downloads = o.url + "/releases/download/" + o.version.tag()
	}
	o.downloads = strings.TrimSuffix(o.downloads, "/")
	for _, url := range []string{o.url, o.downloads} {
		if !strings.HasPrefix(url, "https://") || strings.ContainsAny(url, " \"'\\\n") {
			return fmt.Errorf("expected a URL that starts with https://, but found '%s'", url)
		}
	}
	for _, name := range []string{o.maintainer, o.publisher} {
		if name == "" || strings.ContainsAny(name, "\"'\\\n") {
			return errors.New("expected names without quotes, " +
				"such as --maintainer 'Ada <ada@example.org>'")
		}
	}
	if o.out == "" {
		o.out = filepath.Join(o.root, "dist", o.version.String())
	} else if !filepath.IsAbs(o.out) {
		o.out = filepath.Join(from, o.out)
	}
	return nil
}

// placeholders returns the flags that still have placeholder values.
func (o *options) placeholders() []string {
	var flags []string
	if strings.HasPrefix(o.downloads, placeholderURL) || o.url == placeholderURL {
		flags = append(flags, "--url")
	}
	if o.maintainer == placeholderMaintainer {
		flags = append(flags, "--maintainer")
	}
	return flags
}

// has reports whether a target is built.
func (o *options) has(t target) bool { return slices.Contains(o.targets, t) }
