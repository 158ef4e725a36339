package main

import (
	"errors"
	"fmt"
	"strings"

	"foresee/machine"
	"foresee/machine/probe"
	"foresee/model/timing"
	"foresee/report"
)

// remedy is what can be done about an error of a library, in words of the command line, to stand behind its text; "" where there is
// nothing to say. Libraries know no flags: their errors are of types that are told apart here.
func remedy(err error) string {
	switch {
	case errors.As(err, new(*timing.MissingError)):
		return "; add it to a machine file (foresee machine measure makes one of this machine), or name another machine (--machine)"
	case errors.As(err, new(*timing.NoFitError)):
		return "; make its file with foresee machine measure, or take --model overlap"
	case errors.As(err, new(*machine.UnknownError)):
		return " (foresee machine list shows all; the path of a .yaml file works too)"
	case errors.As(err, new(*machine.NoFileError)):
		return "; foresee machine list shows the machines that need none"
	case errors.Is(err, probe.ErrNoCaches):
		return "; say what there is: --caches 48KiB,1MiB,32MiB"
	case errors.Is(err, probe.ErrNotMeasured):
		return "; make it with foresee machine measure -o FILE"
	case errors.As(err, new(*report.NotMeasuredError)):
		return "; foresee machine measure -o FILE makes a file that does"
	}
	return ""
}

// said is an error with its remedy; of several joined errors each has its own.
func said(err error) string {
	if several, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the error itself, not one that it wraps
		var each, plain []string
		for _, e := range several.Unwrap() {
			each, plain = append(each, said(e)), append(plain, e.Error())
		}
		if err.Error() == strings.Join(plain, "\n") {
			return strings.Join(each, "\n")
		}
	}
	return err.Error() + remedy(err)
}

// noteRemedies are what can be done about notes on machines.
var noteRemedies = map[string]string{
	machine.NoMemory:      "; add them: foresee machine show --format yaml host > my.yaml",
	machine.FromKerncraft: ": predict needs them; foresee machine measure finds them on the machine itself",
}

// withRemedies adds to the notes on a machine what can be done about them.
func withRemedies(m *machine.Machine) *machine.Machine {
	for i, note := range m.Notes {
		m.Notes[i] = fmt.Sprint(note, noteRemedies[note])
	}
	return m
}
