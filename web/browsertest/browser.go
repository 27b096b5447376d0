// Package browsertest drives the pages that weft generates in a headless Chromium: it clicks, types,
// reads what a page shows, and collects what a page must never do. It is a separate module, so that
// users of weft don't download what drives a browser.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Browser is a Chromium that runs until the end of a test.
type Browser struct {
	ctx     context.Context
	visited sync.Once
}

// Start starts Chromium without access to any machine. If it is not installed, the test is skipped,
// or fails if WEFT_TEST_BROWSER is set.
func Start(t testing.TB) *Browser {
	t.Helper()
	return start(t, "MAP * ~NOTFOUND")
}

// StartLocal starts a Chromium that can access this machine, for pages of a server. The machine is also weft.example,
// where pages can do only what they can without HTTPS.
func StartLocal(t testing.TB) *Browser {
	t.Helper()
	return start(t, "MAP weft.example 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
}

func start(t testing.TB, hosts string) *Browser {
	t.Helper()
	path := find()
	if path == "" {
		missing(t, "Chromium is not installed. On Debian: apt-get install chromium. "+
			"Elsewhere, set WEFT_CHROMIUM to the path of Chromium, Chrome or Edge")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		// Pages cannot reach the network, whatever they try.
		chromedp.Flag("host-resolver-rules", hosts),
		chromedp.Flag("process-per-site", true), // for Visit
		// A cold start on a busy machine takes longer than the 20 seconds of chromedp.
		chromedp.WSURLReadTimeout(time.Minute),
	)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(t.Logf))
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return &Browser{ctx: ctx}
}

// missing ends a test that needs something that is not installed.
func missing(t testing.TB, message string) {
	t.Helper()
	if os.Getenv("WEFT_TEST_BROWSER") != "" {
		t.Fatal(message)
	}
	t.Skip(message)
}

// find returns the path of a browser of the Chromium family, or "".
func find() string {
	if path := os.Getenv("WEFT_CHROMIUM"); path != "" {
		return path
	}
	names := []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		filepath.Join(os.Getenv("ProgramFiles"), "Google", "Chrome", "Application", "chrome.exe"),
		filepath.Join(os.Getenv("ProgramFiles(x86)"), "Microsoft", "Edge", "Application",
			"msedge.exe"),
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
