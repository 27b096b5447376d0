//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	gcrtar "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

const testVersion = "0.9.0-rc.1"

// TestRelease makes a snapshot for one system twice, as two machines would that have little in
// common, and uses what comes out. WEFT_TEST_RELEASE=1 has it fail instead of skipping what needs a
// program that is not installed.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("builds weft twice")
	}
	first := snapshot(t, "UTC", 0o022)
	second := snapshot(t, "Asia/Kathmandu", 0o077)
	t.Run("same bytes", func(t *testing.T) { sameBytes(t, first, second) })
	t.Run("checksums", func(t *testing.T) { checkSums(t, first) })
	t.Run("archive", func(t *testing.T) { checkArchive(t, first) })
	t.Run("nothing of the machine", func(t *testing.T) { checkTraces(t, first) })
	t.Run("deb", func(t *testing.T) { checkDeb(t, first) })
	t.Run("rpm", func(t *testing.T) { checkRPM(t, first) })
	t.Run("apk", func(t *testing.T) { checkAPK(t, first) })
	t.Run("image", func(t *testing.T) { checkImages(t, first) })
	t.Run("SBOM", func(t *testing.T) { checkSBOM(t, first) })
	t.Run(
		"krew",
		func(t *testing.T) { checkKrew(t, filepath.Join(first, "manifests/krew/weft.yaml")) },
	)
}

// snapshot builds for linux on this architecture, in folders and with settings of its own.
func snapshot(t *testing.T, zone string, umask int) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TZ", zone)
	t.Setenv("GOFLAGS", "-tags=of-this-machine")
	t.Setenv("WEFT_ENV", "of-this-machine")
	defer syscall.Umask(syscall.Umask(umask))
	out := filepath.Join(dir, "out", testVersion)
	opts, err := parseArguments([]string{
		testVersion, "--snapshot", "--without-site", "--without-vsix",
		"--without-playground", "--without-profile", "--without-engines", "--target", "linux/" + runtime.GOARCH,
		"--root", root(t), "-o", out, "--url", "https://github.com/o/weft",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := build(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	return out
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func sameBytes(t *testing.T, first, second string) {
	a, b := tree(t, first), tree(t, second)
	if len(a) < 12 {
		t.Errorf("the release has %d files", len(a))
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs from build to build", name)
		}
		delete(b, name)
	}
	for name := range b {
		t.Errorf("%s is only in the second release", name)
	}
}

func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	list, err := readFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range list {
		files[f.path] = f.data
	}
	return files
}

func checkSums(t *testing.T, dir string) {
	files := tree(t, dir)
	sums := string(files["SHA256SUMS"])
	delete(files, "SHA256SUMS")
	for name, data := range files {
		if !strings.Contains(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)) {
			t.Errorf("SHA256SUMS has not %s as it is", name)
		}
	}
	if n := strings.Count(sums, "\n"); n != len(files) {
		t.Errorf("SHA256SUMS has %d lines for %d files", n, len(files))
	}
	need(t, "sha256sum")
	output(t, exec.Command("sh", "-c", "cd "+dir+" && sha256sum --check --quiet SHA256SUMS"))
}

// assetPath is the path of a file for the system that was built for.
func assetPath(dir, end string) string {
	return filepath.Join(dir, "weft_"+testVersion+"_linux_"+runtime.GOARCH+end)
}

func checkArchive(t *testing.T, dir string) {
	data := gunzip(t, read(t, assetPath(dir, ".tar.gz")))
	top := "weft_" + testVersion + "_linux_" + runtime.GOARCH + "/"
	var names []string
	to := t.TempDir()
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" || header.Gname != "" {
			t.Errorf("%s has an owner: %+v", header.Name, header)
		}
		if !strings.HasPrefix(header.Name, top) {
			t.Errorf("%s is not in the folder %s", header.Name, top)
		}
		names = append(names, strings.TrimPrefix(header.Name, top))
		if err := extractEntry(r, header, filepath.Join(to, header.Name)); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the files are in no order: %q", names)
	}
	for _, name := range []string{
		"LICENSE", "NOTICES.txt", "README.md", "completions/_weft",
		"completions/weft.bash", "completions/weft.fish",
		"completions/weft.ps1", "man/weft.1", "man/weft-render.1", "weft",
	} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing", name)
		}
	}
	checkRuns(t, filepath.Join(to, top, "weft"))
	notices := string(read(t, filepath.Join(to, top, "NOTICES.txt")))
	for _, name := range []string{"github.com/spf13/cobra v", "go.starlark.net v", "\nGo\n"} {
		if !strings.Contains(notices, name) {
			t.Errorf("the notices do not name %s", name)
		}
	}
	if man := string(read(t, filepath.Join(to, top, "man/weft.1"))); !strings.Contains(
		man,
		`weft 0.9.0\-rc.1`,
	) {
		t.Errorf("the man page does not name the version:\n%.200s", man)
	}
}

