package report

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Tier 3 waits for all requests, but not forever.
func TestRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := New(Options{})
		r.requests.wait(t.Context()) // for nothing
		first, second := r.BeginRequest(), r.BeginRequest()
		done := false
		go func() {
			r.requests.wait(context.Background())
			done = true
		}()
		first()
		if synctest.Wait(); done {
			t.Error("a request is not answered")
		}
		second()
		if synctest.Wait(); !done {
			t.Error("all requests are answered")
		}
		r.BeginRequest()
		begin := time.Now()
		if r.requests.wait(t.Context()); time.Since(begin) != maxDeference {
			t.Errorf("it waits %s for a request", time.Since(begin))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if r.requests.wait(ctx); time.Since(begin) != maxDeference {
			t.Error("it waits after the context has ended")
		}
	})
}
