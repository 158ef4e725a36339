package mpi

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Variables of the environment that the recorder reads.
const (
	folderVariable  = "FORESEE_MPI_OUT"
	eventsVariable  = "FORESEE_MPI_EVENTS"
	underVariable   = "FORESEE_MPI_UNDER"
	preloadVariable = "LD_PRELOAD"
)

// launcherNames are those of mpirun, with which the MPI itself may be named: mpirun.openmpi, mpiexec.hydra.
var launcherNames = regexp.MustCompile(`^(mpirun|mpiexec|orterun|prterun|oshrun)([.-]\w+)*$`)

// job is a command with what brings the recorder to its ranks.
type job struct {
	command []string
	env     []string
}

// newJob adds the recorder to a command. All launchers give their environment to the ranks on their own node, and
// Hydra (MPICH, Intel) and srun to those on others as well. OpenMPI's does so only with what is named by -x.
func newJob(ctx context.Context, command []string, library, folder string, events bool, under []string) job {
	variables := []string{preloadVariable, folderVariable}
	preload := library
	if already := os.Getenv(preloadVariable); already != "" {
		preload += ":" + already
	}
	env := append(os.Environ(), preloadVariable+"="+preload, folderVariable+"="+folder)
	if events {
		env = append(env, eventsVariable+"=1")
		variables = append(variables, eventsVariable)
	}
	if len(under) > 0 {
		env = append(env, underVariable+"="+strings.Join(under, "\n"))
		variables = append(variables, underVariable)
	}
	j := job{command: slices.Clone(command), env: env}
	if isOpenMPI(ctx, command[0]) {
		var pass []string
		for _, v := range variables {
			pass = append(pass, "-x", v)
		}
		j.command = slices.Insert(j.command, 1, pass...)
	}
	return j
}

// isOpenMPI says whether a command is the launcher of OpenMPI.
func isOpenMPI(ctx context.Context, name string) bool {
	if !launcherNames.MatchString(filepath.Base(name)) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, _ := exec.CommandContext(ctx, name, "--version").CombinedOutput()
	return openMPI.Match(out)
}

var openMPI = regexp.MustCompile(`(?i)open ?mpi|open ?rte|prrte|prterun`)

// findCommand refuses a command that is not there, and names what to install for a launcher.
func findCommand(name string) error {
	_, err := exec.LookPath(name)
	if err == nil {
		return nil
	}
	if launcherNames.MatchString(name) {
		return fmt.Errorf("%s is not installed (Debian: apt-get install openmpi-bin libopenmpi-dev, or mpich)", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}
