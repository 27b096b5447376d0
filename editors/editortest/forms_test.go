package editortest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/editors/editortest"
)

// readTOML decodes a TOML file, with Python's reader.
func readTOML(t *testing.T, result any, elements ...string) {
	t.Helper()
	python := editortest.Program(t, "python3")
	out, err := exec.Command(python, "-c",
		"import json, sys, tomllib; json.dump(tomllib.load(open(sys.argv[1], 'rb')), sys.stdout)",
		filepath.Join(elements...)).Output()
	if err == nil {
		err = json.Unmarshal(out, result)
	}
	if err != nil {
		t.Fatalf("%s: %v", filepath.Join(elements...), err)
	}
}

// languageIDs are the languages that the server distinguishes.
var languageIDs = []string{"weft-yaml", "weft-text", "weft-star", "yaml"}

// TestZedForm checks the form of the extension for Zed, which cannot run here: its languages are those of the
// manifest, and have the names that the server knows.
func TestZedForm(t *testing.T) {
	var manifest struct {
		ID              string
		Version         string
		SchemaVersion   int `json:"schema_version"`
		LanguageServers map[string]struct {
			Languages   []string
			LanguageIDs map[string]string `json:"language_ids"`
		} `json:"language_servers"`
	}
	readTOML(t, &manifest, "..", "zed", "extension.toml")
	want(t, "the version of the form", manifest.SchemaVersion, 1)
	var cargo struct {
		Package struct{ Version string }
		Lib     struct {
			CrateType []string `json:"crate-type"`
		}
	}
	readTOML(t, &cargo, "..", "zed", "Cargo.toml")
	want(t, "the version", cargo.Package.Version, manifest.Version)
	if !slices.Equal(cargo.Lib.CrateType, []string{"cdylib"}) {
		t.Errorf("Zed loads no %v", cargo.Lib.CrateType)
	}
	server := manifest.LanguageServers["weft"]
	want(t, "languages with a name for the server", len(server.LanguageIDs), len(server.Languages))
	for _, language := range server.Languages {
		if id := server.LanguageIDs[language]; !slices.Contains(languageIDs, id) {
			t.Errorf("the server does not know %q, which %s has", id, language)
		}
	}
	folders, err := os.ReadDir(filepath.Join("..", "zed", "languages"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		var config struct {
			Name      string
			FirstLine string `json:"first_line_pattern"`
			Brackets  []any
		}
		readTOML(t, &config, "..", "zed", "languages", folder.Name(), "config.toml")
		want(t, "the name for the server of "+config.Name, server.LanguageIDs[config.Name], folder.Name())
		want(t, "the first lines of "+config.Name+", which only scripts would have", config.FirstLine, "")
		if len(config.Brackets) == 0 {
			t.Errorf("%s closes no brackets", config.Name)
		}
	}
	for _, block := range blocks(t, filepath.Join("..", "zed", "README.md"), "json") {
		var settings struct {
			FileTypes map[string][]string `json:"file_types"`
		}
		if err := json.Unmarshal([]byte(block), &settings); err != nil {
			t.Errorf("the README: %v", err)
		}
		for language, globs := range settings.FileTypes {
			if !slices.Contains(server.Languages, language) {
				t.Errorf("the README names %q", language)
			}
			for _, glob := range globs {
				if !strings.HasPrefix(glob, "**/") { // Zed matches the path from the name of the folder that is open
					t.Errorf("%s in the README finds no file in a folder that Zed opens", glob)
				}
			}
		}
	}
}

// TestHelixForm checks that each language of Helix has the server, and a name that it knows.
func TestHelixForm(t *testing.T) {
	var config struct {
		Language []struct {
			Name       string
			LanguageID string   `json:"language-id"`
			Servers    []string `json:"language-servers"`
		}
	}
	readTOML(t, &config, "..", "helix", "languages.toml")
	var ids []string
	for _, l := range config.Language {
		id := l.LanguageID
		if id == "" {
			id = l.Name
		}
		ids = append(ids, id)
		if !slices.Contains(l.Servers, "weft") {
			t.Errorf("%s has the servers %v", l.Name, l.Servers)
		}
	}
	if !slices.Equal(ids, languageIDs) {
		t.Errorf("the languages are %v, want %v", ids, languageIDs)
	}
}
