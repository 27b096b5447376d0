package weft_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft"
)

// A run with a cache gives what one without gives, whatever happened to the files before: what it
// prints, what it warns of, what is wrong, and what it leaves in a directory.
func FuzzCache(f *testing.F) {
	f.Add(uint8(0), []byte{0, 10, 20, 30, 11, 21, 31, 90, 91, 1, 2, 3})
	f.Add(uint8(1), []byte("\x05\x0f\x46\x10\x3d\x46\x60\x06\x47\x3c\x0a\x1e\x28\x1e\x29"))
	f.Add(uint8(2), []byte("the quick brown fox jumps over the lazy dog"))
	f.Add(uint8(3), []byte("pack my box with five dozen liquor jugs"))
	f.Add(uint8(4), []byte("\x03\x0d\x17\x04\x0e\x3c\x03\x5a\x50\x03\x51\x00\x0a\x64\x65\x66"))
	f.Add(uint8(5), []byte("sphinx of black quartz, judge my vow"))
	f.Add(uint8(6), []byte("how vexingly quick daft zebras jump"))
	f.Add(uint8(11), []byte("two driven jocks help fax my big quiz"))
	f.Fuzz(func(t *testing.T, how uint8, edits []byte) {
		dir := t.TempDir()
		file(t, dir, "c/schema.yml", "#@data/values-schema\n---\nname: x\nreplicas: 1\n")
		cache, out := &weft.Cache{}, weft.Dir{Path: filepath.Join(dir, "out"), Prune: true}
		opts := weft.Options{Inputs: []string{filepath.Join(dir, "c")}}
		switch how % 6 {
		case 1:
			opts.Edition = weft.Edition2026
		case 2:
			opts.Format = weft.JSON
		case 3:
			out.Split = "{file}-{index}.yml"
		case 4:
			opts.Keep = weft.KeepAll
		case 5:
			opts.DataValues.Files = []string{filepath.Join(dir, "v")}
			file(t, dir, "v/v.yml", "name: v\n")
		}
		for i, op := range edits[:min(len(edits), 40)] {
			if paths := cacheEdit(t, dir, i, op); how/6%2 == 0 {
				cache.ChangedOnly(paths...)
			} else {
				cache.Changed(paths...)
			}
			want := cacheOutcome(t, opts, weft.Dir{Path: t.TempDir(), Split: out.Split})
			opts.Cache = cache
			got := cacheOutcome(t, opts, out)
			opts.Cache = nil
			if strings.HasPrefix(want["error"], "error") { // what was written before stays
				got, want = map[string]string{"": got["error"]}, map[string]string{"": want["error"]}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("after edit %d: %s", i, diff)
			}
		}
	})
}

// A run with a cache reads again what it edits, with the rules that the file was read with.
func TestCacheKeepsRulesOfReading(t *testing.T) {
	dir, cache := t.TempDir(), &weft.Cache{}
	file(t, dir, "in.yml", "m: {\n  # switches\n  on: 1, on-too: on,\n  b: 2 }\n")
	overlay := "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nm:\n  #@overlay/replace via=lambda l, r: \"o\" + \"n\"\n  on-too:\n  b: %d\n"
	opts := weft.Options{Inputs: []string{dir}, Keep: weft.KeepAll, YAML: weft.YAML12}
	for i := range 2 {
		file(t, dir, "overlay.yml", fmt.Sprintf(overlay, i))
		cache.ChangedOnly(filepath.Join(dir, "overlay.yml"))
		want := cacheOutcome(t, opts, weft.Dir{Path: t.TempDir()})
		opts.Cache = cache
		if d := cmp.Diff(want, cacheOutcome(t, opts, weft.Dir{Path: t.TempDir()})); d != "" {
			t.Errorf("run %d: %s", i+1, d)
		}
		opts.Cache = nil
	}
}

// cacheOutcome is everything that a run shows of itself, and the files that it leaves.
func cacheOutcome(t *testing.T, opts weft.Options, dir weft.Dir) map[string]string {
	t.Helper()
	res, err := weft.Render(t.Context(), opts)
	if err != nil {
		return map[string]string{"error": "error " + err.Error()}
	}
	seen := map[string]string{"printed": watchedText(t, res), "warnings": fmt.Sprint(res.Warnings().Diagnostics())}
	if _, err := res.WriteFiles(t.Context(), dir); err != nil {
		return map[string]string{"error": "error " + strings.ReplaceAll(err.Error(), dir.Path, "out")}
	}
	maps.Copy(seen, filesIn(t, dir.Path))
	return seen
}

