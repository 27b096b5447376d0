package git

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const slowServer = "WEFT_TEST_SLOW_SERVER" // set for TestSlowServer

// TestSlowServer is the program for ssh in TestFetchLimit: it runs the command that git asks for, whose
// output arrives slowly.
func TestSlowServer(t *testing.T) {
	if os.Getenv(slowServer) == "" {
		t.Skip("only as a program for ssh")
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", os.Args[len(os.Args)-1])
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		os.Exit(1)
	}
	for {
		if _, err := io.CopyN(os.Stdout, out, 256<<10); err != nil {
			os.Exit(0)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestFetchLimit checks that a repository that is too large is not fetched, and that git is ended before
// all of it has arrived.
func TestFetchLimit(t *testing.T) {
	c := newClone(t)
	noise := make([]byte, 16<<20) // it cannot be compressed
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(noise)
	c.write("noise", string(noise))
	c.commit("large")
	id, err := exec.CommandContext(t.Context(), "git", "-C", c.dir, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	commit := strings.TrimSpace(string(id))
	fetch := func(url string, limit int64) (arrived, reported int64, err error) {
		r, err := NewRemote(t.Context(), url, RemoteOptions{
			Allowed: func(string) bool { return true }, MaxBytes: limit,
			CheckHost: func(context.Context, string) ([]string, error) { return nil, nil },
			Progress:  func(n int64) { reported = n },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		rev, err := r.Fetch(commit, "")
		if err == nil {
			rev.Close()
		}
		return sizeOf(r.dir), reported, err
	}
	file := "file://" + filepath.ToSlash(c.dir)
	if _, reported, err := fetch(file, 64<<20); err != nil || reported < 16<<20 {
		t.Errorf("below the limit: %d bytes have arrived: %v", reported, err)
	}
	const tooLarge = "it is larger than 1 MiB"
	if _, _, err := fetch(file, 1<<20); err == nil || !strings.Contains(err.Error(), tooLarge) {
		t.Errorf("above the limit: %v", err)
	}
	t.Setenv(slowServer, "1")
	t.Setenv("GIT_SSH_VARIANT", "simple")
	t.Setenv("GIT_SSH_COMMAND", "'"+os.Args[0]+"' -test.run=TestSlowServer --")
	arrived, _, err := fetch("ssh://git.example.com"+filepath.ToSlash(c.dir), 1<<20)
	if err == nil || !strings.Contains(err.Error(), tooLarge) || arrived > 8<<20 {
		t.Errorf("from a slow server, %d bytes have arrived: %v", arrived, err)
	}
}

// TestBomb checks that a small repository that lists billions of files is an error, and does not fill the memory.
func TestBomb(t *testing.T) {
	c := newClone(t)
	id := strings.TrimSpace(c.git("hash-object", "-w", "--stdin"))
	mode, kind := "100644", "blob"
	for range 10 { // ten levels of ten entries each
		var text strings.Builder
		for i := range 10 {
			fmt.Fprintf(&text, "%s %s %s\t%s%d\n", mode, kind, id, strings.Repeat("n", 100), i)
		}
		cmd := exec.CommandContext(t.Context(), "git", "-C", c.dir, "mktree")
		cmd.Stdin = strings.NewReader(text.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		id, mode, kind = strings.TrimSpace(string(out)), "040000", "tree"
	}
	commit := strings.TrimSpace(c.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit-tree", "-m", "bomb", id))
	c.git("update-ref", "refs/heads/bomb", commit)
	r, err := NewRemote(t.Context(), "file://"+filepath.ToSlash(c.dir), RemoteOptions{Allowed: func(string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err = r.Fetch(commit, "bomb"); err == nil || !strings.Contains(err.Error(), "more than 128 MiB of names") {
		t.Errorf("got %v", err)
	}
}

// TestEndlessList checks that a server that never stops to list branches is left.
func TestEndlessList(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		packet := func(text string) error {
			_, err := fmt.Fprintf(w, "%04x%s", len(text)+4, text)
			return err
		}
		_ = packet("# service=git-upload-pack\n")
		_, _ = w.Write([]byte("0000"))
		for i := 0; ; i++ {
			line := fmt.Sprintf("%040x refs/heads/b%d", i+1, i)
			if i == 0 {
				line += "\x00"
			}
			if packet(line+"\n") != nil || req.Context().Err() != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}))
	defer server.Close()
	r, err := NewRemote(t.Context(), server.URL, RemoteOptions{
		Allowed: func(string) bool { return true }, ListTimeout: 2 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, _, _, err = r.Refs(); err == nil || !strings.Contains(err.Error(), "takes more than 2s") {
		t.Errorf("got %v", err)
	}
}