// checkRuns has weft say its version, and render.
func checkRuns(t *testing.T, weft string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Log("not run: this is not linux")
		return
	}
	if got := output(t, exec.Command(weft, "version")); !strings.HasPrefix(
		got,
		"weft version "+testVersion+"\n",
	) {
		t.Errorf("weft version prints %s", got)
	}
	cmd := exec.Command(weft, "-f", "-")
	cmd.Stdin = strings.NewReader("sum: #@ 1 + 1\n")
	if got := output(t, cmd); got != "sum: 2\n" {
		t.Errorf("weft renders %q", got)
	}
}

// checkTraces looks for names of the machine in all files, also in compressed ones.
func checkTraces(t *testing.T, dir string) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	traces := []string{root(t), filepath.Dir(filepath.Dir(dir)), "weft-release-", "of-this-machine"}
	if len(host) >= 8 { // others, such as 'build', may well be words
		traces = append(traces, host)
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) >= 8 {
		traces = append(traces, home)
	}
	for name, data := range tree(t, dir) {
		if strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".apk") {
			data = gunzip(t, data)
		}
		for _, trace := range traces {
			if bytes.Contains(data, []byte(trace)) {
				t.Errorf("%s contains %s", name, trace)
			}
		}
	}
}

func checkDeb(t *testing.T, dir string) {
	need(t, "dpkg-deb")
	deb := assetPath(dir, ".deb")
	fields := exec.Command("dpkg-deb", "--field", deb, "Package", "Version", "Architecture")
	if got := output(t, fields); got !=
		"Package: weft\nVersion: 0.9.0~rc.1-1\nArchitecture: "+runtime.GOARCH+"\n" {
		t.Errorf("the package says\n%s", got)
	}
	to := t.TempDir()
	if os.Getuid() == 0 {
		// A system with nothing but a list of its packages, in which weft is installed and removed.
		for _, name := range []string{"status", "available"} {
			write(t, filepath.Join(to, "var/lib/dpkg", name), "")
		}
		for _, name := range []string{"info", "updates", "triggers"} {
			if err := os.MkdirAll(filepath.Join(to, "var/lib/dpkg", name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		dpkg := []string{
			"--root=" + to, "--log=" + filepath.Join(t.TempDir(), "log"),
			"--force-not-root,bad-path,script-chrootless",
		}
		output(t, exec.Command("dpkg", append(dpkg, "--install", deb)...))
		if got := output(t, exec.Command("dpkg", append(dpkg, "--verify", "weft")...)); got != "" {
			t.Errorf("dpkg --verify says\n%s", got)
		}
		defer func() {
			output(t, exec.Command("dpkg", append(dpkg, "--purge", "weft")...))
			if _, err := os.Stat(filepath.Join(to, "usr/bin/weft")); !errors.Is(
				err,
				fs.ErrNotExist,
			) {
				t.Errorf("weft is still there: %v", err)
			}
		}()
	} else {
		t.Log("not installed with dpkg --root, only unpacked: this is not root")
		output(t, exec.Command("dpkg-deb", "--extract", deb, to))
	}
	checkInstalled(t, to, "usr/share/zsh/vendor-completions/_weft")
}

// checkInstalled looks at the files of a package, at the places where programs look for them.
func checkInstalled(t *testing.T, to, zsh string) {
	t.Helper()
	checkRuns(t, filepath.Join(to, "usr/bin/weft"))
	man := gunzip(t, read(t, filepath.Join(to, "usr/share/man/man1/weft-render.1.gz")))
	if !bytes.Contains(man, []byte("weft\\-render \\- ")) {
		t.Errorf("the man page is\n%.300s", man)
	}
	for name, part := range map[string]string{
		"usr/share/bash-completion/completions/weft":    "complete -o default",
		"usr/share/fish/vendor_completions.d/weft.fish": "complete -c weft",
		zsh:                              "#compdef weft",
		"usr/share/doc/weft/copyright":   "Apache License",
		"usr/share/doc/weft/NOTICES.txt": "cobra",
	} {
		if text := string(read(t, filepath.Join(to, name))); !strings.Contains(text, part) {
			t.Errorf("%s does not contain '%s'", name, part)
		}
	}
	need(t, "bash")
	script := `source "$0/usr/share/bash-completion/completions/weft" && complete -p weft`
	output(t, exec.Command("bash", "--norc", "-c", script, to))
}

func checkRPM(t *testing.T, dir string) {
	need(t, "rpm")
	rpm := assetPath(dir, ".rpm")
	got := output(t, exec.Command("rpm", "--query", "--package", rpm, "--queryformat",
		"%{NAME} %{VERSION} %{RELEASE} %{BUILDHOST} %{LICENSE}"))
	if got != "weft 0.9.0~rc.1 1 localhost Apache-2.0" {
		t.Errorf("the package says %s", got)
	}
	output(t, exec.Command("rpm", "--checksig", "--nosignature", rpm))
	to := t.TempDir()
	if os.Getuid() != 0 {
		t.Skip("not installed with rpm --root: this is not root")
	}
	output(
		t,
		exec.Command(
			"rpm",
			"--root",
			to,
			"--install",
			"--nodeps",
			"--nosignature",
			"--noscripts",
			rpm,
		),
	)
	checkInstalled(t, to, "usr/share/zsh/site-functions/_weft")
}

// checkAPK reads a package for Alpine Linux: two tar archives in one.
func checkAPK(t *testing.T, dir string) {
	data := gunzip(t, read(t, assetPath(dir, ".apk")))
	to := t.TempDir()
	names := map[string]bool{}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names[header.Name] = true
		if err := extractEntry(r, header, filepath.Join(to, header.Name)); err != nil {
			t.Fatal(err)
		}
	}
	info := string(read(t, filepath.Join(to, ".PKGINFO")))
	for _, line := range []string{
		"pkgname = weft\n", "pkgver = 0.9.0_rc1-r0\n", "license = Apache-2.0\n",
		"pkgdesc = " + summary + "\n",
	} {
		if !strings.Contains(info, line) {
			t.Errorf(".PKGINFO has no line %q:\n%s", line, info)
		}
	}
	checkInstalled(t, to, "usr/share/zsh/site-functions/_weft")
}

func checkImages(t *testing.T, dir string) {
	to := t.TempDir()
	name := filepath.Join(dir, "weft_"+testVersion+"_oci.tar")
	if err := extract(bytes.NewReader(read(t, name)), to); err != nil {
		t.Fatal(err)
	}
	top, err := layout.ImageIndexFromPath(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(top); err != nil {
		t.Error(err)
	}
	manifest, err := top.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 ||
		manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != testVersion {
		t.Fatalf("the layout has %+v, %v", manifest, err)
	}
	index, err := top.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	images, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if p := images.Manifests[0].Platform; p == nil || p.OS != "linux" ||
		p.Architecture != runtime.GOARCH {
		t.Errorf("the image is for %v", p)
	}
	image, err := index.Image(images.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, image)
	docker, err := gcrtar.ImageFromPath(
		filepath.Join(dir, "weft_"+testVersion+"_docker_"+runtime.GOARCH+".tar"),
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, docker)
}

func checkImage(t *testing.T, image v1.Image) {
	t.Helper()
	if err := validate.Image(image); err != nil {
		t.Error(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; !slices.Equal(c.Entrypoint, []string{"/usr/bin/weft"}) ||
		c.User != "65532:65532" ||
		c.Labels["org.opencontainers.image.version"] != testVersion {
		t.Errorf("the image is configured like this: %+v", c)
	}
	to := t.TempDir()
	content := mutate.Extract(image)
	defer content.Close()
	if err := extract(content, to); err != nil {
		t.Fatal(err)
	}
	checkRuns(t, filepath.Join(to, "usr/bin/weft"))
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(read(t, filepath.Join(to, "etc/ssl/certs/ca-certificates.crt"))) {
		t.Error("the image has no certificates")
	}
	for _, name := range []string{"tmp", "work"} {
		if info, err := os.Stat(filepath.Join(to, name)); err != nil || !info.IsDir() {
			t.Errorf("the image has no folder %s: %v", name, err)
		}
	}
}

func checkSBOM(t *testing.T, dir string) {
	var bom cdx.BOM
	data := read(t, assetPath(dir, ".cdx.json"))
	decoder := cdx.NewBOMDecoder(bytes.NewReader(data), cdx.BOMFileFormatJSON)
	if err := decoder.Decode(&bom); err != nil {
		t.Fatal(err)
	}
	if v := bom.Metadata.Component.Version; v != "v"+testVersion {
		t.Errorf("the SBOM is about version %s", v)
	}
	if bytes.Contains(data, []byte("goos=")) {
		t.Error("the SBOM names the system of this machine")
	}
	known := map[string]bool{bom.Metadata.Component.BOMRef: true}
	names := map[string]bool{}
	for _, c := range *bom.Components {
		known[c.BOMRef], names[c.Name] = true, true
	}
	for _, name := range []string{"std", "github.com/spf13/cobra", "go.starlark.net"} {
		if !names[name] {
			t.Errorf("the SBOM does not name %s", name)
		}
	}
	for _, d := range *bom.Dependencies {
		if !known[d.Ref] {
			t.Errorf("the SBOM has a dependency of %s, which it does not describe", d.Ref)
		}
	}
}

// checkKrew has krew's own program read a manifest.
func checkKrew(t *testing.T, file string) {
	t.Helper()
	named := filepath.Join(t.TempDir(), "weft.yaml") // krew wants it to be named like the plugin
	write(t, named, string(read(t, file)))
	output(
		t,
		exec.Command("go", "tool", "validate-krew-manifest", "-manifest", named, "-skip-install"),
	)
}

// TestFailureLeavesNothing has a build fail late, and finds nothing of it.
func TestFailureLeavesNothing(t *testing.T) {
	repo, out := t.TempDir(), filepath.Join(t.TempDir(), "dist", "1.0.0")
	write(t, filepath.Join(repo, "go.mod"), "module weft\n\ngo 1.26\n")
	write(t, filepath.Join(repo, "CHANGELOG.md"), "## [1.0.0] - 2026-01-01\n\nFirst.\n")
	write(t, filepath.Join(repo, "cmd/weft/main.go"), "package main\n\nfunc main() { missing() }\n")
	commit(t, repo)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	opts, err := parseArguments([]string{
		"1.0.0", "--snapshot", "--without-playground", "--target", "linux/amd64",
		"--root", repo, "-o", out,
	})
	if err != nil {
		t.Fatal(err)
	}
	err = build(t.Context(), opts)
	if err == nil || !strings.Contains(err.Error(), "undefined: missing") {
		t.Errorf("the error is %v", err)
	}
	for _, dir := range []string{filepath.Dir(out), tmp} {
		left, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if len(left) > 0 {
			t.Errorf("%s has %v", dir, left)
		}
	}
}

// TestCommand runs the command as users do.
func TestCommand(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "expected one version"},
		{"1.2", "write '1.2.0' instead of '1.2'"},
		{"1.2.3 --target linux/amd64", "add --snapshot"},
		{"--help", "usage: go run ./tools/release VERSION"},
	} {
		cmd := exec.Command(
			"go",
			append([]string{"run", "./tools/release"}, strings.Fields(test.args)...)...)
		cmd.Dir = root(t)
		out, err := cmd.CombinedOutput()
		if failed := err != nil; failed == (test.args == "--help") ||
			!strings.Contains(string(out), test.want) {
			t.Errorf("release %s: %v\n%s", test.args, err, out)
		}
	}
}

// TestBuildInfo has the command in build.json be one that gives the same options.
func TestBuildInfo(t *testing.T) {
	args := []string{
		"1.2.3", "--snapshot", "--url", "https://example.org/weft",
		"--maintainer", "Ada <ada@example.org>",
		"--target", "linux/arm64,darwin/amd64", "--without-vsix",
	}
	opts, err := parseArguments(args)
	if err != nil {
		t.Fatal(err)
	}
	r := &release{options: opts}
	again, err := parseArguments(r.command()[3:])
	if err != nil {
		t.Fatal(err)
	}
	a, b := fmt.Sprintf("%+v", opts), fmt.Sprintf("%+v", again)
	if a != b {
		t.Errorf("%s\nbecomes\n%s", a, b)
	}
	if _, err := json.Marshal(r.command()); err != nil {
		t.Error(err)
	}
}

// need skips a test without a program, and fails it in CI.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("WEFT_TEST_RELEASE") != "" {
		t.Fatalf("%s is not installed", program)
	}
	t.Skipf("%s is not installed", program)
}

func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args, " "), err, out, &stderr)
	}
	return string(out)
}

func gunzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "" {
		t.Errorf("the header of gzip has the name %s", r.Name)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// commit makes a repository of a folder, with one commit.
func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all"},
		{"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "all"},
	} {
		git := command{dir: dir, args: append([]string{"git"}, args...)}
		if _, err := run(t.Context(), git); err != nil {
			t.Fatal(err)
		}
	}
}