// A fleet with a cache gives what one without gives, for each environment.
func FuzzCacheFleet(f *testing.F) {
	f.Add(uint8(0), []byte{0, 10, 20, 30, 121, 21, 31, 122, 91, 1, 123, 3})
	f.Add(uint8(1), []byte("\x05\x0f\x46\x7a\x3d\x46\x60\x7b\x47\x3c\x7c\x1e\x28\x7d\x29"))
	f.Add(uint8(2), []byte("the quick brown fox jumps over the lazy dog"))
	f.Add(uint8(3), []byte("yyzzxxyyzz{{||}}"))
	f.Fuzz(func(t *testing.T, how uint8, edits []byte) {
		dir := t.TempDir()
		file(t, dir, "c/schema.yml", "#@data/values-schema\n---\nname: x\nreplicas: 1\n")
		cache := &weft.Cache{}
		opts := weft.FleetOptions{Options: weft.Options{Inputs: []string{filepath.Join(dir, "c")}}}
		for _, name := range []string{"a", "b", "c"} {
			path := file(t, dir, "envs/"+name+".yml", "name: "+name+"\n")
			opts.Environments = append(opts.Environments, weft.Environment{Name: name, Values: path})
		}
		if how&1 != 0 {
			opts.Edition = weft.Edition2026
		}
		if how&2 != 0 {
			opts.DataValues.Files = []string{filepath.Join(dir, "v")}
			file(t, dir, "v/v.yml", "replicas: 3\n")
		}
		for i, op := range edits[:min(len(edits), 40)] {
			var paths []string
			switch {
			case op < 120:
				paths = cacheEdit(t, dir, i, op)
			case op%3 == 0:
				paths = []string{file(t, dir, "envs/b.yml", fmt.Sprintf("nam: %d\n", i))}
			case op%3 == 1:
				paths = []string{file(t, dir, "envs/b.yml", fmt.Sprintf("replicas: %d\n", i))}
			default:
				paths = []string{file(t, dir, "envs/a.yml", fmt.Sprintf("name: a%d # x\n", i))}
			}
			cache.ChangedOnly(paths...)
			want := fleetOutcome(t, opts)
			opts.Cache = cache
			got := fleetOutcome(t, opts)
			opts.Cache = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("after edit %d: %s", i, diff)
			}
		}
	})
}

// fleetOutcome is everything that environments show of themselves.
func fleetOutcome(t *testing.T, opts weft.FleetOptions) map[string]string {
	t.Helper()
	seen := make([]string, len(opts.Environments))
	err := weft.Fleet(t.Context(), opts, func(i int, r weft.EnvironmentResult) {
		if r.Err != nil {
			seen[i] = r.Err.Error()
			return
		}
		seen[i] = watchedText(t, r.Result) + fmt.Sprint(r.Result.Warnings().Diagnostics(), r.Prints)
		for d := range r.Result.Documents() {
			seen[i] += fmt.Sprint(d.Place())
		}
	})
	out := map[string]string{"": fmt.Sprint(err)}
	for i, e := range opts.Environments {
		out[e.Name] = seen[i]
	}
	return out
}

// A report with a cache says what one without says, whatever happened to the files before.
func FuzzCacheReports(f *testing.F) {
	for how := range reports {
		f.Add(uint8(how), []byte{0, 10, 20, 30, 11, 21, 31, 90, 91, 1, 2, 3})
		f.Add(uint8(how), []byte("\x05\x0f\x46\x10\x3d\x46\x60\x06\x47\x3c\x0a\x1e\x28\x1e\x29"))
		f.Add(uint8(how+len(reports)), []byte("the quick brown fox jumps over the lazy dog"))
		f.Add(uint8(how+2*len(reports)), []byte("pack my box with five dozen liquor jugs"))
		f.Add(uint8(how+3*len(reports)), []byte("sphinx of black quartz, judge my vow"))
	}
	f.Fuzz(func(t *testing.T, how uint8, edits []byte) {
		dir := t.TempDir()
		file(t, dir, "c/schema.yml", "#@data/values-schema\n---\nname: x\nreplicas: 1\n")
		file(t, dir, "other/1.yml", "a: 1\n")
		old := revisionOf(3)
		report, how := reports[int(how)%len(reports)], how/uint8(len(reports))
		cache := &weft.Cache{}
		opts := weft.Options{Inputs: []string{filepath.Join(dir, "c")}}
		if how&1 != 0 {
			opts.Edition = weft.Edition2026
		}
		if how&2 != 0 {
			opts.DataValues.Files = []string{filepath.Join(dir, "v")}
			file(t, dir, "v/v.yml", "name: v\n")
			opts.Overrides = []weft.Override{{Text: "Deployment: {spec: {replicas: 9}}"}}
		}
		for i, op := range edits[:min(len(edits), 30)] {
			if paths := cacheEdit(t, dir, i, op); how&4 == 0 {
				cache.ChangedOnly(paths...)
			} else {
				cache.Changed(paths...)
			}
			said := func() string {
				var b strings.Builder
				err := report.run(t.Context(), opts, old, &b)
				return fmt.Sprintf("%s\n%v", b.String(), err)
			}
			want := said()
			opts.Cache = cache
			got := said()
			opts.Cache = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s after edit %d: %s", report.name, i, diff)
			}
		}
	})
}

