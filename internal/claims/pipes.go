package claims

import (
	"context"
	"os"
	"time"
)

// Until is Forget with the end of the command that begins: when ctx is done, nothing waits for the other end of a pipe any longer.
func Until(ctx context.Context) {
	Forget()
	known.Lock()
	defer known.Unlock()
	known.ctx = ctx
}

// ending is the end of the command that runs.
func ending() context.Context {
	known.Lock()
	defer known.Unlock()
	if known.ctx == nil {
		return context.Background()
	}
	return known.ctx
}

// openWaiting opens a file for reading. Of a pipe it waits for who writes, and then for what is written, until the command ends.
func openWaiting(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return os.Open(name)
	}
	f, err := Wait(func() (*os.File, error) { return os.Open(name) })
	if err == nil {
		Interrupt(f)
	}
	return f, err
}

// Interrupt ends what waits to read f when the command ends: it then fails with os.ErrDeadlineExceeded.
func Interrupt(f *os.File) {
	context.AfterFunc(ending(), func() { _ = f.SetReadDeadline(time.Now()) }) // files that never wait have no deadline
}

// Wait opens what may wait for its other end, such as a named pipe; the end of the command is an error.
func Wait(open func() (*os.File, error)) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := open()
		done <- opened{f, err}
	}()
	ctx := ending()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return nil, ctx.Err() // what may still be opened is closed with the process
	}
}
