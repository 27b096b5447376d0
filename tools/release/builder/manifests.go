package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"regexp"
	"strings"
	"text/template"
)

// asset is an archive in a manifest.
type asset struct {
	OS, Arch, Folder, Binary, URL, SHA256 string

	EnginesURL, EnginesSHA256 string // the archive of weft-engines; empty if there is none
}

// manifest is the data of the manifest templates.
type manifest struct {
	Version, URL, Summary, License, Publisher, Identifier, Date string

	Assets   []asset
	Windows  []asset
	Homebrew []homebrewSystem
}

// homebrewSystem is a part of a formula, such as on_macos.
type homebrewSystem struct {
	Block  string
	Assets []asset
}

//go:embed templates
var templates embed.FS

var parsedTemplates = template.Must(template.New("").
	Funcs(template.FuncMap{"upper": strings.ToUpper}).ParseFS(templates, "templates/*"))

// manifests writes the manifests for package managers. A snapshot for some systems has only the
// manifests of these.
func (r *release) manifests(context.Context) error {
	m := r.manifest()
	winget := "manifests/winget/" + m.Identifier
	files := []struct {
		name, template string
		assets         int
	}{
		{"manifests/krew/weft.yaml", "krew.yaml", len(m.Assets)},
		{"manifests/homebrew/weft.rb", "weft.rb", len(m.Homebrew)},
		{winget + ".yaml", "winget.yaml", len(m.Windows)},
		{winget + ".installer.yaml", "winget.installer.yaml", len(m.Windows)},
		{winget + ".locale.en-US.yaml", "winget.locale.en-US.yaml", len(m.Windows)},
	}
	for _, f := range files {
		if f.assets == 0 {
			continue
		}
		var out bytes.Buffer
		if err := parsedTemplates.ExecuteTemplate(&out, f.template, m); err != nil {
			return err
		}
		if err := r.write(f.name, out.Bytes()); err != nil {
			return err
		}
	}
	return r.scoop(m)
}

func (r *release) manifest() manifest {
	m := manifest{
		Version: r.version.String(), URL: r.url, Summary: summary, License: license,
		Publisher: r.publisher, Identifier: identifier(r.publisher),
		Date: r.time.Format("2006-01-02"),
	}
	systems := map[string][]asset{}
	for _, t := range r.targets {
		name := r.archive(t)
		a := asset{
			OS: t.os, Arch: t.arch, Folder: r.folder(t), Binary: t.binary("weft"),
			URL: r.downloads + "/" + name, SHA256: r.sums[name],
		}
		if helper := r.helperFolder(t) + t.extension(); r.sums[helper] != "" {
			a.EnginesURL, a.EnginesSHA256 = r.downloads+"/"+helper, r.sums[helper]
		}
		m.Assets = append(m.Assets, a)
		systems[t.os] = append(systems[t.os], a)
	}
	m.Windows = systems["windows"]
	for _, s := range []homebrewSystem{
		{"on_macos", systems["darwin"]}, {"on_linux", systems["linux"]},
	} {
		if len(s.Assets) > 0 {
			m.Homebrew = append(m.Homebrew, s)
		}
	}
	return m
}

// identifier returns the name of the package in winget, without spaces and other characters that are not
// valid in file names.
func identifier(publisher string) string {
	return regexp.MustCompile(`[^A-Za-z0-9_-]+`).ReplaceAllString(publisher, "") + ".weft"
}

// scoopPackage is a manifest for Scoop.
type scoopPackage struct {
	Version      string                       `json:"version"`
	Description  string                       `json:"description"`
	Homepage     string                       `json:"homepage"`
	License      string                       `json:"license"`
	Architecture map[string]scoopArchitecture `json:"architecture"`
	Bin          string                       `json:"bin"`
	CheckVersion *scoopCheck                  `json:"checkver,omitempty"`
	Update       *scoopUpdate                 `json:"autoupdate,omitempty"`
}

type scoopArchitecture struct {
	URL    string `json:"url"`
	Hash   string `json:"hash,omitempty"`
	Folder string `json:"extract_dir"`
}

type scoopCheck struct {
	GitHub string `json:"github"`
}

type scoopUpdate struct {
	Architecture map[string]scoopArchitecture `json:"architecture"`
	Hash         map[string]string            `json:"hash"`
}

// scoopNames are the names that Scoop has for architectures.
var scoopNames = map[string]string{"amd64": "64bit", "arm64": "arm64"}

// scoop writes the manifest for Scoop. It can find newer releases by itself on GitHub.
func (r *release) scoop(m manifest) error {
	if len(m.Windows) == 0 {
		return nil
	}
	p := scoopPackage{
		Version: m.Version, Description: m.Summary, Homepage: m.URL, License: m.License,
		Bin: "weft.exe", Architecture: map[string]scoopArchitecture{},
	}
	updated := map[string]scoopArchitecture{}
	next := strings.NewReplacer(m.Version, "$version")
	for _, a := range m.Windows {
		p.Architecture[scoopNames[a.Arch]] = scoopArchitecture{a.URL, a.SHA256, a.Folder}
		updated[scoopNames[a.Arch]] = scoopArchitecture{
			URL: next.Replace(a.URL), Folder: next.Replace(a.Folder),
		}
	}
	if strings.HasPrefix(m.URL, "https://github.com/") {
		p.CheckVersion = &scoopCheck{m.URL}
		p.Update = &scoopUpdate{updated, map[string]string{"url": "$baseurl/SHA256SUMS"}}
	}
	data, err := json.MarshalIndent(p, "", "    ")
	if err != nil {
		return err
	}
	return r.write("manifests/scoop/weft.json", append(data, '\n'))
}
