package vendor

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/archive"
	"weft/internal/project/git"
	"weft/internal/project/remote"
)

// Options are what the person at the command line allows and wants to see.
type Options struct {
	// AllowOutside are URLs, and hosts, that may be asked although others may not: see remote.Options.
	AllowOutside []string
	// Announce, if not nil, is called with hosts before the first request to them.
	Announce func(hosts []string)
	// Bytes, if not nil, is told how many bytes of an address have arrived, by several goroutines.
	Bytes func(address string, n int64)
	// Sources, if not nil, is told how many sources have arrived, of how many. Calls do not overlap.
	Sources func(done, total int)
	// Note, if not nil, is called with what a person should know about a source. Calls do not overlap.
	Note func(text string)
}

// fetcher fetches sources. It may be used by several goroutines: each git repository is asked once.
type fetcher struct {
	ctx    context.Context
	opts   Options
	vendor *Vendor
	client *remote.Client

	mu    sync.Mutex
	repos map[string]*repo // by URL
	done  int              // how many sources have arrived, of total
	total int
}

// repo is a git repository that several sources may come from.
type repo struct {
	mu     sync.Mutex
	remote *git.Remote
	listed bool
	refs   refs
	revs   map[string]*git.Revision // by commit
}

// refs are the names of commits in a git repository.
type refs struct {
	tags, branches []git.Ref
	head           string
}

func (v *Vendor) fetcher(ctx context.Context, opts Options) *fetcher {
	options := remote.Options{AllowOutside: opts.AllowOutside, Announce: opts.Announce}
	if opts.Bytes != nil {
		options.Progress = func(name string, done, _ int64) { opts.Bytes(name, done) }
	}
	return &fetcher{
		ctx: ctx, opts: opts, vendor: v, repos: map[string]*repo{}, client: remote.New(options),
	}
}

// expect tells how many sources will arrive.
func (f *fetcher) expect(total int) {
	f.done, f.total = -1, total
	f.arrived()
}

// arrived counts a source that has arrived, or failed.
func (f *fetcher) arrived() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done++; f.opts.Sources != nil {
		f.opts.Sources(f.done, f.total)
	}
}

// close removes what was fetched.
func (f *fetcher) close() {
	for _, r := range f.repos {
		for _, rev := range r.revs {
			rev.Close()
		}
		if r.remote != nil {
			r.remote.Close()
		}
	}
	f.client.Close()
}

func (f *fetcher) note(text string) {
	if f.opts.Note == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opts.Note(text)
}

// repo returns the git repository at a URL, locked. The caller must unlock it.
func (f *fetcher) repo(url string) (*repo, error) {
	f.mu.Lock()
	r := f.repos[url]
	if r == nil {
		r = &repo{revs: map[string]*git.Revision{}}
		f.repos[url] = r
	}
	f.mu.Unlock()
	r.mu.Lock()
	if r.remote != nil {
		return r, nil
	}
	var progress func(n int64)
	if f.opts.Bytes != nil {
		progress = func(n int64) { f.opts.Bytes(url, n) }
	}
	var err error
	r.remote, err = git.NewRemote(f.ctx, url, git.RemoteOptions{
		Allowed: f.allowed,
		CheckHost: func(ctx context.Context, host string) ([]string, error) {
			return f.client.Addresses(ctx, host, f.allowed(url))
		},
		MaxBytes: maxBytes, Progress: progress,
	})
	if err != nil {
		r.mu.Unlock()
		return nil, err
	}
	return r, nil
}

// allowed reports whether --allow-outside names a URL, or one above it.
func (f *fetcher) allowed(url string) bool {
	return slices.ContainsFunc(f.opts.AllowOutside, func(above string) bool {
		return load.BelowURL(above, url) || isPlainFile(url) &&
			(url == above || strings.HasPrefix(url, strings.TrimSuffix(above, "/")+"/"))
	})
}

