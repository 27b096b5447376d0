package project

import (
	"strings"
	"testing"

	"weft/internal/lang/diag"
)

// TestWithoutCredentials checks that lines of weft.yml are shown without what may be a password, and with all
// else.
func TestWithoutCredentials(t *testing.T) {
	for line, want := range map[string]string{
		"  l: {git: 'https://me:s3cret@h/x'}":            "  l: {git: 'https://‹secret›@h/x'}",
		"git: https://s3cret@h/x@v1":                     "git: https://‹secret›@h/x@v1",
		"git: https://me:s3c@ret@h/x":                    "git: https://‹secret›@h/x",
		"git: https://me:s3/cret@h/x":                    "git: https://‹secret›@h/x",
		"git: ssh://git@h/x":                             "git: ssh://git@h/x",
		"git: ssh://git:s3cret@h/x":                      "git: ssh://‹secret›@h/x",
		"git: git@h:x":                                   "git: git@h:x",
		"http: https://h:8443/x@1.yml, paths: [a@b]":     "http: https://h:8443/x@1.yml, paths: [a@b]",
		"http: https://h/x?token=s3cret&b=1 # a":         "http: https://h/x?‹secret› # a",
		"http: https://me:s3cret@h/x?sig=s3cret":         "http: https://‹secret›@h/x?‹secret›",
		"oci: me:s3cret@registry.example.com/a":          "oci: ‹secret›@registry.example.com/a",
		"chart: 'oci://me:s3cret@registry.example.com/'": "chart: 'oci://‹secret›@registry.example.com/'",
		"image: nginx:1.25@sha256:00":                    "image: nginx:1.25@sha256:00",
		"cannot fetch 'https://me:s3cret@h/x'":           "cannot fetch 'https://‹secret›@h/x'",
	} {
		if got := withoutCredentials(line, false); got != want || strings.Contains(got, "s3c") {
			t.Errorf("%s: got %s", line, got)
		}
	}
}

// TestExcerptWithoutCredentials checks that an error about a source does not show its password.
func TestExcerptWithoutCredentials(t *testing.T) {
	_, err := Open(Options{Path: "weft.yml", Text: []byte(
		"weft: 2026\nvendor: {l: {git: 'https://me:s3cret@h/x', http: 'https://h/?s3cret'}}\n")})
	f := diag.FailureOf(err)
	if f == nil || len(f.List) == 0 {
		t.Fatal("no error")
	}
	var b strings.Builder
	if err := diag.Render(&b, f.Files, f.List, diag.RenderOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "‹secret›@h/x") || strings.Contains(got, "s3cret") {
		t.Errorf("got\n%s", got)
	}
}
