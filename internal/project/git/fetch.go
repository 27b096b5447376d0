package git

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
)

// CodeFetch is the code of errors about a repository that cannot be fetched.
const CodeFetch diag.Code = "vendor/fetch"

// Remote is a repository of others, fetched into a private directory. Settings of the repository that
// weft runs in do not apply, only those of the person who runs it: keys, credential helpers, proxies.
type Remote struct {
	repository
	url   string
	shown string // the URL without credentials, for messages
	opts  RemoteOptions
}

// RemoteOptions says what may be fetched.
type RemoteOptions struct {
	// Allowed reports whether a URL may be fetched although its protocol is http or file, or its host
	// is this machine.
	Allowed func(url string) bool
	// CheckHost returns why a host must not be asked, or nil, and the addresses to connect to; none
	// means any. It may be nil.
	CheckHost func(ctx context.Context, host string) (addresses []string, err error)
	// ListTimeout is how long the server may take to list its branches and tags; zero means a minute.
	ListTimeout time.Duration
	// MaxBytes is the maximum size of everything that is fetched; zero means none.
	MaxBytes int64
	// Progress, if not nil, is told how many bytes have arrived.
	Progress func(bytes int64)
}

// scpURL is a URL of the form user@host:path, which is ssh.
var scpURL = lazy.Value[*regexp.Regexp]{New: func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9._~-]+@)?([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\]):([^/\\:].*)$`)
}}

// NewRemote prepares to fetch from a repository. The caller must call Close.
func NewRemote(ctx context.Context, raw string, opts RemoteOptions) (*Remote, error) {
	r := &Remote{url: raw, shown: Shown(raw), opts: opts}
	protocol, host, port, err := r.parts(raw)
	if err != nil {
		return nil, err
	}
	allowed := opts.Allowed != nil && opts.Allowed(raw)
	switch {
	case protocol == "https" || protocol == "ssh":
	case (protocol == "http" || protocol == "file") && allowed:
	case protocol == "http" || protocol == "file":
		return nil, diag.Failf(CodeFetch, "'%s' has the protocol %s, but git repositories are fetched with https "+
			"or ssh", r.shown, protocol).
			WithHint("use https, or allow this one with --allow-outside %s", diag.InShell(r.shown))
	default:
		return nil, diag.Failf(CodeFetch, "'%s' has the protocol %s, which weft never uses", r.shown,
			diag.Shortened(protocol)).WithHint("use https or ssh")
	}
	var settings []string
	if protocol != "file" && opts.CheckHost != nil {
		addresses, err := opts.CheckHost(ctx, host)
		if err != nil {
			return nil, err
		}
		settings = pinned(protocol, host, port, addresses)
	}
	dir, err := os.MkdirTemp("", "weft-git-")
	if err != nil {
		return nil, diag.Failf(CodeFetch, "making a temporary directory: %s", err)
	}
	r.repository = repository{
		ctx: ctx, dir: dir, env: fetchEnvironment(os.Environ(), protocol, dir),
		settings: append(fetchSettings(), settings...),
	}
	if _, err := r.run("init", "--quiet", "--bare", "--template=", "."); err != nil {
		r.Close()
		return nil, r.failedFetch(err)
	}
	r.useBatchSSH()
	return r, nil
}

// parts returns the protocol, the host and the port of a URL, or an error if git might read a part of it as
// a flag.
func (r *Remote) parts(raw string) (protocol, host, port string, err error) {
	refused := func(why string) error {
		return diag.Failf(CodeFetch, "'%s' is not the URL of a git repository: %s", r.shown, why).
			WithHint("write https://HOST/PATH or ssh://HOST/PATH")
	}
	switch {
	case strings.HasPrefix(raw, "-"):
		return "", "", "", refused("it begins with '-'")
	case strings.ContainsFunc(raw, func(c rune) bool { return c <= ' ' || c == 0x7f }):
		return "", "", "", refused("it contains a space or a control character")
	}
	if name, _, ok := strings.Cut(raw, "::"); ok && !strings.ContainsAny(name, ":/") {
		return name + "::", "", "", nil // a helper of git
	}
	if m := scpURL.Get().FindStringSubmatch(raw); m != nil && !strings.Contains(raw, "://") {
		user, at, path := m[1], strings.Trim(m[2], "[]"), m[3]
		if strings.HasPrefix(user, "-") || strings.HasPrefix(at, "-") || strings.HasPrefix(path, "-") {
			return "", "", "", refused("a part of it begins with '-'")
		}
		return "ssh", at, "22", nil
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" {
		return "", "", "", refused("it has no protocol")
	}
	if u.Scheme != "file" && u.Hostname() == "" {
		return "", "", "", refused("it has no host")
	}
	user := u.User.Username()
	for _, part := range []string{u.Hostname(), user, strings.TrimPrefix(u.Path, "/"), u.Port()} {
		if strings.HasPrefix(part, "-") {
			return "", "", "", refused("a part of it begins with '-'")
		}
	}
	// In https a user alone is often a token.
	if _, has := u.User.Password(); has || u.User != nil && u.Scheme != "ssh" {
		return "", "", "", diag.Failf(CodeFetch, "'%s' contains a user or a password", r.shown).
			WithHint("remove it, and keep it in a credential helper of git")
	}
	return strings.ToLower(u.Scheme), u.Hostname(), u.Port(), nil
}

// Shown returns a URL for messages and for the lock: without a password, without a user in https, and without
// a query, which may have a signature.
func Shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil && u.RawQuery == "" {
		return raw
	}
	u.RawQuery = ""
	if u.Scheme == "ssh" && u.User != nil {
		u.User = url.User(u.User.Username())
	} else {
		u.User = nil
	}
	return u.String()
}

// HostOf returns the host of the URL of a repository, or "" for one on this machine.
func HostOf(raw string) string {
	r := Remote{shown: Shown(raw)}
	_, host, _, err := r.parts(raw)
	if err != nil {
		return ""
	}
	return host
}

// fetchSettings override the settings of the person who runs weft where they would run programs, ask
// questions, or follow the repository elsewhere.
func fetchSettings() []string {
	return []string{
		"core.hooksPath=" + os.DevNull,
		"core.fsmonitor=false",
		"core.askPass=",
		"http.followRedirects=false", // the host was checked, and credentials are for it alone
		"http.lowSpeedLimit=1000",    // bytes a second; a server that stops sending is an error after a minute
		"http.lowSpeedTime=60",
		"protocol.ext.allow=never",
		"protocol.git.allow=never",
		"fetch.recurseSubmodules=false",
		"fetch.unpackLimit=1", // what arrives is written at once, so that its size can be measured
		"submodule.recurse=false",
		"gc.auto=0",
		"maintenance.auto=false",
		"advice.graftFileDeprecated=false",
	}
}

// pinned returns the setting that makes git connect to the addresses that were checked, and no others. ssh
// has none.
func pinned(protocol, host, port string, addresses []string) []string {
	if len(addresses) == 0 || protocol == "ssh" || net.ParseIP(host) != nil {
		return nil
	}
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[protocol]
	}
	return []string{"http.curloptResolve=" + host + ":" + port + ":" + strings.Join(addresses, ",")}
}

// personal are variables that select the settings and keys of the person who runs weft.
var personal = []string{
	"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT",
	"GIT_SSL_KEY", "GIT_SSL_NO_VERIFY", "GIT_HTTP_PROXY_AUTHMETHOD",
}

// fetchEnvironment returns the environment variables for git when it fetches with a protocol.
func fetchEnvironment(all []string, protocol, dir string) []string {
	var env []string
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		switch {
		case name == "SSH_ASKPASS" || name == "SSH_ASKPASS_REQUIRE" || name == "LC_ALL":
		case strings.HasPrefix(name, "GIT_CONFIG_KEY_"), strings.HasPrefix(name, "GIT_CONFIG_VALUE_"),
			!strings.HasPrefix(name, "GIT_"), slices.Contains(personal, name):
			env = append(env, v)
		}
	}
	protocols := "https:ssh"
	if protocol == "http" || protocol == "file" {
		protocols = protocol // --allow-outside names it
	}
	if ca := os.Getenv("SSL_CERT_FILE"); ca != "" && os.Getenv("GIT_SSL_CAINFO") == "" {
		env = append(env, "GIT_SSL_CAINFO="+ca)
	}
	return append(
		env,
		"GIT_DIR="+dir, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL="+protocols, "GIT_PROTOCOL_FROM_USER=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GCM_INTERACTIVE=never",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull,
		"LC_ALL=C",
	)
}

// useBatchSSH keeps ssh from asking questions, unless the person has chosen a program for ssh.
func (r *Remote) useBatchSSH() {
	if os.Getenv("GIT_SSH") != "" || os.Getenv("GIT_SSH_COMMAND") != "" {
		return
	}
	if out, err := r.run("config", "--get", "core.sshCommand"); err == nil && len(out) > 0 {
		return
	}
	r.env = append(r.env, "GIT_SSH_COMMAND=ssh -oBatchMode=yes -oConnectTimeout=30")
}

// Close removes the private directory.
func (r *Remote) Close() { _ = os.RemoveAll(r.dir) }

// Ref is a branch or a tag, and the commit that it names.
type Ref struct{ Name, Commit string }

// Refs returns the tags and branches of the repository, and the branch that HEAD is, or "".
func (r *Remote) Refs() (tags, branches []Ref, head string, err error) {
	out, err := r.runTimed("ls-remote", "--quiet", "--symref", "--", r.url)
	if err != nil {
		return nil, nil, "", r.failedFetch(err)
	}
	index := map[string]int{}
	for line := range strings.Lines(string(out)) {
		id, name, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if branch, isRef := strings.CutPrefix(id, "ref: refs/heads/"); isRef && name == "HEAD" {
			head = branch
			continue
		}
		if !ok || !isCommit(id) {
			continue
		}
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			branches = append(branches, Ref{branch, id})
			continue
		}
		tag, ok := strings.CutPrefix(name, "refs/tags/")
		if !ok {
			continue
		}
		if target, peeled := strings.CutSuffix(tag, "^{}"); peeled { // the commit of an annotated tag
			if i, known := index[target]; known {
				tags[i].Commit = id
			}
			continue
		}
		index[tag] = len(tags)
		tags = append(tags, Ref{tag, id})
	}
	return tags, branches, head, nil
}

// isCommit reports whether text is the full name of an object.
func isCommit(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// IsCommit reports whether text is the full name of a commit.
func IsCommit(text string) bool { return isCommit(text) }

// Fetch fetches a commit without its history, and returns its files. ref is a branch or a tag with the
// commit, which is asked for if the server gives out no commits by name; it may be "". The caller must call
// Close on the result.
func (r *Remote) Fetch(commit, ref string) (*Revision, error) {
	if !isCommit(commit) {
		return nil, diag.Failf(CodeFetch, "'%s' is not the full name of a commit", diag.Shortened(commit))
	}
	fetch := func(args ...string) error {
		return r.runLimited(append([]string{
			"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		}, args...)...)
	}
	err := fetch("--depth=1", "--", r.url, commit)
	if err != nil && ref != "" && r.ctx.Err() == nil && !isLimit(err) {
		err = fetch("--depth=1", "--", r.url, ref+":refs/weft/fetched")
	}
	if err == nil && !r.has(commit) || err != nil && r.ctx.Err() == nil && isNotGiven(err) {
		err = fetch("--", r.url, "+refs/heads/*:refs/weft/heads/*", "+refs/tags/*:refs/weft/tags/*")
	}
	if err != nil {
		return nil, r.failedFetch(err)
	}
	if !r.has(commit) {
		return nil, diag.Failf(CodeFetch, "%s has no commit %s", r.shown, commit).
			WithHint("if its history was rewritten, lock another version: weft vendor update")
	}
	return r.open(commit)
}

// isNotGiven reports whether a server refuses to give out a commit by its name, or does not have it.
func isNotGiven(err error) bool {
	text := err.Error()
	return strings.Contains(text, "unadvertised object") || strings.Contains(text, "not our ref") ||
		strings.Contains(text, "couldn't find remote ref")
}

func (r *Remote) has(commit string) bool {
	_, err := r.run("cat-file", "-e", commit+"^{commit}")
	return err == nil
}

// open returns the files of a commit that was fetched.
func (r *Remote) open(commit string) (*Revision, error) {
	list, err := r.run("ls-tree", "-r", "-z", "--long", "--full-tree", commit)
	if err != nil {
		return nil, r.failedFetch(err)
	}
	rev := &Revision{batch: &batch{repository: r.repository, name: commit}, id: commit}
	if rev.tree, err = parseTree(list, "", rev.batch.read); err != nil {
		for _, d := range diag.Of(err) {
			d.Code, d.Message = CodeFetch, "cannot use "+r.shown+": "+d.Message
		}
		return nil, err
	}
	return rev, nil
}

// Submodule reports whether a path is another repository, whose files are not part of this one.
func (r *Revision) Submodule(name string) bool {
	n := r.nodes[name]
	return n != nil && n.isSubmodule()
}

// failedFetch returns the error that git could not fetch.
func (r *Remote) failedFetch(err error) error {
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	if isLimit(err) {
		return err
	}
	if missing := missingGit(err, "weft vendor"); missing != nil {
		missing.Code = CodeFetch
		return missing
	}
	text := strings.ReplaceAll(err.Error(), r.url, r.shown)
	d := diag.Failf(CodeFetch, "cannot fetch %s: %s", r.shown, diag.Visible(text))
	switch {
	case strings.Contains(text, "could not read Username"), strings.Contains(text, "Authentication failed"),
		strings.Contains(text, "Permission denied"):
		d.WithHint("weft asks no questions: check that `git ls-remote %s` works without one", diag.InShell(r.shown))
	case strings.Contains(text, "not found"), strings.Contains(text, "does not exist"),
		strings.Contains(text, "does not appear to be a git repository"):
		d.WithHint("check the address: git ls-remote %s", diag.InShell(r.shown))
	case strings.Contains(text, "redirect"), strings.Contains(text, "error: 30"):
		d.WithHint("the server redirects, and weft does not follow: name the new address")
	case strings.Contains(text, "MiB of names"):
		d.WithHint("fetch an archive of the files that you need, with `http` instead of `git`")
	case strings.Contains(text, "certificate"):
		d.WithHint("name the file with your certificate authority in the variable SSL_CERT_FILE")
	case strings.Contains(text, "Could not resolve"), strings.Contains(text, "Failed to connect"):
		d.WithHint("check the network, and the variables HTTPS_PROXY and NO_PROXY")
	}
	return d
}
