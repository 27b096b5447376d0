package weft_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"weft/internal/testing/cases"
)

// TestInputs is the law of `weft env ENV --inputs`: a file that it does not name, in no directory that it
// names, has no influence on the output, whatever it says. The test does not know what a project means: it
// changes each of the files and renders.
func TestInputs(t *testing.T) {
	named, spared := 0, 0
	for seed := range cases.Number(3, 10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			n, s := checkInputs(t, seed)
			named, spared = named+n, spared+s
		})
	}
	t.Logf("%d of the named files have an influence; %d others were changed", named, spared)
	if named < 10 || spared < 10 {
		t.Error("the law shows too little")
	}
}

// FuzzInputs is the same law for any seed.
func FuzzInputs(f *testing.F) {
	f.Add(uint64(5))
	f.Fuzz(func(t *testing.T, seed uint64) { checkInputs(t, seed) })
}

// checkInputs checks all environments of a random project, and returns how many files were of each kind.
func checkInputs(t *testing.T, seed uint64) (named, spared int) {
	p := generateProject(rand.New(rand.NewPCG(seed, 5)))
	t.Chdir(t.TempDir())
	p.write(t)
	for _, name := range slices.Concat(p.names, p.each) {
		n, s := p.checkInputs(t, name)
		named, spared = named+n, spared+s
	}
	return named, spared
}

// checkInputs changes each file of the project, and returns how many of those that are named change the
// output, and how many are not named.
func (p *generated) checkInputs(t *testing.T, env string) (influence, spared int) {
	want, ok, _ := ran("render", env)
	if !ok {
		return 0, 0
	}
	out, ok, messages := ran("env", env, "--inputs", "-o", "json")
	var list []struct{ Kind, Name string }
	if err := json.Unmarshal([]byte(out), &list); err != nil || !ok {
		t.Fatalf("%s: %v: %s%s", env, err, out, messages)
	}
	listed := func(path string) bool {
		for _, x := range list {
			if x.Name == path || x.Kind == "directory" && strings.HasPrefix(path, x.Name+"/") {
				return true
			}
		}
		return false
	}
	for path, text := range p.files {
		different := false
		for _, other := range []string{"", "}: [\n", text + "---\nkind: More\n", "name: 1\n"} {
			write(t, path, other)
			got, ok, messages := ran("render", env)
			different = different || !ok || got != want
			if !listed(path) && (!ok || got != want) {
				t.Errorf("%s: %s is not named, but decides:\n%s%s\n%s", env, path, got, messages, out)
			}
		}
		write(t, path, text)
		switch {
		case !listed(path):
			spared++
		case different:
			influence++
		}
	}
	return influence, spared
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
