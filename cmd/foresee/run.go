package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/application"
	"foresee/internal/claims"
	"foresee/internal/terminal"
	"foresee/predict"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitOutside     = 3 // outside a tolerance that was asked for
	exitInterrupted = 130
	exitBrokenPipe  = 141 // as of programs that the signal ends
)

// errBrokenPipe is the end of a command whose output nobody reads any more, as before | head.
var errBrokenPipe = errors.New("broken pipe")

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err *terminal.Visible // text: nothing in it commands a terminal
	programs programStreams
	args     []string // as given, for reports
	warned   map[string]bool
}

// programStreams are what programs that are run write to, which is their own.
type programStreams struct{ out, err io.Writer }

// lost takes what a program that is run writes to an output that is closed. The program goes on, and the command fails at its end.
type lost struct{ closed *terminal.Visible }

// Write implements io.Writer.
func (l lost) Write(p []byte) (int, error) {
	_, _ = l.closed.Write(p) // it keeps its error, which the end of the command tells
	return len(p), nil
}

// endings are the signals that end a command early, with what it has: those that it was not told to ignore, as nohup tells it.
func endings() []os.Signal {
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// secondSignal is the time after which another signal is a second wish: timeout and terminals give the same one to the process and to
// its group.
const secondSignal = 300 * time.Millisecond

// run executes the command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(secondSignal, stop) }) // a second ctrl-C ends at once
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(terminal.NewVisible(stderr), "foresee: internal error: %v; please report this with the input that led to it\n%s", r, debug.Stack())
			code = exitFailed
		}
	}()
	brokenPipes := make(chan os.Signal, 1)
	signal.Notify(brokenPipes, syscall.SIGPIPE) // writing says so too, and then temporary files are removed
	defer signal.Stop(brokenPipes)
	s := &streams{in: stdin, out: terminal.NewVisible(stdout), err: terminal.NewVisible(stderr), programs: programStreams{stdout, stderr}, args: args}
	err := s.begin(ctx, stdin, stdout)
	if err == nil {
		root := newRoot(s)
		root.SetArgs(args)
		if err = unknownVerbFirst(root, args); err == nil {
			err = root.ExecuteContext(ctx)
		}
	}
	code = s.finish(ctx, s.written(err))
	_ = s.err.Finish() // of what cannot be said nothing can be said
	return code
}

// begin makes the standard streams known as an input and an output, where they are files, and notices a closed output.
func (s *streams) begin(ctx context.Context, stdin io.Reader, stdout io.Writer) error {
	claims.Until(ctx)
	if f, ok := stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			_ = claims.Input("standard input", info) // nothing is claimed yet
		}
	}
	f, ok := stdout.(*os.File)
	if !ok {
		return nil
	}
	if terminal.ClosedAtStart(f) {
		s.out = terminal.NewVisible(terminal.ClosedWriter{})
		s.programs.out = lost{s.out}
	}
	return claims.ClaimOpen("standard output", f)
}

// written adds to how a command ended that its output could not be written, whoever did not look.
func (s *streams) written(err error) error {
	failed := s.out.Finish()
	switch {
	case failed == nil:
		return err
	case errors.Is(failed, syscall.EPIPE):
		return errBrokenPipe
	case err == nil || errors.Is(err, failed):
		return fmt.Errorf("standard output: cannot write: %w", cause(failed))
	}
	return err
}

// finish prints the error, one line for each that was joined, and chooses the exit code.
func (s *streams) finish(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errBrokenPipe):
		return exitBrokenPipe
	}
	if ctx.Err() != nil && (endedEarly(err) || errors.Is(err, os.ErrDeadlineExceeded)) { // the latter where a pipe gave nothing
		fmt.Fprintln(s.err, "foresee: interrupted")
		return exitInterrupted
	}
	if said := (saidError{}); errors.As(err, &said) {
		return said.code
	}
	if program := (*application.ProgramError)(nil); errors.As(err, &program) && s.warned[program.Error()] {
		err = program.Err // that results are of a part was said with them
	}
	for line := range strings.SplitSeq(strings.TrimRight(said(err), "\n"), "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintln(s.err, "foresee:", line)
		}
	}
	if errors.As(err, new(usageError)) || errors.As(err, new(*claims.ClashError)) || errors.As(err, new(*predict.SeveralRegionsError)) {
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
	root.SetFlagErrorFunc(s.flagError)
	root.SuggestionsMinimumDistance = 2
	root.SetUsageTemplate(usage)
	root.PersistentPreRunE = checkWords
	root.AddCommand(
		predictCommand(s),
		compareCommand(s),
		rankCommand(s),
		sweepCommand(s),
		adviseCommand(s),
		mrcCommand(s),
		profileCommand(s),
		simulateCommand(s),
		ccCommand(s),
		cxxCommand(s),
		fcCommand(s),
		rustcCommand(s),
		traceCommand(s),
		mpiCommand(s),
		scaleCommand(s),
		replayCommand(s),
		machineCommand(s),
		xgraphCommand(s),
		serveCommand(s),
		sweepTaskCommand(),
		validateCommand(s),
		versionCommand(s), manualCommand(),
	)
	addInputHelp(root)
	return root
}

// mayBeEmpty are flags for which a value of no characters means something: no flags of a compiler.
var mayBeEmpty = []string{"compile"}

// checkWords looks at what was typed, before a verb does.
func checkWords(cmd *cobra.Command, args []string) error {
	_, words := splitArguments(args, cmd.ArgsLenAtDash())
	if run := cmd.Flags().Lookup("run"); run != nil {
		words = append(slices.Clip(words), strings.Fields(run.Value.String())...)
	}
	return cmp.Or(formatOfName(cmd), nothingEmpty(cmd, args), programReads(words))
}

