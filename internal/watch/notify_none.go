//go:build js || wasip1

package watch

import (
	"context"
	"errors"
	"time"
)

// notifier is what the system says of directories: nothing.
type notifier struct{}

type sign struct {
	happened bool
	path     string
}

func newNotifier() (*notifier, error) {
	return nil, errors.New("the system does not report changes")
}

func (*notifier) add(string) error { return nil }

func (*notifier) close() {}

func (*notifier) wait(context.Context, time.Duration) (sign, error) { return sign{}, nil }