// isPlainFile reports whether a URL is a path on this machine that leads where it seems to: without dots or
// codes that stand for them.
func isPlainFile(url string) bool {
	file, ok := strings.CutPrefix(url, "file://")
	return ok && !strings.Contains(file, "%") && path.Clean(file) == strings.TrimSuffix(file, "/")
}

// list returns the names of commits in the repository, which is asked once.
func (r *repo) list() (refs, error) {
	if r.listed {
		return r.refs, nil
	}
	var err error
	r.refs.tags, r.refs.branches, r.refs.head, err = r.remote.Refs()
	r.listed = err == nil
	return r.refs, err
}

// versions returns the tags of a source, or its versions.
func (f *fetcher) versions(s project.Vendored) ([]string, error) {
	switch s.Kind {
	case "git":
		r, err := f.repo(s.URL.Text)
		if err != nil {
			return nil, err
		}
		defer r.mu.Unlock()
		refs, err := r.list()
		return names(refs.tags), err
	case "oci":
		return f.client.OCITags(f.ctx, ociRef(s))
	case "chart":
		return f.client.ChartVersions(f.ctx, s.URL.Text, s.Chart.Text)
	}
	return nil, nil
}

func ociRef(s project.Vendored) string { return strings.TrimPrefix(s.URL.Text, "oci://") }

func names(refs []git.Ref) (all []string) {
	for _, r := range refs {
		all = append(all, r.Name)
	}
	return all
}

// resolve chooses the version of a source that a version or a range asks for, and returns the entry of the
// lock as far as it is known without the files.
func (f *fetcher) resolve(s project.Vendored, spec string) (Entry, error) {
	e := Entry{Name: s.Name, From: f.vendor.from(s), Paths: texts(s.Paths), Exclude: texts(s.Exclude)}
	if s.Kind == "git" {
		return f.resolveGit(e, s, spec)
	}
	if s.Kind == "http" || s.Kind == "dir" {
		if spec != "" {
			return e, diag.Failf(CodeVersion, "source '%s' has no versions: it is a %s", s.Name,
				map[string]string{"http": "file at a URL", "dir": "directory"}[s.Kind]).
				WithHint("remove the version %s", spec)
		}
		return e, nil
	}
	if strings.HasPrefix(spec, "sha256:") {
		e.Digest = spec
		return e, nil
	}
	if _, isRange := parseRange(spec); spec != "" && !isRange && s.Kind == "oci" {
		e.Version = spec // a tag, which need not be a version
		return e, nil
	}
	versions, err := f.versions(s)
	if err != nil {
		return e, err
	}
	if e.Version = pickOrNewest(versions, spec); e.Version == "" {
		return e, noVersion(s, spec, versions)
	}
	return e, nil
}

func pickOrNewest(versions []string, spec string) string {
	if spec == "" {
		return newest(versions)
	}
	return pick(versions, spec)
}

// resolveGit chooses a commit: that of a tag, of a branch, or the one that the version is.
func (f *fetcher) resolveGit(e Entry, s project.Vendored, spec string) (Entry, error) {
	if git.IsCommit(spec) {
		e.Commit = spec
		return e, nil
	}
	r, err := f.repo(s.URL.Text)
	if err != nil {
		return e, err
	}
	defer r.mu.Unlock()
	refs, err := r.list()
	if err != nil {
		return e, err
	}
	find := func(list []git.Ref, name string) bool {
		i := slices.IndexFunc(list, func(r git.Ref) bool { return r.Name == name })
		if i >= 0 {
			e.Version, e.Commit = name, list[i].Commit
		}
		return i >= 0
	}
	switch {
	case spec == "" && find(refs.tags, newest(names(refs.tags))):
	case spec == "" && find(refs.branches, refs.head):
		e.branch = true
	case spec != "" && find(refs.tags, pick(names(refs.tags), spec)):
	case spec != "" && find(refs.branches, spec):
		e.branch = true
	default:
		return e, noVersion(s, spec, append(names(refs.tags), names(refs.branches)...))
	}
	return e, nil
}

