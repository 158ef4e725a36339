package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/application"
)

// NoInput is for verbs without operands.
func NoInput(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no operand, not %q", cmd.Name(), args[0])
	}
	return nil
}

// OneInput is for verbs with one operand.
func OneInput(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return Usagef("%s takes one %s, but %d are given%s; %s --help shows examples", cmd.Name(), what, len(args), tookFlag(cmd), cmd.CommandPath())
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
				said = fmt.Sprintf(", as %s took %s for its value", FlagName(f.Shorthand, f.Name), v)
			}
		}
	})
	return said
}

// InputWithArguments is for verbs with one operand and, after --, the arguments of a program.
func InputWithArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		operands, rest := SplitArguments(args, cmd.ArgsLenAtDash())
		if len(operands) == 0 && len(rest) > 0 {
			file := rest[0]
			if strings.HasPrefix(file, "-") {
				file = "./" + file
			}
			return Usagef("%s takes one %s before --, after which come the arguments of a program; write %s %s", cmd.Name(), what, cmd.CommandPath(), file)
		}
		if len(operands) > 1 && application.IsProgram(operands[0]) && tookFlag(cmd) == "" {
			return Usagef("%s takes one %s, but %d are given; what a program is given stands behind --: %s %s -- %s", cmd.Name(), what, len(operands),
				cmd.CommandPath(), operands[0], strings.Join(operands[1:], " "))
		}
		return OneInput(what)(cmd, operands)
	}
}

// FilesWithArguments is InputWithArguments, where several files of C may be those of one program.
func FilesWithArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		operands, _ := SplitArguments(args, cmd.ArgsLenAtDash())
		if f := cmd.Flags().Lookup("project"); f != nil && f.Changed && len(operands) == 0 {
			return nil // the files are those of the database
		}
		if len(operands) < 2 || !application.OneLanguage(operands) {
			return InputWithArguments(what)(cmd, args)
		}
		return nil
	}
}

// BeforeArguments checks the operands that stand before the arguments of a program.
func BeforeArguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		operands, _ := SplitArguments(args, cmd.ArgsLenAtDash())
		return check(cmd, operands)
	}
}

// SplitArguments separates the operand from what follows "--", the arguments of the program.
func SplitArguments(args []string, dash int) (operands, rest []string) {
	if dash < 0 {
		return args, nil
	}
	return args[:dash], args[dash:]
}

// FlagName is a flag as it is typed.
func FlagName(short, long string) string {
	if short != "" {
		return "-" + short
	}
	return "--" + long
}
