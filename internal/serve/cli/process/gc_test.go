package process

import (
	"context"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"weft/internal/engine/budget"
)

// The settings hold for a whole process, so each case has one of its own.
func TestPutOffGC(t *testing.T) {
	if mode := os.Getenv("WEFT_TEST_GC"); mode != "" {
		t.Log(gcSettings(mode))
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct{ name, mode, env, want string }{
		{"the first collection comes late", "start", "", "6400 no limit"},
		{"a small heap may become as large again", "small", "", "more no limit"},
		{"a larger one grows as ever", "large", "", "100 no limit"},
		{"what the user has set stays", "large", "GOGC=50", "50 no limit"},
		{"a limit that the user has set stays", "large", "GOMEMLIMIT=4GiB", "100 4096 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(exe, "-test.run=^TestPutOffGC$", "-test.v")
			cmd.Env = append(os.Environ(), "WEFT_TEST_GC="+tt.mode, tt.env)
			if tt.env == "" {
				cmd.Env = append(cmd.Env, "GOGC=", "GOMEMLIMIT=")
			}
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "settings: "+tt.want+"\n") {
				t.Errorf("%v, want %s\n%s", err, tt.want, out)
			}
		})
	}
}

// gcSettings brings a process to a state and says how the collector is set then.
func gcSettings(mode string) string {
	PutOffGC()
	state, ok := map[string]struct {
		live uint64
		want func(percent uint64) bool
	}{
		"small": {16 << 20, func(p uint64) bool { return p > 100 && p < 6400 }},
		"large": {roomyHeap, func(p uint64) bool { return p <= 100 }},
	}[mode]
	_, stop := budget.Limit(context.Background(), 0, nil)
	defer stop()
	keep := make([]byte, state.live)
	deadline := time.Now().Add(10 * time.Second)
	for ok && !state.want(setting("/gc/gogc:percent")) && time.Now().Before(deadline) {
		runtime.GC()
		time.Sleep(5 * time.Millisecond) // which is how often the budget looks
	}
	runtime.KeepAlive(keep)
	shown, limit := "off", "no limit"
	switch p := setting("/gc/gogc:percent"); {
	case mode == "small" && state.want(p):
		shown = "more"
	case p != math.MaxUint64:
		shown = strconv.FormatUint(p, 10)
	}
	if l := setting("/gc/gomemlimit:bytes"); l != math.MaxInt64 {
		limit = strconv.FormatUint(l>>20, 10) + " MiB"
	}
	return "settings: " + shown + " " + limit
}

func setting(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