// today returns what identifies the files that a version names today: a commit or a digest, or "" if the
// server does not say it.
func (f *fetcher) today(s project.Vendored, version string) (string, error) {
	switch s.Kind {
	case "git":
		e, err := f.resolveGit(Entry{}, s, version)
		return e.Commit, err
	case "oci":
		return f.client.OCIDigest(f.ctx, ociRef(s), version)
	case "chart":
		return f.client.ChartDigest(f.ctx, s.URL.Text, s.Chart.Text, version)
	}
	return "", nil
}

// moved returns the error that a version names other files today, and that the locked ones cannot be fetched
// for a reason. It returns nil if the version names the locked ones, or if that is unknown.
func (f *fetcher) moved(s project.Vendored, e Entry, reason error) error {
	list := diag.Of(reason)
	if e.Version == "" || f.ctx.Err() != nil || len(list) == 0 || list[0].Code == archive.CodeArchive {
		return nil
	}
	today, err := f.today(s, e.Version)
	if err != nil || today == "" || today == e.id() {
		return nil
	}
	return diag.Failf(CodeChanged, "version %s of source '%s' has moved: %s has %s, but it is %s today; %s",
		e.Version, s.Name, f.vendor.Lock.path, e.id(), today, list[0].Message).
		WithHint("find out why; if you trust what it is today, lock it: weft vendor update %s",
			diag.InShell(s.Name))
}

// fewVersions is how many versions a hint lists.
const fewVersions = 5

// noVersion returns the error that a source does not have a version, with what it has.
func noVersion(s project.Vendored, spec string, versions []string) error {
	what := "version " + spec
	if _, isRange := parseRange(spec); isRange {
		what = "version in the range " + spec
	} else if spec == "" {
		what = "versions"
	}
	d := diag.Errorf(s.Version.At, CodeVersion, "source '%s' has no %s", s.Name, what)
	for _, spelled := range []string{spec, "v" + spec} {
		if near := diag.Nearest(spelled, versions); near != "" && near != spec {
			return d.WithHint("did you mean %s?", near)
		}
	}
	list := releasesOf(versions)
	if len(list) == 0 {
		list = versions
	}
	if len(list) == 0 {
		return d
	}
	return d.WithHint("it has %s", strings.Join(list[:min(len(list), fewVersions)], ", "))
}

// get fetches the files of a source, and completes its entry.
func (f *fetcher) get(s project.Vendored, e Entry) (Entry, *Tree, error) {
	if s.Kind == "dir" {
		t, err := folder(s)
		if err == nil && t == nil {
			err = missingFolder(s)
		}
		if err != nil {
			return e, nil, err
		}
		old, _ := f.vendor.Lock.Entry(s.Name)
		t = t.as(old)
		e.Executable, e.Tree = t.programs(), t.Hash()
		return e, t, nil
	}
	files, digest, err := f.files(s, e)
	if err != nil {
		return e, nil, err
	}
	t, left, err := taken(files, e.Paths, e.Exclude)
	if err != nil {
		return e, nil, err
	}
	for _, name := range left {
		f.note(s.Name + ": '" + name + "' is not included: git would apply it to the files in " + s.Dir)
	}
	e.Executable, e.Tree = t.programs(), t.Hash()
	if e.Digest == "" && s.Kind != "git" {
		e.Digest = digest
	}
	return e, t, nil
}

