package fleet

import (
	"os"
	"path/filepath"
	"testing"
)

// A JSON Schema may be written by others: its references lead neither to git nor out of the project, not even
// through links.
func TestSchemasStayInTheProject(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"project/.git/config", "project/schemas/a.json", "outside.json"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"git.json": "../.git/config", "out.json": "../../outside.json", "in.json": "a.json", "folder": "../.git",
	} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, "project", "schemas", link)); err != nil {
			t.Skip("needs symbolic links")
		}
	}
	for name, allowed := range map[string]bool{
		"schemas/a.json": true, "schemas/in.json": true, "schemas/missing.json": true,
		"schemas/git.json": false, "schemas/out.json": false, "schemas/folder/config": false,
		".git/config": false, "../outside.json": false, "/etc/passwd": false,
	} {
		if err := insideFS(os.DirFS(filepath.Join(dir, "project")), name); (err == nil) != allowed {
			t.Errorf("%s: got %v, want allowed %t", name, err, allowed)
		}
	}
}
