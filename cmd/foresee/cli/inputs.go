package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application"
)

// The kinds of inputs, as tables write them.
const (
	source     = application.Source
	module     = application.Module
	saved      = application.Saved
	traced     = application.Trace
	recorded   = application.Recording
	program    = application.Program
	listing    = application.Listing
	parameters = application.Parameters
)

// Refusal says why a verb takes no input of a kind, and what to do instead.
type Refusal struct{ Why, Remedy string }

// Refusals of several verbs.
var (
	isListing    = Refusal{"is a listing of GPU code, which has no addresses", "foresee xgraph draws its balance"}
	wasRun       = Refusal{"was run at one size, and a sweep analyses loops", "foresee predict takes it with several --machine and --threads"}
	isParameters = Refusal{"is YAML, and no program", "if it describes a machine, say --machine FILE; parameters of the X-model are for foresee xgraph"}
)

// Refusals are the inputs that verbs do not take; all others they do. Help, docs/inputs.md and the checks come from here.
var Refusals = map[string]map[application.Kind]Refusal{
	"predict": {listing: isListing, parameters: isParameters},
	"compare": {listing: isListing, parameters: isParameters},
	"rank": {
		traced:  {"is a trace, which holds accesses and no operations, of which no time is predicted", "record the program (foresee trace -o NAME.rec PROGRAM) and give the recording"},
		listing: isListing, parameters: isParameters,
	},
	"advise": {
		module:     {"is read by way of LLVM, which leaves no loops of the text to change", "foresee predict --by loop shows where its time goes"},
		saved:      {"is a saved signature, which holds no source to change", "give the source that it was made from"},
		listing:    isListing,
		parameters: isParameters,
	},
	"mrc":      {listing: isListing, parameters: isParameters},
	"profile":  {listing: isListing, parameters: isParameters},
	"simulate": {listing: isListing, parameters: isParameters},
	"sweep": {
		traced: {"is a trace, of one size and number of threads", "foresee predict and mrc read it, with several --machine"}, recorded: wasRun, program: wasRun, listing: isListing, parameters: isParameters,
	},
	"xgraph": {
		traced: {"is a trace, which holds accesses and no operations to balance them against", "record the program (foresee trace -o NAME.rec PROGRAM) and give the recording"},
	},
	"trace": {
		saved:      {"is a saved signature, of which nothing can be run", "give the source that it was made from"},
		traced:     {"is a trace already", "foresee mrc, profile, simulate and predict read it"},
		listing:    {"is a listing of GPU code, of which nothing can be run", "foresee xgraph draws its balance"},
		parameters: {"is YAML, of which nothing can be run", "give a C source, a program or a recording"},
	},
}

// InputVerbs are the verbs of refusals, in the order of help.
var InputVerbs = []string{"predict", "advise", "rank", "sweep", "mrc", "profile", "simulate", "xgraph", "trace"}

// FlagRule says which inputs flags mean something for: with a verb, or with all that no rule before it is for.
type FlagRule struct {
	Verb   string
	Flags  []string
	Kinds  []application.Kind
	remedy string
	// compiled says that of programs that are run they mean something for sources alone, which are compiled first.
	Compiled bool
	// observed says that of sources they mean something where they are run for values.
	observed bool
}

// Is says whether the rule is the one for a flag of a verb.
func (r FlagRule) Is(verb, flag string) bool {
	if r.Verb != "" {
		return r.Verb == verb
	}
	return !slices.ContainsFunc(FlagKinds, func(o FlagRule) bool { return o.Verb == verb && slices.Contains(o.Flags, flag) })
}

