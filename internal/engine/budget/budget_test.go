package budget

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

const most = 100 << 20 // of the budgets below

// watched is a budget that only the test looks at, and its context.
func watched() (*Memory, context.Context) {
	b := &Memory{}
	b.limit.Store(most)
	ctx, stop := context.WithCancelCause(context.Background())
	b.stop = stop
	return b, ctx
}

// TestLook says what ends a run, and what ends the program.
func TestLook(t *testing.T) {
	const memory, stack = "more than 100 MiB of memory", "the stack is full"
	for _, c := range []struct {
		name  string
		usage usage
		ends  string // a part of the message of the run's end
		lost  bool
	}{
		{"within", usage{heap: most}, "", false},
		{"far beyond", usage{heap: most + most/2 + 1}, memory, true},
		{"alive, nearly all", usage{heap: most, live: most - most/8 + 1, cycles: 1}, memory, false},
		{"alive, and beyond", usage{heap: most + most/4 + 1, live: most, cycles: 1}, memory, true},
		{"alive before the run", usage{heap: most, live: most}, "", false},
		{"large stacks", usage{stacks: largeStack + 1}, stack, false},
		{"larger stacks", usage{stacks: lostStack + 1}, stack, true},
	} {
		b, ctx := watched()
		lost := b.check(&c.usage)
		if lost != c.lost {
			t.Errorf("%s: lost: %t", c.name, lost)
		}
		e := Passed(ctx)
		if (e != nil) != (c.ends != "") || e != nil && !strings.Contains(e.Message, c.ends) {
			t.Errorf("%s: ended with %v, want %q", c.name, e, c.ends)
		}
	}
}

// TestLookAtGarbage: what is too much ends a run only once it is known not to be garbage.
func TestLookAtGarbage(t *testing.T) {
	b, ctx := watched()
	much := &usage{heap: most + 1}
	if b.check(much) || b.collected == nil || ctx.Err() != nil {
		t.Fatal("it does not begin to collect, or ends before")
	}
	<-b.collected
	if b.check(&usage{heap: most}) || b.collected != nil || ctx.Err() != nil {
		t.Fatal("it was garbage, and the run is ended")
	}
	pending := make(chan struct{})
	b.collected = pending
	if b.check(much) || ctx.Err() != nil {
		t.Fatal("the run is ended before the collection is")
	}
	close(pending)
	if b.check(much) || Passed(ctx) == nil {
		t.Fatal("it is no garbage, and the run goes on")
	}
}

// TestLookAfterTheEnd: code that was stopped has some time to notice, unless it takes ever more.
func TestLookAfterTheEnd(t *testing.T) {
	b, _ := watched()
	b.trip(b.exceeded(0))
	for _, c := range []struct {
		name  string
		usage usage
		ago   time.Duration
		lost  bool
	}{
		{"soon", usage{heap: most + 1}, 0, false},
		{"more and more", usage{heap: most + most/4 + 1}, 0, true},
		{"deeper and deeper", usage{stacks: lostStack + 1}, 0, true},
		{"too long", usage{heap: most + 1}, stopTimeout + time.Second, true},
	} {
		b.tripped = time.Now().Add(-c.ago)
		if lost := b.check(&c.usage); lost != c.lost {
			t.Errorf("%s: lost: %t", c.name, lost)
		}
	}
}

