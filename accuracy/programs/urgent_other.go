//go:build !linux

package programs

import (
	"os/exec"
	"time"
)

// startUrgently starts a program as any other.
func startUrgently(cmd *exec.Cmd) error { return cmd.Start() }

var begun = time.Now()

// ownSeconds is the time that this process has lived, where its CPU time is not told.
func ownSeconds() float64 { return time.Since(begun).Seconds() }
