//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process reads the resource usage of a server from /proc. On systems without /proc, everything is 0.
type process struct{ pid int }

// cpu returns the processor time that the process has used.
func (p process) cpu() time.Duration {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.pid))
	var sum time.Duration
	for _, t := range tasks {
		text, err := os.ReadFile(t)
		if err != nil {
			continue // a thread that has ended
		}
		used, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(used, 10, 64)
		sum += time.Duration(n)
	}
	return sum
}

// memory returns a value of /proc/PID/status in bytes: VmRSS is the current memory, VmHWM its maximum.
func (p process) memory(line string) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	for l := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(l, line+":"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}
