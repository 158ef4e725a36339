package record

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// RepeatError says that a second run of a program would not find the files that the first one found, so that what it does may be something
// else.
type RepeatError struct {
	File string // that it added to or changed, made where there was none, or wrote after it had looked for it
}

func (e *RepeatError) Error() string {
	return fmt.Sprintf("it changes the file %q, which another run would find changed", e.File)
}

// effects hears what a program says of the files that it changes.
type effects struct{ read, write *os.File }

// mostName bounds what is read of the name of a file, in bytes: that of Linux's PATH_MAX.
const mostName = 4096

// listen gives the program a descriptor to say it on. With stop it ends before it touches such a file.
func listen(cmd *exec.Cmd, stop bool) (*effects, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = append(cmd.ExtraFiles, write)
	cmd.Env = append(cmd.Env, fmt.Sprintf("FORESEE_FILES=%d", 2+len(cmd.ExtraFiles))) // the first of ExtraFiles is 3
	if stop {
		cmd.Env = append(cmd.Env, "FORESEE_FILES_STOP=1")
	}
	return &effects{read, write}, nil
}

// started closes the end that the program has.
func (e *effects) started() { e.write.Close() }

// repeat gives a RepeatError for a program that has ended, nil where each run finds the same. What it said is there by then, so that nothing is
// waited for: a child of the program may hold the descriptor.
func (e *effects) repeat() error {
	defer e.read.Close()
	name := make([]byte, mostName)
	said := 0
	if pipe, err := e.read.SyscallConn(); err == nil {
		_ = pipe.Read(func(fd uintptr) bool {
			said, _ = syscall.Read(int(fd), name)
			return true
		})
	}
	if said <= 0 {
		return nil
	}
	return &RepeatError{string(name[:said])}
}
