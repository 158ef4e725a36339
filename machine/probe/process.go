package probe

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// afterKill is how long is waited for what a process that was killed has left open. Chosen: nobody notices it.
const afterKill = 200 * time.Millisecond

// inGroup makes the process and all that it starts end at once when its context does: compilers start others, which outlive them.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = afterKill
}

// noSpace tells of a full disk, by the error or by what a compiler said; nil where it is none.
func noSpace(err error, folder string, said []byte) error {
	if !errors.Is(err, syscall.ENOSPC) && !bytes.Contains(said, []byte(syscall.ENOSPC.Error())) && !bytes.Contains(said, []byte("No space left on device")) {
		return nil
	}
	return fmt.Errorf("no space left on the disk of %s, where the measuring program is compiled: free some, or set TMPDIR to a folder of another disk: %w", folder, syscall.ENOSPC)
}
