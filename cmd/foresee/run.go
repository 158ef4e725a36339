package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"foresee/predict"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	rest     io.Reader // of an input that was looked into and cannot be read again
	out, err io.Writer
	args     []string // as given, for reports
}

// run executes the command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second ctrl-C ends at once
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "foresee: internal error: %v; please report this with the input that led to it\n%s", r, debug.Stack())
			code = exitFailed
		}
	}()
	s := &streams{in: stdin, out: stdout, err: stderr, args: args}
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return s.finish(ctx, err)
}

// finish prints the error, one line for each that was joined, and chooses the exit code.
func (s *streams) finish(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(s.err, "foresee: interrupted")
		return exitInterrupted
	}
	if said := (saidError{}); errors.As(err, &said) {
		return said.code
	}
	for line := range strings.SplitSeq(strings.TrimRight(err.Error(), "\n"), "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintln(s.err, "foresee:", line)
		}
	}
	if errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitFailed
}

func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "foresee VERB [flags] INPUT",
		Short: "foresee tells how a parallel C program will perform on a machine, and why",
		Long: "foresee tells how a parallel program will perform on a machine, before it is run there, and why:\n" +
			"cache hit rates, miss ratio curves, time, speed-up and what bounds it, at any number of threads.",
		Example:       "  foresee predict --machine i7-5960x --threads 1,2,4,8 gemm.c\n  foresee mrc --plot gemm.svg gemm.c\n  foresee machine list",
		Version:       predict.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("foresee {{.Version}}\n")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.SuggestionsMinimumDistance = 2
	root.SetUsageTemplate(usage)
	root.AddCommand(predictCommand(s), mrcCommand(s), profileCommand(s), simulateCommand(s), ccCommand(s), cxxCommand(s), traceCommand(s), mpiCommand(s), scaleCommand(s), machineCommand(s), xgraphCommand(s), validateCommand(s), versionCommand(s))
	return root
}

// usage ends with the examples, where the eye rests.
const usage = `usage: {{if .HasAvailableSubCommands}}{{.CommandPath}} VERB{{else}}{{.UseLine}}{{end}}
{{if .HasAvailableSubCommands}}
verbs:
{{range .Commands}}{{if .IsAvailableCommand}}  {{rpad .Name .NamePadding}} {{.Short}}
{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasExample}}
examples:
{{.Example}}
{{end}}`

// unknownVerb refuses what is no subcommand of cmd, with the nearest one.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unknown verb %q%s; %s --help shows all", args[0], didYouMean(cmd.SuggestionsFor(args[0])), cmd.CommandPath())
}

// flagError adds the nearest flag to the error about an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return usagef("%w; %s --help shows the flags", err, cmd.CommandPath())
	}
	return usagef("unknown flag --%s%s; %s --help shows all", name, didYouMean(nearFlags(cmd, name)), cmd.CommandPath())
}

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(names, " or ") + "?"
}

// noInput is for verbs without operands.
func noInput(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no operand, not %q", cmd.Name(), args[0])
	}
	return nil
}

// oneInput is for verbs with one operand.
func oneInput(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return usagef("%s takes one %s, but %d are given; %s --help shows examples", cmd.Name(), what, len(args), cmd.CommandPath())
	}
}

// inputWithArguments is for verbs with one operand and, after --, the arguments of a program.
func inputWithArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		operands, _ := splitArguments(args, cmd.ArgsLenAtDash())
		return oneInput(what)(cmd, operands)
	}
}
