package main

import (
	"errors"
	"strings"

	"foresee/application"
	"foresee/application/trace"
	"foresee/model/threads"
	"foresee/predict"
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
