package process

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"weft"
)

func TestProgress(t *testing.T) {
	const begin, end, gone = "\r", "\x1b[K", "\r\x1b[K"
	tests := []struct {
		name string
		take time.Duration
		run  func(m *Messages)
		want string
	}{
		{name: "a short run says nothing", take: 900 * time.Millisecond},
		{
			name: "a long one says how long, and writes nothing while that is the same",
			take: 1300 * time.Millisecond,
			want: begin + "weft: 1s" + end + gone,
		},
		{
			name: "what changes is written over what was there",
			take: 2100 * time.Millisecond,
			want: begin + "weft: 1s" + end + begin + "weft: 2s" + end + gone,
		},
		{
			name: "messages come before it",
			take: 1100 * time.Millisecond,
			run:  func(m *Messages) { m.Print("hello") },
			want: begin + "weft: 1s" + end + gone + "hello\n",
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

// The progress of many environments is how many are done, and how many have failed.
func TestProgressOfMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		m := &Messages{Out: &out}
		stop := m.progress(&weft.Timings{})
		tally := m.Tally(400, "environment")
		for i := range 213 {
			tally.Done(i < 2)
		}
		time.Sleep(1100 * time.Millisecond)
		stop()
		if got, want := out.String(), "\r213 of 400 environments, 2 failed\x1b[K\r\x1b[K"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// The progress of fetching is how many sources and bytes have arrived.
func TestProgressOfFetching(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		m, f := &Messages{Out: &out}, &Fetching{}
		stop := m.showing(f.text)
		f.Sources(0, 2)
		time.Sleep(1100 * time.Millisecond)
		f.Bytes("a", 1<<20)
		f.Bytes("a", 2<<20) // the same address has more
		f.Bytes("b", 1<<19)
		f.Sources(1, 2)
		time.Sleep(200 * time.Millisecond)
		stop()
		want := "\rweft: fetching, 0 of 2 sources, 1s\x1b[K\rweft: fetching, 1 of 2 sources, 2.5 MiB, 1s\x1b[K\r\x1b[K"
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
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
		if got, want := screen.String(), "\rweft: 1s\x1b[K\r\x1b[Ka: 1\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
