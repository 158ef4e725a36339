package programs

import (
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// Policies of Linux's scheduler (sched(7)).
const (
	usualPolicy = 0 // SCHED_OTHER
	fifoPolicy  = 1 // SCHED_FIFO
)

// startUrgently starts a program before which, where that is allowed, no other of usual priority runs: who shares the machine disturbs less.
func startUrgently(cmd *exec.Cmd) error {
	runtime.LockOSThread() // a program has the policy of the thread that starts it
	defer runtime.UnlockOSThread()
	fifo := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: fifoPolicy, Priority: 1}
	if unix.SchedSetAttr(0, &fifo, 0) == nil {
		defer func() { _ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: usualPolicy}, 0) }()
	}
	return cmd.Start()
}

// ownSeconds is the CPU time of this process and of all that it waited for.
func ownSeconds() (s float64) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if unix.Getrusage(who, &u) == nil {
			s += float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
		}
	}
	return s
}
