package observe

import (
	"errors"
	"os/exec"
	"syscall"
)

// faulted tells whether a program ended because it reached for memory that is not its own.
func faulted(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGSEGV || status.Signal() == syscall.SIGBUS)
}
