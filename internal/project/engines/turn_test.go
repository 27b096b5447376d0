package engines

import (
	"context"
	"testing"
	"testing/synctest"

	"weft/internal/project/engines/wire"
)

// A request that waits for another one ends when it is cancelled.
func TestCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := New("")
		e.turn <- struct{}{} // another request is being answered
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := e.Render(ctx, &wire.Request{}, nil)
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("it does not wait: %v", err)
		default:
		}
		cancel()
		synctest.Wait()
		select {
		case err := <-done:
			if err != context.Canceled {
				t.Errorf("the error is %v", err)
			}
		default:
			t.Error("it still waits")
			<-e.turn
		}
	})
}
