//go:build unix

package process

import (
	"bytes"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// reader is a program that reads standard input and prints it, or else a line.
func reader() Program {
	root := func(*Messages) *cobra.Command {
		return &cobra.Command{SilenceErrors: true, RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := cmd.OutOrStdout().Write([]byte("x\n"))
				return err
			}
			_, err := io.Copy(cmd.OutOrStdout(), cmd.InOrStdin())
			return err
		}}
	}
	return Program{root, func(*cobra.Command, []string) {}, func(*cobra.Command) {}}
}

type stuckReader func([]byte) (int, error)

func (f stuckReader) Read(b []byte) (int, error) { return f(b) }

type stuckWriter func([]byte) (int, error)

func (f stuckWriter) Write(b []byte) (int, error) { return f(b) }

// A signal ends a run at once and quietly, even one that waits for input that never comes.
func TestSignals(t *testing.T) {
	ignoreSignals = 0
	t.Cleanup(func() { ignoreSignals = 5 * time.Millisecond })
	for sent, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(sent.String(), func(t *testing.T) {
			if signal.Ignored(sent) {
				t.Skip("whoever runs the tests has it ignored, as nohup does")
			}
			reading := make(chan bool)
			release := make(chan bool)
			defer close(release)
			stdin := stuckReader(func([]byte) (int, error) {
				close(reading) // by now Main listens for signals
				<-release
				return 0, os.ErrClosed
			})
			var stdout, stderr bytes.Buffer
			code := make(chan int, 1)
			go func() { code <- reader().Main([]string{"-"}, stdin, &stdout, &stderr) }()
			<-reading
			if err := syscall.Kill(os.Getpid(), sent); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-code:
				if got != want {
					t.Errorf("exit code %d, want %d", got, want)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("still running")
			}
			if stdout.Len()+stderr.Len() > 0 {
				t.Errorf("printed %q and %q", stdout.String(), stderr.String())
			}
		})
	}
}

// A signal while the result is printed waits for its last byte; a second one does not, unless it
// comes with the first, as those of timeout(1) do.
func TestSignalWhilePrinting(t *testing.T) {
	ignoreSignals, grace = 0, 4*grace // a busy machine delivers signals late
	t.Cleanup(func() { ignoreSignals, grace = 5*time.Millisecond, grace/4 })
	for _, twice := range []bool{false, true} {
		writing, release := make(chan bool), make(chan bool)
		out := stuckWriter(func(p []byte) (int, error) {
			close(writing)
			<-release
			return len(p), nil
		})
		var stderr bytes.Buffer
		code := make(chan int, 1)
		go func() { code <- reader().Main([]string{"--"}, nil, out, &stderr) }()
		<-writing
		kill := func() {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Error(err)
			}
		}
		kill()
		time.Sleep(grace / 5)
		kill()
		select {
		case got := <-code:
			t.Errorf("ended with exit code %d in the middle", got)
		case <-time.After(3 * grace):
		}
		want := exitInterrupt
		if twice {
			kill()
		} else {
			want = ExitOK
			close(release)
		}
		select {
		case got := <-code:
			if got != want {
				t.Errorf("twice %t: exit code %d, want %d", twice, got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("still running")
		}
		if twice {
			close(release)
		}
	}
}
