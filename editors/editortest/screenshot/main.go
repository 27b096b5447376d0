// Command screenshot takes the picture of Neovim in docs/guides/editors.md, from a real session:
//
//	cd editors/editortest && go run ./screenshot ../../docs/guides/neovim.svg
//
// It needs nvim and tmux. It builds the weft of this repository, unless WEFT_TEST_BINARY names
// another one.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: screenshot FILE.svg")
		os.Exit(2)
	}
	if err := take(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

const (
	columns = 104
	rows    = 27
)

// take writes the picture to a file.
func take(file string) error {
	dir, err := os.MkdirTemp("", "weft-screenshot-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	weft, err := program(dir)
	if err != nil {
		return err
	}
	project := filepath.Join(dir, "shop")
	if err := os.CopyFS(project, os.DirFS("testdata/project")); err != nil {
		return err
	}
	s, err := open(dir, project, weft)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.play(); err != nil {
		return err
	}
	screen, err := s.tmux("capture-pane", "-e", "-p", "-N")
	if err != nil {
		return err
	}
	return os.WriteFile(file, draw(parse(screen), "Neovim with a template of weft"), 0o644)
}

// program returns the path of weft.
func program(dir string) (string, error) {
	if path := os.Getenv("WEFT_TEST_BINARY"); path != "" {
		return path, nil
	}
	path := filepath.Join(dir, "weft")
	build := exec.Command("go", "build", "-pgo=off", "-o", path, "./cmd/weft")
	build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
	return path, build.Run()
}

// session is Neovim in its own terminal.
type session struct{ socket string }

// open starts Neovim with the plugin and nothing else.
func open(dir, project, weft string) (*session, error) {
	plugin, err := filepath.Abs(filepath.Join("..", "neovim"))
	if err != nil {
		return nil, err
	}
	start := filepath.Join(dir, "init.lua")
	text := fmt.Sprintf(initLua, plugin, weft)
	if err := os.WriteFile(start, []byte(text), 0o644); err != nil {
		return nil, err
	}
	s := &session{socket: filepath.Join(dir, "tmux")}
	_, err = s.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows),
		"-c", project, "env", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "TERM=screen-256color", "LC_ALL=C.UTF-8",
		"nvim", "-u", start, "-i", "NONE", "-n", "config/app.yml")
	if err != nil {
		return nil, err
	}
	_, err = s.tmux("set-option", "-g", "status", "off")
	return s, err
}

const initLua = `vim.opt.runtimepath:prepend(%q)
vim.o.background, vim.o.number, vim.o.signcolumn, vim.o.laststatus = 'dark', true, 'yes', 2
vim.o.shortmess = vim.o.shortmess .. 'I'
vim.cmd('colorscheme slate')
vim.cmd('highlight SignColumn ctermbg=NONE')
vim.cmd('highlight NormalFloat ctermfg=252 ctermbg=237')
vim.o.hlsearch = false
vim.cmd('syntax on')
require('weft').setup({ cmd = { %q, 'lsp' } })
`

func (s *session) close() { _, _ = s.tmux("kill-server") } // the server has no other sessions

// play makes a mistake and shows a hover. It sends keys once the screen shows the result of the
// previous ones.
func (s *session) play() error {
	steps := []struct {
		until string
		keys  []string
	}{
		{"data.values.replicas", []string{":9s/name$/nmae/", "Enter"}},
		{"has no .nmae", []string{":12", "Enter", "f.f.l", ":lua vim.lsp.buf.hover()", "Enter"}},
		{"how many pods run", nil},
	}
	for _, step := range steps {
		if err := s.wait(step.until); err != nil {
			return err
		}
		for _, key := range step.keys {
			if _, err := s.tmux("send-keys", key); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) wait(text string) error {
	var last []byte
	for range 100 {
		screen, err := s.tmux("capture-pane", "-p")
		if err != nil {
			return err
		}
		if bytes.Contains(screen, []byte(text)) {
			time.Sleep(300 * time.Millisecond) // until the rest is drawn
			return nil
		}
		last = screen
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the screen does not show %q:\n%s", text, last)
}

func (s *session) tmux(args ...string) ([]byte, error) {
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("tmux %s: %s", strings.Join(args, " "), exit.Stderr)
	}
	return out, err
}
