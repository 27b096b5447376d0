package main

import (
	"fmt"
	"slices"
	"strings"
)

// target is a system to build for, as GOOS and GOARCH.
type target struct{ os, arch string }

// allTargets are the systems of a release, sorted.
var allTargets = []target{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

func (t target) String() string { return t.os + "/" + t.arch }

// environment returns the variables to build for the target.
func (t target) environment() []string { return []string{"GOOS=" + t.os, "GOARCH=" + t.arch} }

// binary returns the name of a program on the system.
func (t target) binary(name string) string {
	if t.os == "windows" {
		return name + ".exe"
	}
	return name
}

// extension returns what names of archives for the system end with.
func (t target) extension() string {
	if t.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// parseTargets parses a list such as linux/amd64,darwin/arm64. An empty list means all targets.
func parseTargets(list string) ([]target, error) {
	if list == "" {
		return allTargets, nil
	}
	var targets []target
	for _, t := range allTargets {
		if slices.Contains(strings.Split(list, ","), t.String()) {
			targets = append(targets, t)
		}
	}
	for name := range strings.SplitSeq(list, ",") {
		if !slices.ContainsFunc(allTargets, func(t target) bool { return t.String() == name }) {
			return nil, fmt.Errorf("unknown target '%s'; the targets are %s",
				name, joined(allTargets))
		}
	}
	return targets, nil
}

func joined(targets []target) string {
	var names []string
	for _, t := range targets {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}
