package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// site is the whole site, in memory.
type site struct {
	root    string // the repository
	address string // where the site will be, with a slash at the end; "" if that is not known
	path    string // the path of that address

	// playground means that there is a playground, with live examples and the search: npm bundles them.
	playground bool

	pages    []*page
	bySource map[string]*page  // by the path of their Markdown in the repository
	sections []*section        // the tree of the navigation
	files    map[string][]byte // what is written, by path
	runs     int               // number of examples
}

// build builds all pages and the files that they need. It fails if an example prints something else than
// its page shows, or if a link is broken.
func build(root, address string, playground bool) (*site, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	s := &site{root: root, playground: playground, bySource: map[string]*page{}, files: map[string][]byte{}}
	if err := s.setAddress(address); err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		s.collect, s.parse, s.replay, s.describeCodes, s.shape, s.resolve, s.lay, s.sitemap, s.index, s.assets,
		s.icon,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// write writes the files of the site. Other files of the directory are left alone.
func (s *site) write(to string) error {
	for _, name := range sortedKeys(s.files) {
		file := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, s.files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// assets adds the files that all pages share.
func (s *site) assets() error {
	names, err := filepath.Glob(filepath.Join(s.root, "web", "site", "*"))
	if err != nil {
		return err
	}
	names = append(names, filepath.Join(s.root, "web", "playground", "icon.svg"),
		filepath.Join(s.root, "web", "playground", "src", "share.js")) // makes links to the playground
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s.files["assets/"+filepath.Base(name)] = data
	}
	s.joinStyles()
	return nil
}

// joinStyles makes one file of the style sheets, so that a page waits for one.
func (s *site) joinStyles() {
	var all []byte
	for _, name := range []string{"assets/colors.css", "assets/code.css", "assets/site.css"} {
		all = append(all, s.files[name]...)
		delete(s.files, name)
	}
	s.files["assets/site.css"] = all
}

// programs builds the playground, and the scripts that use its engine.
func programs(root, to, version, address string) error {
	return web(root, "-site", filepath.Join(to, "assets"),
		"-o", filepath.Join(to, "playground"), "-version", version, "-docs", "../", "-url", address)
}

// web runs tools/web.
func web(root string, args ...string) error {
	cmd := exec.Command("go", append([]string{"run", "./tools/web"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, os.Stdout, os.Stderr
	return cmd.Run()
}

func hasNpm() bool {
	_, err := exec.LookPath("npm")
	return err == nil
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
