// Package network measures the network between the ranks that an MPI launcher starts: ping-pong by size within a node and between two, from which size on
// a message waits for its receive, pairs at once, and collectives. A program that is compiled for it measures, and what it prints becomes a description of a
// cluster for package foresee/machine/cluster.
//
// The costs of a message are those of LogGP (Alexandrov et al., SPAA 1995), piecewise by size as ping-pongs show them (Hoefler et al., "Netgauge", HPCC
// 2007). Times are in seconds, sizes in bytes.
package network

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

//go:embed program/network.c
var source []byte

// Launch is how ranks are started.
type Launch struct {
	Command  []string // a launcher with its arguments: mpirun -n 2 --hostfile hosts
	Compiler []string // of MPI programs
	Dir      string   // where the program is compiled, which all nodes must see
}

// longest is how long a measurement may take. Chosen: it takes seconds where every rank has a processor.
const longest = 10 * time.Minute

// ErrNoCompiler is returned where there is no compiler of MPI programs.
var ErrNoCompiler = errors.New("there is no compiler of MPI programs")

// Measure compiles the measuring program, runs it, and reads what it prints.
func Measure(ctx context.Context, l Launch) (*Samples, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	dir, err := os.MkdirTemp(l.Dir, ".foresee-mpi-*")
	if err != nil {
		return nil, fmt.Errorf("a folder for the measuring program, which all nodes must see: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "network")
	if err := os.WriteFile(program+".c", source, 0o600); err != nil {
		return nil, err
	}
	if _, err := exec.LookPath(l.Compiler[0]); err != nil {
		return nil, fmt.Errorf("%w: %s is not there", ErrNoCompiler, l.Compiler[0])
	}
	if _, err := run(ctx, append(l.Compiler, "-O2", "-o", program, program+".c"), "compiling the measuring program"); err != nil {
		return nil, err
	}
	out, err := run(ctx, append(l.Command, program), "measuring")
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(out))
}

// afterKill is how long is waited for what a process that was killed has left open. Chosen: nobody notices it.
const afterKill = 200 * time.Millisecond

// run runs a command, and what it starts ends with it.
func run(ctx context.Context, command []string, what string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) } // launchers end their ranks
	cmd.WaitDelay = 10 * afterKill
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %s did not end within %s; give each rank a processor of its own, or fewer ranks", what, command[0], longest)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%s: %s: %w%s", what, strings.Join(command[:len(command)-1], " "), err, lastLines(said.String()))
	}
	return out.Bytes(), nil
}

// lastLines are the last of what a program said, for a message.
func lastLines(said string) string {
	const most = 8
	var kept []string
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && strings.Trim(line, "-=") != "" {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return ":\n  " + strings.Join(kept[max(0, len(kept)-most):], "\n  ")
}
