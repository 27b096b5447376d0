package weft_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// TestShards starts four processes at a time, as a job with four indexes does, and compares what they write
// together with what one process writes.
func TestShards(t *testing.T) {
	const environments, processes = 23, 4
	t.Chdir(t.TempDir())
	files := map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\noutput: {dir: 'one/{env}'}\nenvironments:\n" +
			"  '*': {each: 'envs/*.yml', labels: {kind: file}}\n  fixed: {}\n",
		"config/schema.yml": "#@data/values-schema\n---\ncount: 0\n",
		"config/app.yml":    "#@ load(\"@ytt:data\", \"data\")\ncount: #@ data.values.count\n",
		"config/note.txt":   "(@ load(\"@ytt:data\", \"data\") -@)\n(@= str(data.values.count) @)\n",
	}
	for i := range environments {
		files[fmt.Sprintf("envs/e%02d.yml", i)] = fmt.Sprintf("count: %d\n", i)
	}
	for path, text := range files {
		dir, _, found := strings.Cut(path, "/")
		if found {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		write(t, path, text)
	}
	start := func(args ...string) string {
		out, err := exec.Command("weft", args...).CombinedOutput()
		if err != nil {
			t.Errorf("weft %s: %s\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	start("render", "--all", "--write")
	write(t, "weft.yml", strings.Replace(files["weft.yml"], "one/", "shards/", 1))
	said := make([]string, processes)
	var all sync.WaitGroup
	for i := range processes {
		part := fmt.Sprintf("%d/%d", i, processes)
		all.Go(func() { said[i] = start("render", "--all", "--write", "--shard", part) })
	}
	all.Wait()
	for i, out := range said {
		if !strings.Contains(out, "6 environments, 6 written") {
			t.Errorf("part %d is not a quarter of %d environments: %s", i, environments+1, out)
		}
	}
	sameTrees(t, "one", "shards")
}
