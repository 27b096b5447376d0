package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.3": "1.2.3", "v1.2.3": "1.2.3", "0.1.0-rc.1": "0.1.0-rc.1",
		"10.20.30-beta2": "10.20.30-beta2",
	} {
		if v, err := parseVersion(text); err != nil || v.String() != want {
			t.Errorf("%s: %s, %v", text, v, err)
		}
	}
	for text, hint := range map[string]string{
		"":            "such as 1.2.3",
		"next":        "such as 1.2.3",
		"1.2":         "write '1.2.0' instead of '1.2'",
		"1":           "write '1.0.0' instead of '1'",
		"01.2.3":      "such as 1.2.3",
		"1.2.3.4":     "such as 1.2.3",
		"1.2.3+linux": "write '1.2.3' instead of '1.2.3+linux'",
		"1.2.3-next":  "-rc.1",
		"../1.2.3":    "such as 1.2.3",
	} {
		if v, err := parseVersion(text); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: %s, %v", text, v, err)
		}
	}
}

func TestVersionsOfPackageManagers(t *testing.T) {
	v := version("1.2.3-rc.4")
	if v.numbers() != "1.2.3" || v.alpine() != "1.2.3_rc4" || v.tag() != "v1.2.3-rc.4" ||
		!v.isPrerelease() {
		t.Errorf("%s: %s, %s, %s, %v", v, v.numbers(), v.alpine(), v.tag(), v.isPrerelease())
	}
	v = "1.2.3"
	if v.numbers() != "1.2.3" || v.alpine() != "1.2.3" || v.tag() != "v1.2.3" || v.isPrerelease() {
		t.Errorf("%s: %s, %s, %s, %v", v, v.numbers(), v.alpine(), v.tag(), v.isPrerelease())
	}
}

func TestArguments(t *testing.T) {
	opts, err := parseArguments(
		[]string{"--root", "/r", "1.2.3", "--url", "https://example.org/weft/"},
	)
	if err != nil {
		t.Fatal(err)
	}
	if opts.out != filepath.FromSlash("/r/dist/1.2.3") || len(opts.targets) != 6 || !opts.site ||
		!opts.profile ||
		opts.downloads != "https://example.org/weft/releases/download/v1.2.3" {
		t.Errorf("the options are %+v", opts)
	}
	for args, want := range map[string]string{
		"":                                  "expected one version",
		"1.2.3 1.2.4":                       "expected one version, but found 2",
		"1.2.3 --snapshot --target plan9":   "unknown target 'plan9'; the targets are darwin/amd64,",
		"1.2.3 --target linux/amd64":        "add --snapshot",
		"1.2.3 --without-playground":        "add --snapshot",
		"1.2.3 --without-engines":           "add --snapshot",
		"1.2.3 --url http://example.org":    "expected a URL that starts with https://",
		"1.2.3 --url https://example.org\"": "expected a URL that starts with https://",
		"1.2.3 --publisher a'b":             "expected names without quotes",
	} {
		if _, err := parseArguments(strings.Fields(args)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestSectionOfChangelog(t *testing.T) {
	text := "# Changelog\r\n\r\n## [Unreleased]\r\n\r\nNew.\r\n\r\n" +
		"## [1.2.3] - 2026-01-02\r\n\r\n### Added\r\n\r\n- x\r\n\r\n## [1.2.2]\r\n\r\nOld.\r\n"
	for version, want := range map[string]string{
		"Unreleased": "New.\n", "1.2.3": "### Added\n\n- x\n", "1.2.2": "Old.\n",
	} {
		if got, ok := section(text, version); !ok || got != want {
			t.Errorf("%s: %q, %v", version, got, ok)
		}
	}
	if got, ok := section(text, "1.2"); ok {
		t.Errorf("there is a section for 1.2: %q", got)
	}
}
