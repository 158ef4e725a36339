// Package smpi runs MPI programs in the simulated time of SimGrid's SMPI, to compare simulations of messages with: programs.c, compiled by smpicc,
// and traces, replayed by smpirun. SimGrid is A. Degomme et al.: Simulating MPI applications: the SMPI approach, TPDS 28, 2017; Debian has it as
// libsimgrid-dev.
package smpi

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed programs/programs.c
var programs []byte

// Programs are the first arguments of programs.c.
var Programs = []string{"stencil", "stencil-large", "cg", "transposes", "wavefront", "farm", "hydro", "product"}

// ErrMissing says that SimGrid or an MPI is not installed.
var ErrMissing = errors.New("needs SimGrid and an MPI (Debian: apt-get install libsimgrid-dev openmpi-bin libopenmpi-dev)")

// Built is programs.c, compiled in a folder for an MPI and for SMPI.
type Built struct {
	Folder, Real, Simulated string
}

// Build compiles programs.c in a folder.
func Build(ctx context.Context, folder, mpicc string) (*Built, error) {
	for _, tool := range []string{mpicc, "smpicc", "smpirun"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%s: %w", tool, ErrMissing)
		}
	}
	source := filepath.Join(folder, "programs.c")
	if err := os.WriteFile(source, programs, 0o644); err != nil {
		return nil, err
	}
	b := &Built{folder, filepath.Join(folder, "programs"), filepath.Join(folder, "programs.smpi")}
	for _, command := range [][]string{{mpicc, "-w", "-O2", "-o", b.Real, source}, {"smpicc", "-w", "-O2", "-DSMPI", "-o", b.Simulated, source}} {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", command[0], err, out)
		}
	}
	return b, nil
}

// Online gives the seconds that a program takes of simulated time. Platform and hosts are files.
func (b *Built) Online(ctx context.Context, platform, hosts string, ranks int, flags []string, arguments ...string) (float64, error) {
	out, err := b.smpirun(ctx, platform, hosts, ranks, append(flags, "--cfg=smpi/simulate-computation:no", b.Simulated), arguments...)
	if err != nil {
		return 0, err
	}
	return lastNumber(out)
}

// Replay gives the seconds of traces.
func (b *Built) Replay(ctx context.Context, platform, hosts, list string, ranks int, flags []string) (float64, error) {
	out, err := b.smpirun(ctx, platform, hosts, ranks, append(flags, "-replay", list))
	if err != nil {
		return 0, err
	}
	_, after, ok := strings.Cut(out, "Simulation time ")
	if !ok {
		return 0, fmt.Errorf("smpirun told no time:\n%s", out)
	}
	return lastNumber(strings.Fields(after)[0])
}

func (b *Built) smpirun(ctx context.Context, platform, hosts string, ranks int, flags []string, arguments ...string) (string, error) {
	all := append([]string{"-np", strconv.Itoa(ranks), "-platform", platform, "-hostfile", hosts}, flags...)
	cmd := exec.CommandContext(ctx, "smpirun", append(all, arguments...)...)
	cmd.Dir = filepath.Dir(hosts)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("smpirun: %w\n%s", err, out)
	}
	return string(out), nil
}

func lastNumber(text string) (float64, error) {
	lines := strings.Fields(text)
	if len(lines) == 0 {
		return 0, errors.New("smpirun told no time")
	}
	return strconv.ParseFloat(lines[len(lines)-1], 64)
}
