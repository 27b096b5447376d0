package process

import (
	"bufio"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"weft/internal/engine/budget"
	"weft/internal/lang/diag"
)

// guarded is set in the environment of the program that Guard starts.
const guarded = "WEFT_GUARDED"

// Guard runs the program again as a child process where the system may refuse memory: under `ulimit
// -v` or `ulimit -d`. If Go cannot get memory, it ends the program and prints all stacks on standard
// error, which code in the program cannot prevent; the parent replaces that with one message. The
// child receives the signals of its parent, and ends with it. On other systems, and in the child,
// Guard does nothing.
func (p Program) Guard() (code int, done bool) {
	if os.Getenv(guarded) != "" {
		os.Unsetenv(guarded)
		return 0, false
	}
	if !memoryLimited() {
		return 0, false
	}
	messages, out, err := os.Pipe()
	if err != nil {
		return 0, false // running without a guard is better than not running
	}
	// The system ends the child when the thread that started it ends, so this thread must live until
	// then.
	runtime.LockOSThread()
	child, err := os.StartProcess("/proc/self/exe", os.Args, &os.ProcAttr{
		Env: append(os.Environ(), guarded+"=1"), Files: []*os.File{os.Stdin, os.Stdout, out},
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
	out.Close()
	if err != nil {
		runtime.UnlockOSThread()
		return 0, false
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for s := range signals {
			_ = child.Signal(s)
		}
	}()
	crash := passOn(os.Stderr, messages)
	state, err := child.Wait()
	if err != nil {
		return ExitInternal, true
	}
	return p.ended(state.Sys().(syscall.WaitStatus), crash), true
}

// memoryLimited reports whether the system limits the memory of the program.
func memoryLimited() bool {
	const data, addressSpace = 2, 9 // RLIMIT_DATA, RLIMIT_AS
	for _, resource := range []int{data, addressSpace} {
		var limit syscall.Rlimit
		if syscall.Getrlimit(resource, &limit) == nil && limit.Cur < 1<<48 {
			return true
		}
	}
	return false
}

// passOn copies messages to w, up to the first that may be the report of a crash, which it returns.
func passOn(w io.Writer, messages io.Reader) (crash string) {
	const maxBytes = 1 << 20
	r := bufio.NewReader(messages)
	var held strings.Builder
	for {
		line, err := r.ReadString('\n')
		switch {
		case held.Len() > maxBytes:
		case held.Len() > 0 || isCrash(line):
			held.WriteString(line)
		default:
			_, _ = io.WriteString(w, line)
		}
		if err != nil {
			return held.String()
		}
	}
}

// isCrash reports whether a line may be the first of those that Go prints when it ends a program.
func isCrash(line string) bool {
	for _, start := range []string{"fatal error: ", "runtime: ", "runtime/cgo: ", "SIGABRT: ", "panic: "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// ended returns the exit code for how the child ended.
func (p Program) ended(status syscall.WaitStatus, crash string) int {
	crashed := crash != "" &&
		(status.ExitStatus() == ExitInternal || status.Signaled() && status.Signal() == syscall.SIGABRT) &&
		strings.Contains(crash, "\ngoroutine ")
	switch {
	case crashed:
		first, _, _ := strings.Cut(crash, "\n")
		r := &process{Program: p, args: os.Args[1:], msg: &Messages{Out: os.Stderr}}
		return r.failed(diag.Failf(budget.CodeMemory, "the system refuses to give weft more memory: %s", first).
			WithHint("raise the limit that `ulimit -v` or `ulimit -d` shows"))
	case status.Signaled():
		// Show the shell what it would have seen without the parent.
		_, _ = io.WriteString(os.Stderr, crash)
		signal.Reset(status.Signal())
		_ = syscall.Kill(os.Getpid(), status.Signal())
		time.Sleep(grace)
		return 128 + int(status.Signal())
	}
	_, _ = io.WriteString(os.Stderr, crash)
	return status.ExitStatus()
}
