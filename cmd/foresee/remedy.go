package main

import (
	"errors"
	"fmt"
	"strings"

	"foresee/application"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/machine/probe"
	"foresee/model/threads"
	"foresee/model/timing"
	"foresee/predict"
	"foresee/report"
)

// remedy is what the user of this command can do about an error of a library, which knows nothing of flags and verbs; it follows the error.
// It is empty where the error says all there is.
func remedy(err error) string {
	var notSource *application.NotSourceError
	switch {
	case errors.As(err, &notSource):
		return remedyOf(notSource)
	case errors.Is(err, application.ErrDamaged), errors.Is(err, threads.ErrDamaged):
		return "; make it again: foresee profile -o NAME.sig.json FILE.c"
	case errors.As(err, new(*application.CutError)):
		return "; use --partial to take what is whole"
	case errors.As(err, new(*application.NotCompiledError)):
		return "; build others with foresee cc or foresee c++ and give the program"
	case errors.Is(err, application.ErrLongCheck):
		return "; --check=on waits for it"
	case isOutputError(err):
		return " (--check=off takes it nevertheless)"
	case errors.As(err, new(*predict.SeveralRegionsError)):
		return "; name one with --region"
	}
	return remedyOfMachine(err)
}

// remedyOfMachine is remedy of errors about machines.
func remedyOfMachine(err error) string {
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

func isOutputError(err error) bool {
	var output *application.OutputError
	return errors.As(err, &output) && output.Differ
}

func remedyOf(e *application.NotSourceError) string {
	asTrace := "--trace-format " + strings.Join(trace.Formats(), "|")
	switch e.What {
	case application.Empty:
		return "; give a C file, a trace, a recording, a program or a saved signature"
	case application.OtherPacked:
		return ", for a trace: xzcat or bzcat FILE | foresee mrc -"
	case application.OtherJSON:
		return ", or a signature that foresee profile -o NAME.sig.json made"
	case application.Numbers:
		return "; if this is a trace, say " + asTrace + "; mere addresses become one (text) with sed 's/^/r /'"
	case application.UnreadableText:
		return "; if this is a trace, say " + asTrace
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