// programReads takes the files that a program's arguments name, also behind a "=", for inputs: no result is written over them.
func programReads(words []string) error {
	for _, word := range words {
		_, value, _ := strings.Cut(word, "=")
		for _, name := range []string{word, value} {
			info, err := os.Stat(name)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if err := claims.Input(name, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// nothingEmpty refuses flags and inputs that are given without a value, as "$NAME" gives them in a shell where NAME is not set.
func nothingEmpty(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if all, ok := f.Value.(pflag.SliceValue); ok {
			empty = slices.Contains(all.GetSlice(), "")
		}
		if empty && err == nil && !slices.Contains(mayBeEmpty, f.Name) {
			err = usagef("%s is given without a value; give one, or leave it out", flagName(f.Shorthand, f.Name))
		}
	})
	operands, _ := splitArguments(args, cmd.ArgsLenAtDash()) // what follows is the program's
	if err == nil && !cmd.DisableFlagParsing && slices.Contains(operands, "") {
		err = usagef("an input is given without a name; name a file, or - for standard input")
	}
	return err
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

// unknownVerbFirst refuses what is no verb before the flags behind it are looked at, which are not those of foresee itself.
func unknownVerbFirst(root *cobra.Command, args []string) error {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") || strings.HasPrefix(rest[0], cobra.ShellCompRequestCmd) {
		return nil
	}
	return unknownVerb(cmd, rest)
}

// unknownVerb refuses what is no subcommand of cmd, with the nearest one.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unknown verb %q%s; %s --help shows all", args[0], didYouMean(cmd.SuggestionsFor(args[0])), cmd.CommandPath())
}

// flagError adds the nearest flag to the error about an unknown one, or says how a file of such a name is given.
func (s *streams) flagError(cmd *cobra.Command, err error) error {
	if value := new(pflag.InvalidValueError); errors.As(err, &value) {
		if wanted := wantedNumber(value); wanted != "" {
			return usagef("--%s %s: %s", value.GetFlag().Name, value.GetValue(), wanted)
		}
	}
	if file := s.fileLikeFlag(err); file != "" {
		return usagef("%w; if the file %s is meant, write ./%s", err, file, file)
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return usagef("%w; %s --help shows the flags", err, cmd.CommandPath())
	}
	return usagef("unknown flag --%s%s; %s --help shows all", name, didYouMean(nearFlags(cmd, name)), cmd.CommandPath())
}

// wantedNumber says what a flag takes that was given no such number; "" of other errors.
func wantedNumber(err error) string {
	var number *strconv.NumError
	switch {
	case !errors.As(err, &number):
		return ""
	case errors.Is(number, strconv.ErrRange):
		return "the number is too large or too small"
	}
	switch number.Func {
	case "ParseUint":
		return "give a whole number from 0"
	case "ParseInt", "Atoi":
		return "give a whole number"
	case "ParseFloat":
		return "give a number"
	}
	return ""
}

// fileLikeFlag is the argument that an unknown flag comes from, where it is the name of a file.
func (s *streams) fileLikeFlag(err error) string {
	if !strings.HasPrefix(err.Error(), "unknown ") {
		return ""
	}
	for _, a := range s.args {
		if !strings.HasPrefix(a, "-") {
			continue
		}
		if info, failed := os.Stat(a); failed == nil && info.Mode().IsRegular() && isWithin(err.Error(), strings.TrimLeft(a, "-")) {
			return a
		}
	}
	return ""
}

// isWithin says whether an error ends in a part of a word: the flags before it were known.
func isWithin(message, word string) bool {
	last := strings.TrimLeft(message[strings.LastIndexAny(message, " ")+1:], "-")
	return last != "" && strings.HasSuffix(word, last)
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
		return usagef("%s takes one %s, but %d are given%s; %s --help shows examples", cmd.Name(), what, len(args), tookFlag(cmd), cmd.CommandPath())
	}
}

// tookFlag says, at the end of a complaint about operands, which flag took the next flag for its value: of "-D --machine X in.c" -D has the
// value --machine, so that X is left over as an operand, and without this it would be X that the user looks at. It is empty where no flag did.
func tookFlag(cmd *cobra.Command) (said string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, v := range values {
			if strings.HasPrefix(v, "--") {
				said = fmt.Sprintf(", as %s took %s for its value", flagName(f.Shorthand, f.Name), v)
			}
		}
	})
	return said
}

// inputWithArguments is for verbs with one operand and, after --, the arguments of a program.
func inputWithArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		operands, rest := splitArguments(args, cmd.ArgsLenAtDash())
		if len(operands) == 0 && len(rest) > 0 {
			file := rest[0]
			if strings.HasPrefix(file, "-") {
				file = "./" + file
			}
			return usagef("%s takes one %s before --, after which come the arguments of a program; write %s %s", cmd.Name(), what, cmd.CommandPath(), file)
		}
		return oneInput(what)(cmd, operands)
	}
}

// filesWithArguments is inputWithArguments, where several files of C may be those of one program.
func filesWithArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		operands, _ := splitArguments(args, cmd.ArgsLenAtDash())
		if f := cmd.Flags().Lookup("project"); f != nil && f.Changed && len(operands) == 0 {
			return nil // the files are those of the database
		}
		if len(operands) < 2 || !application.OneLanguage(operands) {
			return inputWithArguments(what)(cmd, args)
		}
		if run := cmd.Flags().Lookup("trace"); run != nil && run.Changed {
			return usagef("--trace compiles one file; build a program of several with foresee cc, and give the program")
		}
		return nil
	}
}