// TestLost: the program is told once about each run that does not stop, with the file it was
// evaluating.
func TestLost(t *testing.T) {
	before := debug.SetMemoryLimit(-1) // whoever is lost ends the program, and puts nothing back
	defer debug.SetMemoryLimit(before)
	told := make(chan *Error, 1)
	ctx, stop := Limit(t.Context(), 1, func(e *Error) { told <- e })
	defer stop()
	b := Of(ctx)
	for _, name := range []string{"b.yml", "a.yml", "b.yml", "gone.yml"} {
		leave := b.Enter(name)
		if name == "gone.yml" {
			leave()
			leave() // which does nothing
		}
	}
	select {
	case e := <-told:
		const want = "the run needs more than 1 bytes of memory, while a.yml, b.yml was evaluated"
		if e.Message != want || e.Hint == "" {
			t.Errorf("got %q, want %q", e.Message, want)
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody is told")
	}
	<-ctx.Done()
	if Passed(ctx) == nil {
		t.Error(context.Cause(ctx))
	}
}

// TestLimitPutsBack: the collector's own limit is as before when a run is over.
func TestLimitPutsBack(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	b, _ := watched()
	b.hold()
	if now := debug.SetMemoryLimit(-1); now != most {
		t.Errorf("the collector may have %d bytes while the run goes on", now)
	}
	b.hold()
	b.release()
	if now := debug.SetMemoryLimit(-1); now != before {
		t.Errorf("the collector may have %d bytes, and had %d before", now, before)
	}
}

func TestFits(t *testing.T) {
	var none *Memory
	b, _ := watched()
	b.limit.Store(1 << 40)
	for _, c := range []struct {
		name    string
		budget  *Memory
		bytes   uint64
		message string
	}{
		{"no budget", none, math.MaxUint64, ""},
		{"little", b, small - 1, ""},
		{"some", b, small, ""},
		{"more than all", b, 2 << 40, "this needs 2 TiB of memory, but the limit is 1 TiB"},
		{"more than is left", b, 1 << 40, "this needs 1 TiB of memory on top of what is in use"},
	} {
		err := c.budget.Fits(c.bytes)
		if c.message == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || !strings.HasPrefix(e.Error(), c.message) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.message)
		}
	}
	none.Enter("a.yml")() // which is as good as nothing
}

// TestBlame: the first to know where the budget was passed counts.
func TestBlame(t *testing.T) {
	none := context.Background()
	Blame(none, "nobody")
	ctx, stop := Timeout(none, time.Hour, "too long", "")
	defer stop()
	if Blamed(none) != nil || Blamed(ctx) != nil || Passed(ctx) != nil || Of(ctx) != nil {
		t.Error("something is known before anything happened")
	}
	Blame(ctx, "first")
	Blame(ctx, "second")
	if got := Blamed(ctx); got != "first" {
		t.Errorf("got %v", got)
	}
}

// TestTimeout: the end of the time has its own words, and is what it is to others.
func TestTimeout(t *testing.T) {
	ctx, stop := Timeout(context.Background(), 1, "too long", "be quick")
	defer stop()
	<-ctx.Done()
	e := Passed(ctx)
	if e == nil || e.Message != "too long" || e.Hint != "be quick" || e.Code != CodeTime {
		t.Fatalf("got %+v", e)
	}
	if !errors.Is(e, context.DeadlineExceeded) || errors.Is(&Error{}, context.DeadlineExceeded) {
		t.Error("time and memory are not told apart")
	}
}

// TestCollectLate: the heap may become as large as was said, and later twice what is alive.
func TestCollectLate(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer func() {
		roomy.Store(0)
		debug.SetGCPercent(before)
	}()
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	pace(1 << 30)
	if got := percent(); got != 100 {
		t.Errorf("%d percent, though nobody asked to collect late", got)
	}
	CollectLate(256 << 20)
	if got := percent(); got != 6400 {
		t.Errorf("first: %d percent, want 6400", got)
	}
	for _, c := range []struct {
		live uint64
		want int
	}{{1 << 20, 6375}, {64 << 20, 300}, {128 << 20, 100}, {1 << 30, 100}} {
		pace(c.live)
		if got := percent(); got != c.want {
			t.Errorf("with %s alive: %d percent, want %d", Size(c.live), got, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0:              "0 bytes",
		1023:           "1023 bytes",
		1 << 10:        "1 KiB",
		1536:           "1.5 KiB",
		100<<20 + 1:    "100 MiB",
		256 << 20:      "256 MiB",
		math.MaxUint64: "16 EiB",
	} {
		if got := Size(bytes); got != want {
			t.Errorf("%d is %q, want %q", bytes, got, want)
		}
	}
}

// TestBulk works in bulk, in a program that collects soon and in one that does not.
func TestBulk(t *testing.T) {
	before := debug.SetGCPercent(70)
	defer debug.SetGCPercent(before)
	percent := func() int {
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		return now
	}
	want := func(when string, want int) {
		t.Helper()
		if got := percent(); got != want {
			t.Errorf("%s: got %d percent, want %d", when, got, want)
		}
	}
	const size = 1 << 40 // much more than the test uses
	Bulk(size)
	want("in a program that does not collect soon", 70)

	CollectSoon(50)
	defer func() { soon.percent = 0 }()
	Bulk(size)
	if got := percent(); got < 1000 {
		t.Errorf("in bulk: got %d percent, want much more", got)
	}
	pace(size)
	want("with a large live heap", tightPercent)
	Bulk(0)
	want("at the end", 50)
	pace(size)
	want("after a later collection", 50)
}
