package vendor

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"weft/internal/testing/cases"
)

// TestMain restores sources in a process of its own if a test asks for that, so that it can be killed.
func TestMain(m *testing.M) {
	url, job, _ := strings.Cut(os.Getenv("WEFT_TEST_CHILD"), " ")
	if url == "" {
		os.Exit(m.Run())
	}
	v, err := opened()
	opts := Options{AllowOutside: []string{url}}
	switch {
	case err != nil:
	case job == "restore":
		_, err = v.Restore(context.Background(), nil, true, opts)
	default:
		var list []Candidate
		if list, err = v.Candidates(context.Background(), nil, false, opts); err == nil {
			err = v.Write(context.Background(), list)
		}
	}
	if err != nil {
		os.Exit(1)
	}
}

// child returns a process that restores or updates the sources of the current directory from a server.
func child(url, job string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WEFT_TEST_CHILD="+url+" "+job)
	return cmd
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

	cmd := child(server.URL, "restore")
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

// TestKilledAnytime kills updates at random moments. Each folder is the old or the new one, complete, and so
// is the lock; the next update needs no help, and leaves nothing else behind.
func TestKilledAnytime(t *testing.T) {
	s := newSite(t)
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{s.url}}
	release := func(n int) {
		for _, name := range []string{"a", "b"} {
			files := map[string]string{}
			for i := range 300 {
				files[fmt.Sprintf("d%d/%d.yml", i%7, i)] = fmt.Sprintf("version: %d\n", n)
			}
			s.set("/"+name+".tgz", tarball(t, files))
		}
	}
	release(0)
	update(t, open(t, "vendor: {a: {http: '"+s.url+"/a.tgz'}, b: {http: '"+s.url+"/b.tgz'}}\n"), opts)
	random := rand.New(rand.NewPCG(1, 2))
	took := 200 * time.Millisecond
	for n := 1; n <= int(cases.Number(8, 60)); n++ {
		release(n)
		before := read(t, "weft.lock")
		cmd := child(s.url, "update")
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Float64()*float64(took)), func() { _ = cmd.Process.Kill() })
		killed := cmd.Wait() != nil
		if timer.Stop(); !killed {
			took = time.Since(began)
		}
		for _, name := range []string{"a", "b"} {
			if got := versionsIn(t, "vendor/"+name); got != fmt.Sprintf("300 × %d", n-1) && got != fmt.Sprintf("300 × %d", n) {
				t.Fatalf("run %d left %s in %s", n, got, name)
			}
		}
		if lock := read(t, "weft.lock"); killed && lock != before {
			if found, err := open(t, "").Check(context.Background(), nil); err != nil || len(found) > 0 {
				t.Fatalf("run %d wrote the lock before the files: %v, %v", n, found, err)
			}
		}
		update(t, open(t, ""), opts)
		if found, err := open(t, "").Check(context.Background(), nil); err != nil || len(found) > 0 {
			t.Fatalf("after run %d: %v, %v", n, found, err)
		}
	}
	for dir, want := range map[string]int{".": 3, "vendor": 2} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != want {
			t.Errorf("%s has %v, %v", dir, entries, err)
		}
	}
}

// TestUpdatesAtOnce has several processes update the same sources. Each succeeds or says that another one was
// faster, and the result is what is locked.
func TestUpdatesAtOnce(t *testing.T) {
	s := newSite(t)
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{s.url}}
	s.set("/a.yml", []byte("a: 0\n"))
	update(t, open(t, "vendor: {a: {http: '"+s.url+"/a.yml'}}\n"), opts)
	s.set("/a.yml", []byte("a: 1\n"))
	var running []*exec.Cmd
	for range 4 {
		cmd := child(s.url, "update")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	succeeded := 0
	for _, cmd := range running {
		if cmd.Wait() == nil {
			succeeded++
		}
	}
	if succeeded == 0 {
		t.Error("no update succeeded")
	}
	if found, err := open(t, "").Check(context.Background(), nil); err != nil || len(found) > 0 || read(t, "vendor/a/a.yml") != "a: 1\n" {
		t.Errorf("got %v, %v", found, err)
	}
}

// versionsIn counts the files in a folder by their texts.
func versionsIn(t *testing.T, dir string) string {
	t.Helper()
	counts := map[string]int{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			counts[strings.TrimSpace(strings.TrimPrefix(read(t, name), "version: "))]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for version, n := range counts {
		all = append(all, fmt.Sprintf("%d × %s", n, version))
	}
	return strings.Join(all, ", ")
}
