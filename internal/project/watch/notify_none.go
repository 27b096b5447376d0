//go:build js || wasip1

package watch

import (
	"context"
	"errors"
	"time"
)

// notifier does nothing: this system has no notifications.
type notifier struct{ add func(dir string) error }

type sign struct {
	happened bool
	path     string
	written  bool
}

func newNotifier() (*notifier, error) {
	return nil, errors.New("the system does not report changes")
}

func (*notifier) close() {}

func (*notifier) wait(context.Context, time.Duration) (sign, error) { return sign{}, nil }
