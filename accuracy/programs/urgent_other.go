//go:build !linux

package programs

import "os/exec"

// startUrgently starts a program as any other.
func startUrgently(cmd *exec.Cmd) error { return cmd.Start() }
