package main

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"
)

// version is a semantic version, as in 1.2.3 or 1.2.3-rc.1.
type version string

func (v version) String() string { return string(v) }

// tag returns the git tag of the version.
func (v version) tag() string { return "v" + string(v) }

// numbers returns the version without its pre-release suffix.
func (v version) numbers() string {
	numbers, _, _ := strings.Cut(string(v), "-")
	return numbers
}

// alpine returns the version as Alpine Linux writes it: 1.2.3_rc1.
func (v version) alpine() string {
	numbers, pre, found := strings.Cut(string(v), "-")
	if !found {
		return numbers
	}
	return numbers + "_" + strings.ReplaceAll(pre, ".", "")
}

// packaged returns the version of packages for Debian and Fedora, which sort a tilde before everything.
func (v version) packaged() string { return strings.Replace(string(v), "-", "~", 1) + "-1" }

func (v version) isPrerelease() bool { return semver.Prerelease(v.tag()) != "" }

// prerelease matches the pre-release suffixes that all package managers can sort. Alpine supports no
// others.
var prerelease = regexp.MustCompile(`^-(alpha|beta|pre|rc)\.?[0-9]+$`)

// parseVersion reads a version as users write it, with or without a v.
func parseVersion(text string) (version, error) {
	v := "v" + strings.TrimPrefix(text, "v")
	switch {
	case !semver.IsValid(v):
		return "", fmt.Errorf("expected a semantic version "+
			"such as 1.2.3 or 1.2.3-rc.1, but found '%s'", text)
	case semver.Build(v) != "":
		// Container registries and download pages reject a +.
		return "", fmt.Errorf("a release has no build metadata: write '%s' instead of '%s'",
			strings.TrimSuffix(v, semver.Build(v))[1:], text)
	case semver.Canonical(v) != v:
		return "", fmt.Errorf("a version has three numbers: write '%s' instead of '%s'",
			semver.Canonical(v)[1:], text)
	case semver.Prerelease(v) != "" && !prerelease.MatchString(semver.Prerelease(v)):
		return "", fmt.Errorf("package managers cannot order the pre-release '%s': "+
			"write -alpha.1, -beta.1, -pre.1 or -rc.1 after the numbers", text)
	}
	return version(v[1:]), nil
}