// FlagKinds are the inputs that flags mean something for, where not all; a flag that is given with another is refused.
var FlagKinds = []FlagRule{
	{Flags: []string{"define", "include"}, Kinds: []application.Kind{source, module, program}, remedy: "leave it out", Compiled: true},
	{Flags: []string{"project"}, Kinds: []application.Kind{source}, remedy: "leave it out: it says how C sources are compiled"},
	{Verb: "advise", Flags: []string{"cc"}, Kinds: []application.Kind{source}, remedy: "leave it out: only a source can be compiled for its times"},
	{Verb: "predict", Flags: []string{"cc"}, Kinds: []application.Kind{source, module, program}, remedy: "leave it out: only a source can be compiled for its times", Compiled: true},
	{Verb: "rank", Flags: []string{"cc"}, Kinds: []application.Kind{source, module, program}, remedy: "leave it out: only a source can be compiled for its times", Compiled: true},
	{Verb: "compare", Flags: []string{"cc"}, Kinds: []application.Kind{source, module, program}, remedy: "leave it out: only a source can be compiled for its times", Compiled: true},
	{Flags: []string{"cc"}, Kinds: []application.Kind{module, program}, remedy: "leave it out: no compiler is needed, but for --run and --trace", Compiled: true, observed: true},
	{Flags: []string{"run"}, Kinds: []application.Kind{source, module, program}, Compiled: true, remedy: "leave it out: only a source is run for values"},
	{Flags: []string{"by"}, Kinds: []application.Kind{source, module, recorded, program}, remedy: "leave it out"},
	{Flags: []string{"samples"}, Kinds: []application.Kind{source, module, saved}, remedy: "leave it out"},
	{Flags: []string{"threads-model", "miss-ratio"}, Kinds: []application.Kind{source, module, saved}, remedy: "leave it out"},
	{Verb: "predict", Flags: []string{"model", "ppt-memory", "ppt-cpu"}, Kinds: []application.Kind{source, module, saved, recorded, program}, remedy: "leave it out: a trace holds accesses alone, of which no time is predicted"},
	{Verb: "compare", Flags: []string{"model", "ppt-memory", "ppt-cpu"}, Kinds: []application.Kind{source, module, saved, recorded, program}, remedy: "leave it out: a trace holds accesses alone, of which no time is predicted"},
	{Verb: "simulate", Flags: []string{"interleave"}, Kinds: []application.Kind{recorded, program}, remedy: "leave it out: threads of loops take turns here, access by access; foresee predict and mrc mix them at random"},
	{Flags: []string{"interleave"}, Kinds: []application.Kind{source, module, saved, recorded, program}, remedy: "leave it out: accesses come in the order that was recorded"},
	{Flags: []string{"dealing"}, Kinds: []application.Kind{recorded, program}, remedy: "leave it out; of sources, --threads-model exact looks at each number of threads by itself"},
	{Flags: []string{"at-threads", "check"}, Kinds: []application.Kind{program}, remedy: "give one that foresee cc built, or add --trace to a source"},
	{Flags: []string{"compile"}, Kinds: []application.Kind{program}, remedy: "add --trace to a source", Compiled: true},
	{Flags: []string{"trace"}, Kinds: []application.Kind{program}, remedy: "leave it out", observed: true},
	{Flags: []string{"partial"}, Kinds: []application.Kind{traced, recorded}, remedy: "leave it out; --trace-format names the format of a trace that is not told by its content"},
	{Flags: []string{"trace-format"}, Kinds: []application.Kind{traced}, remedy: "leave it out"},
	{Flags: []string{"kernel", "block-size", "shared-memory", "trips", "operations", "registers", "block"}, Kinds: []application.Kind{listing}, remedy: "leave it out"},
}

// AddInputHelp says in the help of the verbs which inputs they take.
func AddInputHelp(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if refused, ok := Refusals[cmd.Name()]; ok {
			var all []string
			for _, k := range application.Kinds {
				if _, no := refused[k]; !no {
					all = append(all, plural(k))
				}
			}
			cmd.Long += "\n\nIt reads " + JoinWords(all) + ", told by their content (docs/inputs.md)."
		}
	}
}

// plural names a kind in a sentence about flags.
func plural(k application.Kind) string {
	return map[application.Kind]string{
		source: "C sources", module: "sources that LLVM compiles", saved: "saved signatures", traced: "traces", recorded: "recordings", program: "programs that are run",
		listing: "listings of GPU code", parameters: "files of parameters",
	}[k]
}

// CheckInput refuses an input that a verb does not take, and flags that mean nothing for it.
func CheckInput(cmd *cobra.Command, in *application.Input, arguments []string) error {
	if r, ok := Refusals[cmd.Name()][in.Kind]; ok {
		return fmt.Errorf("%s: %s; %s", in.Name, r.Why, strings.ReplaceAll(r.Remedy, "FILE", in.Path))
	}
	for _, f := range FlagKinds {
		for _, name := range f.Flags {
			flag := cmd.Flags().Lookup(name)
			if flag == nil || !flag.Changed || !f.Is(cmd.Name(), name) {
				continue
			}
			switch {
			case f.Compiled && in.Kind == program && !in.Compiled:
				return Usagef("%s is for sources that are compiled, and %s is a program already; leave it out", FlagName(flag.Shorthand, name), in.Name)
			case slices.Contains(f.Kinds, in.Kind), f.observed && (in.Kind == source || in.Kind == module) && cmd.Flags().Changed("run"):
				continue
			}
			return Usagef("%s is for %s, and %s is a %s; %s", FlagName(flag.Shorthand, name), KindList(f.Kinds), in.Name, in.Kind, f.remedy)
		}
	}
	if len(arguments) > 0 && in.Kind != program {
		return Usagef("arguments after -- are for programs that are run, and %s is a %s; give one that foresee cc built, or add --trace to a source", in.Name, in.Kind)
	}
	return nil
}

// KindList names kinds in a sentence.
func KindList(kinds []application.Kind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, plural(k))
	}
	return JoinWords(all)
}

// JoinWords lists words as a sentence does.
func JoinWords(all []string) string {
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}