// A report with a cache reads no file but those that have changed, and so parses no other.
func TestReportsReadWhatChanged(t *testing.T) {
	for _, report := range reports {
		t.Run(report.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string { return file(t, dir, name, asInput(report.name, text)) }
			write("c/schema.yml", "#@data/values-schema\n---\nname: x\nreplicas: 1\n")
			write("c/0.yml", template(0, 0))
			write("c/1.yml", template(1, 0))
			file(t, dir, "other/1.yml", "a: 1\n")
			opts := weft.Options{Inputs: []string{filepath.Join(dir, "c")}}
			old := revisionOf(2)
			said := func(opts weft.Options, old fs.FS) string {
				var b strings.Builder
				if err := report.run(t.Context(), opts, old, &b); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}
			kept := opts
			kept.Cache = &weft.Cache{}
			first := said(kept, old)
			changed := write("c/1.yml", template(7, 1)+"#@ unused = 1\n")
			want := said(opts, old)
			if first == want {
				t.Fatal("the change makes no difference")
			}
			file(t, dir, "c/0.yml", "broken: [\n") // no one is reported it
			kept.Cache.ChangedOnly(changed)
			if diff := cmp.Diff(want, said(kept, fstest.MapFS{})); diff != "" {
				t.Errorf("another file was read (-want +got):\n%s", diff)
			}
		})
	}
}

// cacheEdit does something to a file, and gives the paths where something has happened.
func cacheEdit(t *testing.T, dir string, n int, op byte) []string {
	name := fmt.Sprintf("c/%d.yml", op%10%4)
	path := filepath.Join(dir, filepath.FromSlash(name))
	switch op / 10 % 12 {
	case 0:
		return []string{file(t, dir, name, template(n, n))}
	case 1:
		return []string{file(t, dir, name, fmt.Sprintf("# %d\na: %d\n---\nb: [1,  0x%d]\n", n, n, n))}
	case 2:
		return []string{file(t, dir, name, "a: [\n")}
	case 3:
		return []string{file(t, dir, name, fmt.Sprintf("#@ load(\"@ytt:overlay\", \"overlay\")\n"+
			"#@overlay/match by=overlay.all, expects=\"0+\"\n---\n#@overlay/match missing_ok=True\n"+
			"added: %d\n", n/4))}
	case 4:
		return []string{file(t, dir, name, "#@ load(\"x.lib.yml\", \"f\")\nfrom: #@ f()\n")}
	case 5:
		return []string{file(t, dir, "c/x.lib.yml", fmt.Sprintf("#@ def f():\nx: %d #! c\n#@ end\n", n))}
	case 6:
		return []string{file(t, dir, "c/t.txt", fmt.Sprintf("text (@= str(%d) @)\n", n))}
	case 7:
		text := "#@ load(\"@ytt:data\", \"data\")\nnote: #@ data.read(\"note.md\")\nall: #@ data.list()\n"
		return []string{file(t, dir, name, text), file(t, dir, "c/note.md", fmt.Sprint(n))}
	case 8:
		return []string{file(t, dir, "v/v.yml", fmt.Sprintf("name: v%d\n", n))}
	case 9:
		moved := filepath.Join(dir, "c", fmt.Sprintf("moved%d.yml", n%3))
		_ = os.Rename(path, moved)
		return []string{path, moved}
	case 10: // the output is not weft's alone
		if edited := filepath.Join(dir, "out", "0.yml"); os.Truncate(edited, 0) == nil {
			_ = os.WriteFile(edited, []byte("edited by somebody else\n"), 0o644)
		}
		_ = os.Remove(filepath.Join(dir, "out", "1.yml"))
		return nil
	}
	_ = os.Remove(path)
	return []string{path}
}

func watchedText(t *testing.T, res *weft.Result) string {
	var b bytes.Buffer
	if _, err := res.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// filesIn are the files below a directory that weft wrote.
func filesIn(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return nil // weft writes at the same time: the next look shows it
		}
		data, _ := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A run with a cache reads a JSON Schema of data values again, and what it refers to, when they change.
func TestCacheReadsJSONSchemas(t *testing.T) {
	dir, cache := t.TempDir(), &weft.Cache{}
	path := func(name string) string { return filepath.Join(dir, name) }
	file(t, dir, "c/in.yml", "#@data/values-schema\n---\nsize: 1\n")
	file(t, dir, "s.json", `{"properties": {"size": {"$ref": "part.json"}}}`)
	opts := weft.Options{Inputs: []string{path("c")}}
	opts.DataValues.JSONSchemas = []string{path("s.json")}
	for i, part := range []string{`{}`, `{"minimum": 2}`, `{"minimum": "x"}`, `{"maximum": 1}`, ``, `true`} {
		file(t, dir, "part.json", part)
		cache.ChangedOnly(path("part.json"))
		want := cacheOutcome(t, opts, weft.Dir{Path: t.TempDir()})
		opts.Cache = cache
		if d := cmp.Diff(want, cacheOutcome(t, opts, weft.Dir{Path: t.TempDir()})); d != "" {
			t.Errorf("run %d: %s", i+1, d)
		}
		opts.Cache = nil
		if failed := i == 1 || i == 2 || i == 4; strings.HasPrefix(want["error"], "error") != failed {
			t.Errorf("run %d: %v", i+1, want)
		}
	}
}