// files fetches all files of a version.
func (f *fetcher) files(s project.Vendored, e Entry) (*archive.Files, string, error) {
	var got remote.Fetched
	var err error
	exact := e.Version
	if e.Digest != "" {
		exact = e.Version + "@" + e.Digest
		if e.Version == "" {
			exact = e.Digest
		}
	}
	switch s.Kind {
	case "git":
		files, err := f.commit(s, e)
		return files, "", err
	case "http":
		sum := e.Digest
		if sum == "" {
			sum = s.SHA256.Text
		}
		got, err = f.client.HTTP(f.ctx, s.URL.Text, sum)
	case "oci":
		got, err = f.client.OCI(f.ctx, ociRef(s), exact)
	case "chart":
		got, err = f.client.Chart(f.ctx, s.URL.Text, s.Chart.Text, exact)
	}
	return got.Files, got.Digest, err
}

// commit fetches the files of a commit that a source takes. Several sources may take different ones.
func (f *fetcher) commit(s project.Vendored, e Entry) (*archive.Files, error) {
	r, err := f.repo(s.URL.Text)
	if err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	rev := r.revs[e.Commit]
	if rev == nil {
		if rev, err = r.remote.Fetch(e.Commit, refName(e)); err != nil {
			return nil, err
		}
		r.revs[e.Commit] = rev
	}
	c := commitReader{rev: rev, keep: chosenBy(e.Paths, e.Exclude)}
	if err := fs.WalkDir(rev, ".", c.visit); err != nil {
		return nil, err
	}
	for _, n := range c.notes {
		f.note(s.Name + ": " + n)
	}
	if len(c.list) == 0 {
		return nil, noFiles(c.names, e.Paths)
	}
	return archive.New(e.From, c.list)
}

// refName returns the tag or branch of an entry, for servers that give out no commits by name.
func refName(e Entry) string {
	if e.Version == "" || strings.HasPrefix(e.Version, "-") {
		return ""
	}
	return e.Version
}

// maxBytes is the maximum size of the files of a source: configuration is far smaller.
const maxBytes = 1 << 30

// commitReader reads files of a commit. Links to files become copies; links to directories and submodules
// are left out, which the notes say.
type commitReader struct {
	rev   *git.Revision
	keep  func(name string) bool
	names []string // of all files
	list  []archive.File
	size  int64
	notes []string
}

func (c *commitReader) visit(name string, d fs.DirEntry, err error) error {
	switch {
	case c.rev.Submodule(name):
		if c.keep(name + "/x") {
			c.notes = append(c.notes, "the submodule '"+name+"' is not included")
		}
		return fs.SkipDir
	case err != nil || d.IsDir():
		return err
	}
	c.names = append(c.names, name)
	if !c.keep(name) {
		return nil
	}
	if !utf8.ValidString(name) { // archive.New explains it
		c.list = append(c.list, archive.File{Name: name})
		return nil
	}
	info, err := c.rev.Stat(name)
	switch isLink := d.Type()&fs.ModeSymlink != 0; {
	case isLink && err != nil:
		c.notes = append(c.notes, "the link '"+name+"' leads out of the repository, and is not included")
		return nil
	case isLink && info.IsDir():
		c.notes = append(c.notes, "the link '"+name+"' to a directory is not included")
		return nil
	case err != nil:
		return err
	}
	if c.size += info.Size(); c.size > maxBytes {
		return diag.Failf(CodeFetch, "the files of the source have more than %d MiB", maxBytes>>20).
			WithHint("list the files you need in `paths`")
	}
	data, err := fs.ReadFile(c.rev, name)
	c.list = append(c.list, archive.File{Name: name, Executable: info.Mode()&0o100 != 0, Data: data})
	return err
}

// announce tells which hosts will be asked for some sources.
func (f *fetcher) announce(sources []restoring) {
	var addresses []string
	for _, s := range sources {
		switch s.source.Kind {
		case "dir":
		case "git":
			if host := git.HostOf(s.source.URL.Text); host != "" {
				addresses = append(addresses, "https://"+host)
			}
		default:
			addresses = append(addresses, s.source.URL.Text)
		}
	}
	if len(addresses) > 0 {
		f.client.Announce(addresses...)
	}
}
