//go:build !js

package cli

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/engine/load"
	"weft/internal/project"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/playground/local"
	"weft/web"
)

// playgroundFlags are the flags of weft playground.
type playgroundFlags struct {
	files    []string
	write    bool
	port     int
	noOpen   bool
	symlinks weft.Symlinks
}

// newPlayground returns the command that shows files in a browser.
func newPlayground() *cobra.Command {
	f := &playgroundFlags{}
	cmd := &cobra.Command{
		Use:   "playground [flags]",
		Short: "Render while you type, in a browser",
		Long: `playground opens a page in your browser with your files on one side and the output on the other. The
output, errors, the origin of each line and a form for data values follow as you type, and as files
change on disk. Without -f, it shows the project in the current directory.

The page talks to this process only, and other machines cannot reach it: it listens on 127.0.0.1, and
the link has a token. Files are saved only with --write. Press Ctrl-C to stop.`,
		Example: `  weft playground -f config
  weft playground -f config -f overlays --write
  weft playground --port 8080 --no-open`,
		Args: noArgs,
		RunE: f.run,
	}
	flags := cmd.Flags()
	addList(flags, &f.files, "file", "f",
		"show the file or directory `PATH` (repeatable; default: the project in the current directory)")
	addList(flags, &f.symlinks.Allowed, "allow-symlink-destination", "",
		"follow symbolic links to `PATH` or below (repeatable)")
	flags.BoolVar(&f.symlinks.All, "dangerous-allow-all-symlink-destinations", false,
		"follow all symbolic links")
	help.Input.Of(flags)
	flags.BoolVarP(&f.write, "write", "w", false, "allow saving these files from the page")
	help.Output.Of(flags)
	flags.IntVar(&f.port, "port", 0, "listen on port `N` of 127.0.0.1 (default: a free one)")
	flags.BoolVar(&f.noOpen, "no-open", false, "print the link, but don't open a browser")
	help.Limits.Of(flags)
	return cmd
}

func (f *playgroundFlags) run(cmd *cobra.Command, _ []string) error {
	if f.port < 0 || f.port > 65535 {
		return process.Usagef("--port takes a number from 0 to 65535, but found %d", f.port)
	}
	paths, err := f.paths()
	if err != nil {
		return err
	}
	disk := local.OpenDisk(paths, len(f.files) == 0, f.symlinks)
	if _, err := disk.Read(); err != nil { // report files that cannot be read here, not on a page
		return err
	}
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(f.port)))
	if err != nil {
		return process.Usagef("cannot listen on port %d: %s", f.port, err).
			WithHint("choose another --port, or leave it out")
	}
	page, index := web.Page()
	server := &local.Server{
		Disk: disk, Page: page, Index: index, Write: f.write, Version: process.Version(),
	}
	link := fmt.Sprintf("http://%s/#token=%s", listener.Addr(), server.Token())
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), link); err != nil {
		return err
	}
	if !f.noOpen {
		openBrowser(cmd.Context(), "http://"+listener.Addr().String()+server.Ticket())
	}
	return server.Serve(cmd.Context(), listener)
}

// paths returns the files and directories to show.
func (f *playgroundFlags) paths() ([]string, error) {
	if len(f.files) == 0 {
		if _, err := os.Stat(project.FileName); err == nil {
			return []string{"."}, nil
		}
		return nil, process.Usagef("there is no %s in the current directory", project.FileName).
			WithHint("name the files to show: weft playground -f PATH")
	}
	var paths []string
	for _, arg := range f.files {
		path := load.OnDisk(arg)
		if path == "" {
			return nil, process.Usagef("the playground shows files and directories, but found '%s'", arg)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// openBrowser opens a link in a browser. Errors are ignored: the link has been printed.
func openBrowser(ctx context.Context, link string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.CommandContext(ctx, "open", link)
	case "windows":
		cmd = exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", link)
	default:
		cmd = exec.CommandContext(ctx, "xdg-open", link)
	}
	if err := cmd.Start(); err == nil {
		go func() { _ = cmd.Wait() }()
	}
}
