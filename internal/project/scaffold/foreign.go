package scaffold

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"weft/internal/lang/lazy"
)

// generatedDirs are directories with generated files.
var generatedDirs = []string{
	"node_modules", "vendor", "third_party", "out", "dist", "build", "target", "rendered",
}

// withoutVendored returns the directories that are not for copies of what others maintain.
func withoutVendored(dirs []string) []string {
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		return dir == "vendor" || dir == "third_party"
	})
}

// beside are directories about a project that are not part of it.
var beside = []string{
	"ci", "test", "tests", "testdata", "fixtures", "e2e", "hack", "doc", "docs", "sample", "samples", "example",
	"examples",
}

// foreignNames are files of other tools, without their extensions.
var foreignNames = []string{
	"kustomization", "kustomizeconfig", "vendir", "vendir.lock", "docker-compose", "compose",
	"docker-compose.override", "compose.override", "skaffold", "helmfile", "cloudbuild", "mkdocs",
	"codecov", "appveyor", "azure-pipelines", "bitbucket-pipelines", "taskfile", "pnpm-lock",
	"pnpm-workspace", "buf", "buf.gen", "buf.work", "pubspec", "action", "_config", "galaxy",
	"package-build", "package-resources", "project.lock", "golangci", "goreleaser",
}

// foreignConfig matches the beginning of configuration for other tools, which is not deployed.
var foreignConfig = lazy.Regexp{Text: `(?m)^apiVersion: *["']?` +
	`(vendir\.k14s\.io|kbld\.k14s\.io|imgpkg\.carvel\.dev|kapp\.k14s\.io|kustomize\.config\.k8s\.io|` +
	`skaffold|kind\.x-k8s\.io|kctrl\.carvel\.dev)/`}

// isForeign reports whether a file is for another tool. A file with code never is.
func isForeign(name, text string, k kind) bool {
	if k != plainFile {
		return false
	}
	base := strings.ToLower(path.Base(name))
	return slices.Contains(foreignNames, strings.TrimSuffix(base, path.Ext(base))) ||
		foreignConfig.Get().MatchString(text)
}

// isChart reports whether a directory is a Helm chart.
func isChart(dir fs.FS, name string) bool {
	return isFile(dir, path.Join(name, "Chart.yaml"))
}

// isLeftOut reports whether a directory is left out with everything in it.
func isLeftOut(dir fs.FS, name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") || slices.Contains(beside, strings.ToLower(base)) || isChart(dir, name)
}

// hasYAML reports whether there is a YAML file below a directory, or one with code.
func hasYAML(dir fs.FS, name string, withCode bool) bool {
	has := false
	_ = fs.WalkDir(dir, name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !isYAML(name) {
			return nil
		}
		if withCode {
			if text, ok := readFile(dir, name); !ok || kindOf(string(text)) == plainFile {
				return nil
			}
		}
		has = true
		return fs.SkipAll
	})
	return has
}

func isYAML(name string) bool {
	ext := path.Ext(name)
	return ext == ".yml" || ext == ".yaml"
}
