package workspace

import (
	"context"
	"testing"
	"time"
)

// Who waits for requests goes on when the last one is answered.
func TestAsked(t *testing.T) {
	t.Parallel()
	s := &Session{}
	s.asked.wait(t.Context()) // for no one
	first, second := s.Asked(), s.Asked()
	done := make(chan struct{})
	go func() {
		s.asked.wait(context.Background())
		close(done)
	}()
	first()
	select {
	case <-done:
		t.Error("a request is not answered")
	case <-time.After(10 * time.Millisecond):
	}
	second()
	<-done
	s.Asked()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.asked.wait(ctx)
}
