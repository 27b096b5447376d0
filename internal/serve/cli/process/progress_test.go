package process

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"weft"
)

func TestProgress(t *testing.T) {
	const gone = "\r\x1b[K"
	tests := []struct {
		name string
		take time.Duration
		run  func(m *Messages)
		want string
	}{
		{name: "a short run says nothing", take: 900 * time.Millisecond},
		{
			name: "a long one says how long",
			take: 1300 * time.Millisecond,
			want: "weft: 1s" + gone + "weft: 1s" + gone,
		},
		{
			name: "messages come before it",
			take: 1100 * time.Millisecond,
			run:  func(m *Messages) { m.Print("hello") },
			want: "weft: 1s" + gone + "hello\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				m := &Messages{Out: &out}
				stop := m.progress(&weft.Timings{})
				time.Sleep(tt.take)
				if tt.run != nil {
					tt.run(m)
				}
				stop()
				time.Sleep(time.Minute)
				if got := out.String(); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// Standard output is often the same screen.
func TestOutputTakesStatusAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		m := &Messages{Out: &screen}
		stop := m.progress(&weft.Timings{})
		time.Sleep(1100 * time.Millisecond)
		if _, err := (behindStatus{m, &screen}).Write([]byte("a: 1\n")); err != nil {
			t.Fatal(err)
		}
		stop()
		if got, want := screen.String(), "weft: 1s\r\x1b[Ka: 1\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
