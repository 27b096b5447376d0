package browsertest_test

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/web/browsertest"
)

// TestLocalPlayground uses weft playground: the same page for the files of this machine.
func TestLocalPlayground(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.x\n")
	write("schema.yml", "#@data/values-schema\n---\nx: 1\n")
	write("other.txt", "no")
	link := browsertest.Local(t, dir, "-f", "app.yml", "-f", "schema.yml", "--write")

	t.Run("files are shown, changed and saved", func(t *testing.T) {
		p := b.OpenURL(t, link)
		ready(p)
		want(t, p, "#tabs [role=tab]", "app.yml", "schema.yml")
		p.Until("the output", `() => weftPlayground.output.text === "a: 1\n"`)
		if strings.Contains(browsertest.Eval[string](p, `() => location.href`), "token") {
			t.Error("the token stays in the address")
		}
		setText(p, "schema.yml", "#@data/values-schema\n---\nx: 2\n")
		p.Until("the output", `() => weftPlayground.output.text === "a: 2\n"`)
		browsertest.Eval[any](p, `() => document.getElementById("save").click()`)
		p.Until("the message", `() => document.getElementById("status").textContent === "Saved schema.yml"`)
		if data, _ := os.ReadFile(filepath.Join(dir, "schema.yml")); !strings.HasSuffix(string(data), "x: 2\n") {
			t.Errorf("the file has %q", data)
		}
		write("schema.yml", "#@data/values-schema\n---\nx: 3\n")
		p.Until("the change on disk", `() => weftPlayground.output.text === "a: 3\n"`)
		p.Shoot("playground-local")
	})

	t.Run("codes say which command explains them", func(t *testing.T) {
		p := b.OpenURL(t, link)
		ready(p)
		setText(p, "app.yml", "a: b: c\n")
		p.Until("the error", `() => document.querySelector(".problem .code-of code") !== null`)
		command := strings.Fields(p.Texts(".problem .code-of code")[0])
		if about := browsertest.Weft(t, dir, command[1:]...); command[0] != "weft" || !strings.Contains(string(about), command[2]) {
			t.Errorf("%q prints\n%s", command, about)
		}
	})

	t.Run("nobody else gets an answer", func(t *testing.T) {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		token := strings.TrimPrefix(u.Fragment, "token=")
		ask := func(method, path, body string, headers map[string]string) int {
			r, err := http.NewRequest(method, "http://"+u.Host+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Weft-Token", token)
			for k, v := range headers {
				r.Header.Set(k, v)
			}
			if host := headers["Host"]; host != "" {
				r.Host = host
			}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			_, _ = io.Copy(io.Discard, res.Body)
			return res.StatusCode
		}
		outside := `{"path":"other.txt","data":"x","old":"no"}`
		for name, got := range map[string][2]int{
			"the page":       {ask("POST", "/api/files", "{}", nil), 200},
			"another host":   {ask("POST", "/api/files", "{}", map[string]string{"Host": "evil.example"}), 403},
			"another origin": {ask("POST", "/api/files", "{}", map[string]string{"Origin": "http://evil.example"}), 403},
			"no token":       {ask("POST", "/api/files", "{}", map[string]string{"X-Weft-Token": ""}), 403},
			"GET":            {ask("GET", "/api/files", "", nil), 405},
			"a form":         {ask("POST", "/api/run", "{}", map[string]string{"Content-Type": "text/plain"}), 415},
			"another file":   {ask("POST", "/api/save", outside, nil), 403},
		} {
			if got[0] != got[1] {
				t.Errorf("%s: %d, expected %d", name, got[0], got[1])
			}
		}
		if data, _ := os.ReadFile(filepath.Join(dir, "other.txt")); string(data) != "no" {
			t.Errorf("the other file has %q", data)
		}
	})

	t.Run("without the token there are words", func(t *testing.T) {
		p := b.OpenURL(t, strings.Split(link, "#")[0])
		p.Until("the words", `() => document.getElementById("problems").textContent.includes("open the link that weft playground prints")`)
		for _, problem := range p.Problems() {
			if !strings.Contains(problem, "403") {
				t.Error(problem)
			}
		}
	})
}
