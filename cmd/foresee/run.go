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
	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
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
	s := cli.NewStreams(args, stdin, stdout, stderr)
	err := execute(ctx, s, args, stdin, stdout)
	if none := (*cli.NoRegionsError)(nil); errors.As(err, &none) && none.Functions && ctx.Err() == nil {
		fmt.Fprintln(s.Err, "foresee: no parallel region ran: functions are shown, as with --by function")
		s.Programs = cli.ProgramStreams{Out: io.Discard, Err: io.Discard} // the program has said what it says
		err = execute(ctx, s, slices.Insert(slices.Clone(args), 1, "--by=function"), stdin, stdout)
	}
	code = finish(ctx, s, s.Written(err))
	_ = s.Err.Finish() // of what cannot be said nothing can be said
	return code
}

// execute executes a command line.
func execute(ctx context.Context, s *cli.Streams, args []string, stdin io.Reader, stdout io.Writer) error {
	if err := s.Begin(ctx, stdin, stdout); err != nil {
		return err
	}
	root := newRoot(s)
	root.SetArgs(args)
	if err := unknownVerbFirst(root, args); err != nil {
		return err
	}
	return root.ExecuteContext(ctx)
}

// finish prints the error, one line for each that was joined, and chooses the exit code.
func finish(ctx context.Context, s *cli.Streams, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, cli.ErrBrokenPipe):
		return exitBrokenPipe
	}
	if ctx.Err() != nil && (cli.EndedEarly(err) || errors.Is(err, os.ErrDeadlineExceeded)) { // the latter where a pipe gave nothing
		fmt.Fprintln(s.Err, "foresee: interrupted")
		return exitInterrupted
	}
	if said := (saidError{}); errors.As(err, &said) {
		return said.code
	}
	if program := (*application.ProgramError)(nil); errors.As(err, &program) && s.WasWarned(program.Error()) {
		err = program.Err // that results are of a part was said with them
	}
	for line := range strings.SplitSeq(strings.TrimRight(remedy.Said(err), "\n"), "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintln(s.Err, "foresee:", line)
		}
	}
	if errors.As(err, new(cli.UsageError)) || errors.As(err, new(*claims.ClashError)) || errors.As(err, new(*predict.SeveralRegionsError)) {
		return exitUsage
	}
	return exitFailed
}

func newRoot(s *cli.Streams) *cobra.Command {
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
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err, s.Args) })
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
	cli.AddInputHelp(root)
	return root
}

// mayBeEmpty are flags for which a value of no characters means something: no flags of a compiler.
var mayBeEmpty = []string{"compile"}

// checkWords looks at what was typed, before a verb does.
func checkWords(cmd *cobra.Command, args []string) error {
	_, words := cli.SplitArguments(args, cmd.ArgsLenAtDash())
	if run := cmd.Flags().Lookup("run"); run != nil {
		words = append(slices.Clip(words), strings.Fields(run.Value.String())...)
	}
	return cmp.Or(cli.FormatOfName(cmd), nothingEmpty(cmd, args), programReads(words))
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
			err = cli.Usagef("%s is given without a value; give one, or leave it out", cli.FlagName(f.Shorthand, f.Name))
		}
	})
	operands, _ := cli.SplitArguments(args, cmd.ArgsLenAtDash()) // what follows is the program's
	if err == nil && !cmd.DisableFlagParsing && slices.Contains(operands, "") {
		err = cli.Usagef("an input is given without a name; name a file, or - for standard input")
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
	return cli.Usagef("unknown verb %q%s; %s --help shows all", args[0], didYouMean(cmd.SuggestionsFor(args[0])), cmd.CommandPath())
}

// flagError adds the nearest flag to the error about an unknown one, or says how a file of such a name is given.
func flagError(cmd *cobra.Command, err error, args []string) error {
	if value := new(pflag.InvalidValueError); errors.As(err, &value) {
		if wanted := wantedNumber(value); wanted != "" {
			return cli.Usagef("--%s %s: %s", value.GetFlag().Name, value.GetValue(), wanted)
		}
	}
	if file := fileLikeFlag(err, args); file != "" {
		return cli.Usagef("%w; if the file %s is meant, write ./%s", err, file, file)
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return cli.Usagef("%w; %s --help shows the flags", err, cmd.CommandPath())
	}
	return cli.Usagef("unknown flag --%s%s; %s --help shows all", name, didYouMean(nearFlags(cmd, name)), cmd.CommandPath())
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
func fileLikeFlag(err error, args []string) string {
	if !strings.HasPrefix(err.Error(), "unknown ") {
		return ""
	}
	for _, a := range args {
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

// nearFlags lets cobra, which knows how near two words are, compare flags as if they were commands.
func nearFlags(cmd *cobra.Command, name string) []string {
	words := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		words.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	var flags []string
	for _, w := range words.SuggestionsFor(name) {
		flags = append(flags, "--"+w)
	}
	return flags
}
