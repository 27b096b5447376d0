//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// manifestsOf writes the manifests of a release of all systems, whose archives are made up.
func manifestsOf(t *testing.T, url string) (dir string, sums map[string]string) {
	t.Helper()
	opts, err := parseArguments([]string{"1.2.3", "--url", url, "--publisher", "Ada & Co."})
	if err != nil {
		t.Fatal(err)
	}
	r := &release{
		options: opts, source: &source{time: time.Unix(1700000000, 0).UTC()}, staging: t.TempDir(),
		sums: map[string]string{},
	}
	sums = map[string]string{}
	for i, target := range allTargets {
		sums[target.String()] = fmt.Sprintf("%064x", 0xabc0+i)
		r.sums[r.archive(target)] = sums[target.String()]
		r.sums[r.helperFolder(target)+target.extension()] = fmt.Sprintf("%064x", 0xdef0+i)
	}
	if err := r.manifests(t.Context()); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(r.staging, "manifests"), sums
}

func TestHomebrewFormula(t *testing.T) {
	dir, sums := manifestsOf(t, "https://github.com/o/weft")
	file := filepath.Join(dir, "homebrew/weft.rb")
	text := string(read(t, file))
	for _, system := range []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64"} {
		url := "https://github.com/o/weft/releases/download/v1.2.3/weft_1.2.3_" + strings.Replace(
			system,
			"/",
			"_",
			1,
		) + ".tar.gz"
		if want := fmt.Sprintf("url %q\n      sha256 %q", url, sums[system]); strings.Count(
			text,
			want,
		) != 1 {
			t.Errorf("the formula does not have\n%s\n%s", want, text)
		}
	}
	for i, target := range allTargets[:4] {
		url := "https://github.com/o/weft/releases/download/v1.2.3/weft-engines_1.2.3_" + target.os + "_" +
			target.arch + ".tar.gz"
		want := fmt.Sprintf("url %q\n        sha256 \"%064x\"", url, 0xdef0+i)
		if strings.Count(text, want) != 1 {
			t.Errorf("the formula does not have\n%s\n%s", want, text)
		}
	}
	if strings.Contains(text, "windows") {
		t.Errorf("the formula is for Windows, too:\n%s", text)
	}
	need(t, "ruby")
	output(t, exec.Command("ruby", "-wc", file))
	// What the formula calls is Homebrew's; a class that answers to everything runs it.
	output(t, exec.Command("ruby", "-e", `
		class Formula
		  def self.method_missing(name, *args) = block_given? ? yield : nil
		  def self.respond_to_missing?(*) = true
		  def self.test = nil # Ruby has one of its own
		end
		load ARGV[0]
		abort "no install" unless Weft.instance_methods(false).include?(:install)`, file))
}

func TestScoopManifest(t *testing.T) {
	dir, sums := manifestsOf(t, "https://github.com/o/weft")
	var m scoopPackage
	decoder := json.NewDecoder(
		strings.NewReader(string(read(t, filepath.Join(dir, "scoop/weft.json")))),
	)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		t.Fatal(err)
	}
	if m.Version != "1.2.3" || m.Bin != "weft.exe" || len(m.Architecture) != 2 ||
		m.CheckVersion == nil {
		t.Errorf("the manifest is %+v", m)
	}
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		a, next := m.Architecture[name], m.Update.Architecture[name]
		if a.Hash != sums["windows/"+arch] || a.Folder != "weft_1.2.3_windows_"+arch ||
			!strings.HasSuffix(a.URL, "/v1.2.3/"+a.Folder+".zip") {
			t.Errorf("%s is %+v", name, a)
		}
		if next.Folder != "weft_$version_windows_"+arch ||
			!strings.HasSuffix(next.URL, "/v$version/"+next.Folder+".zip") {
			t.Errorf("the next %s is %+v", name, next)
		}
	}
	dir, _ = manifestsOf(t, "https://example.org/weft")
	if text := string(read(t, filepath.Join(dir, "scoop/weft.json"))); strings.Contains(
		text,
		"checkver",
	) {
		t.Errorf("Scoop shall look for versions where it cannot:\n%s", text)
	}
}

// TestWingetManifests holds the manifests to what version 1.6 of their schemas asks for.
func TestWingetManifests(t *testing.T) {
	dir, sums := manifestsOf(t, "https://github.com/o/weft")
	required := map[string][]string{
		"AdaCo.weft.yaml": {
			"PackageIdentifier",
			"PackageVersion",
			"DefaultLocale",
			"ManifestType",
			"ManifestVersion",
		},
		"AdaCo.weft.installer.yaml": {
			"PackageIdentifier", "PackageVersion", "Installers", "ManifestType", "ManifestVersion",
		},
		"AdaCo.weft.locale.en-US.yaml": {
			"PackageIdentifier", "PackageVersion", "PackageLocale", "Publisher",
			"PackageName", "License", "ShortDescription", "ManifestType", "ManifestVersion",
		},
	}
	identifier := regexp.MustCompile(`^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$`)
	for name, keys := range required {
		var m map[string]any
		if err := yaml.Unmarshal(read(t, filepath.Join(dir, "winget", name)), &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, key := range keys {
			if m[key] == nil {
				t.Errorf("%s has no %s", name, key)
			}
		}
		if id, _ := m["PackageIdentifier"].(string); !identifier.MatchString(id) {
			t.Errorf("%s: the identifier is %s", name, id)
		}
	}
	var m struct {
		InstallerType, NestedInstallerType, ReleaseDate string
		Installers                                      []struct {
			Architecture, InstallerUrl, InstallerSha256 string
			NestedInstallerFiles                        []struct{ RelativeFilePath, PortableCommandAlias string }
		}
	}
	text := read(t, filepath.Join(dir, "winget/AdaCo.weft.installer.yaml"))
	if err := unmarshalExact(text, &m); err != nil {
		t.Fatal(err)
	}
	if m.InstallerType != "zip" || m.NestedInstallerType != "portable" ||
		m.ReleaseDate != "2023-11-14" ||
		len(m.Installers) != 2 {
		t.Fatalf("the installers are %+v", m)
	}
	for i, arch := range []string{"amd64", "arm64"} {
		installer := m.Installers[i]
		if installer.InstallerSha256 != strings.ToUpper(sums["windows/"+arch]) ||
			installer.Architecture != []string{"x64", "arm64"}[i] ||
			!strings.HasSuffix(installer.InstallerUrl, "/weft_1.2.3_windows_"+arch+".zip") ||
			installer.NestedInstallerFiles[0].RelativeFilePath != `weft_1.2.3_windows_`+arch+`\weft.exe` {
			t.Errorf("the installer for %s is %+v", arch, installer)
		}
	}
}

// unmarshalExact reads YAML by the names of fields as they are, not in lower case.
func unmarshalExact(text []byte, to any) error {
	var m any
	if err := yaml.Unmarshal(text, &m); err != nil {
		return err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

func TestKrewManifest(t *testing.T) {
	dir, sums := manifestsOf(t, "https://github.com/o/weft")
	file := filepath.Join(dir, "krew/weft.yaml")
	text := string(read(t, file))
	for system, sum := range sums {
		if strings.Count(text, "sha256: \""+sum+"\"") != 1 {
			t.Errorf("the manifest is not for %s", system)
		}
	}
	checkKrew(t, file)
}
