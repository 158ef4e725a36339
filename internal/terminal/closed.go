package terminal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

var errClosed = errors.New("it is closed (a /dev/null that can also be read counts as closed, for that is what Go opens in its place; say >/dev/null)")

// ClosedWriter stands for a stream that was closed when the program began.
type ClosedWriter struct{}

// Write implements io.Writer.
func (ClosedWriter) Write([]byte) (int, error) { return 0, errClosed }

// ClosedAtStart says whether a standard stream was closed when the program began. Go then opens /dev/null for reading and writing in
// its place, and all that is written is lost without an error. Shells open /dev/null for writing alone, and what starts programs
// without an output gives them one /dev/null for several streams.
func ClosedAtStart(f *os.File) bool {
	fd := int(f.Fd())
	var stat, null unix.Stat_t
	if fd > 2 || unix.Fstat(fd, &stat) != nil || unix.Stat(os.DevNull, &null) != nil || stat.Rdev != null.Rdev || stat.Mode&unix.S_IFMT != unix.S_IFCHR {
		return false
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	for other := range 3 {
		if other != fd && sameDescription(fd, other) {
			return false
		}
	}
	return true
}

// sameDescription says whether two descriptors are of one opening of a file.
func sameDescription(a, b int) bool {
	pid := uintptr(os.Getpid())
	const kcmpFile = 0
	order, _, errno := unix.Syscall6(unix.SYS_KCMP, pid, pid, kcmpFile, uintptr(a), uintptr(b), 0)
	return errno == 0 && order == 0
}
