package integrationtest_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"text/template"

	"weft/tools/integrationtest"
)

// asset is an archive of a release, as the template of the manifest sees it.
type asset struct{ OS, Arch, URL, SHA256, Folder, Binary string }

// TestKrew installs weft with krew from an archive and a filled-in manifest, and calls it as kubectl
// does.
func TestKrew(t *testing.T) {
	krew := integrationtest.Tool(t, integrationtest.Krew)
	s := integrationtest.NewSandbox(t)
	s.Set("KREW_ROOT", filepath.Join(s.Home, "krew"), "KREW_OS", runtime.GOOS, "KREW_ARCH", runtime.GOARCH)
	archive := archived(t)
	s.Write("weft.tar.gz", string(archive))
	sum := sha256.Sum256(archive)
	manifest, err := template.ParseFiles(absolute(t, "..", "tools", "release", "builder", "templates", "krew.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := manifest.Execute(&text, map[string]any{
		"Version": "1.2.3", "URL": "https://example.com/weft", "Summary": "Render and patch YAML",
		"Assets": []asset{
			{"windows", "amd64", "https://example.com/weft.zip", hex.EncodeToString(sum[:]), "weft-1.2.3", "weft.exe"},
			{runtime.GOOS, runtime.GOARCH, "https://example.com/weft.tar.gz", hex.EncodeToString(sum[:]), "weft-1.2.3", "weft"},
		},
	}); err != nil {
		t.Fatal(err)
	}
	s.Write("weft.yaml", text.String())
	s.Run(krew, "install", "--manifest=weft.yaml", "--archive=weft.tar.gz")

	bin := filepath.Join(s.Home, "krew", "bin")
	s.Write("app.yml", "a: 1\n")
	want(t, "kubectl-weft", s.Run(filepath.Join(bin, "kubectl-weft"), "-f", "app.yml"), "a: 1\n")
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Log("kubectl is not installed: kubectl weft is not tried")
		return
	}
	s.Before(bin)
	want(t, "kubectl weft", s.Run(kubectl, "weft", "-f", "app.yml"), "a: 1\n")
}

// archived is an archive with the weft of this repository, as a release has it.
func archived(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for name, path := range map[string]string{
		"weft-1.2.3/weft": integrationtest.Weft(t), "weft-1.2.3/LICENSE": filepath.Join("..", "..", "LICENSE"),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		header := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(data)), Typeflag: tar.TypeReg}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
