package vendor

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain restores sources in a process of its own if a test asks for that, so that it can be killed.
func TestMain(m *testing.M) {
	url := os.Getenv("WEFT_TEST_RESTORE")
	if url == "" {
		os.Exit(m.Run())
	}
	v, err := opened()
	if err == nil {
		_, err = v.Restore(context.Background(), nil, true, Options{AllowOutside: []string{url}})
	}
	if err != nil {
		os.Exit(1)
	}
}

// TestKilled checks that a run that is killed leaves the old files and the old lock, and that the next run
// is not disturbed.
func TestKilled(t *testing.T) {
	answers, arrived := make(chan []byte, 1), make(chan bool, 10)
	stop := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		select {
		case data := <-answers:
			_, _ = w.Write(data)
		default: // half of it, and then nothing
			_, _ = w.Write([]byte("a: 01"))
			w.(http.Flusher).Flush()
			arrived <- true
			<-stop
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(stop) })
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{server.URL}}
	answers <- []byte("a: 012345\n")
	update(t, open(t, "vendor: {a: {http: '"+server.URL+"/a.yml'}}\n"), opts)
	lock := read(t, "weft.lock")
	put(t, "vendor/a/a.yml", "a: edited\n")

	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WEFT_TEST_RESTORE="+server.URL)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-arrived:
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was requested")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the run was not killed")
	}
	if got := read(t, "vendor/a/a.yml"); got != "a: edited\n" || read(t, "weft.lock") != lock {
		t.Errorf("a killed run left %q", got)
	}
	answers <- []byte("a: 012345\n")
	if _, err := open(t, "").Restore(context.Background(), nil, true, opts); err != nil {
		t.Fatal(messages(err))
	}
	entries, err := os.ReadDir("vendor")
	if err != nil || len(entries) != 1 || !strings.HasPrefix(read(t, "vendor/a/a.yml"), "a: 012345") {
		t.Errorf("after the next run: %v, %v", entries, err)
	}
}
