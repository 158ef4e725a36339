package main

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

// refusal says why a verb takes no input of a kind, and what to do instead.
type refusal struct{ why, remedy string }

// Refusals of several verbs.
var (
	isListing    = refusal{"is a listing of GPU code, which has no addresses", "foresee xgraph draws its balance"}
	wasRun       = refusal{"was run at one size, and a sweep analyses loops", "foresee predict takes it with several --machine and --threads"}
	isParameters = refusal{"is YAML, and no program", "if it describes a machine, say --machine FILE; parameters of the X-model are for foresee xgraph"}
)

// refusals are the inputs that verbs do not take; all others they do. Help, docs/inputs.md and the checks come from here.
var refusals = map[string]map[application.Kind]refusal{
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

// inputVerbs are the verbs of refusals, in the order of help.
var inputVerbs = []string{"predict", "advise", "rank", "sweep", "mrc", "profile", "simulate", "xgraph", "trace"}

// flagRule says which inputs flags mean something for: with a verb, or with all that no rule before it is for.
type flagRule struct {
	verb   string
	flags  []string
	kinds  []application.Kind
	remedy string
	// compiled says that of programs that are run they mean something for sources alone, which are compiled first.
	compiled bool
	// observed says that of C sources they mean something where they are run for values.
	observed bool
}

// is says whether the rule is the one for a flag of a verb.
func (r flagRule) is(verb, flag string) bool {
	if r.verb != "" {
		return r.verb == verb
	}
	return !slices.ContainsFunc(flagKinds, func(o flagRule) bool { return o.verb == verb && slices.Contains(o.flags, flag) })
}

// flagKinds are the inputs that flags mean something for, where not all; a flag that is given with another is refused.
var flagKinds = []flagRule{
	{flags: []string{"define", "include"}, kinds: []application.Kind{source, module, program}, remedy: "leave it out", compiled: true},
	{flags: []string{"project"}, kinds: []application.Kind{source}, remedy: "leave it out: it says how C sources are compiled"},
	{verb: "advise", flags: []string{"cc"}, kinds: []application.Kind{source}, remedy: "leave it out: only a source can be compiled for its times"},
	{verb: "predict", flags: []string{"cc"}, kinds: []application.Kind{source, module}, remedy: "leave it out: only a source can be compiled for its times"},
	{verb: "rank", flags: []string{"cc"}, kinds: []application.Kind{source, module}, remedy: "leave it out: only a source can be compiled for its times"},
	{verb: "compare", flags: []string{"cc"}, kinds: []application.Kind{source, module}, remedy: "leave it out: only a source can be compiled for its times"},
	{flags: []string{"cc"}, kinds: []application.Kind{module}, remedy: "leave it out: no compiler is needed, but for --run", observed: true},
	{flags: []string{"run"}, kinds: []application.Kind{source, module}, remedy: "leave it out: only a source is run for values"},
	{flags: []string{"by"}, kinds: []application.Kind{source, module, recorded, program}, remedy: "leave it out"},
	{flags: []string{"samples"}, kinds: []application.Kind{source, module, saved}, remedy: "leave it out"},
	{flags: []string{"threads-model", "miss-ratio"}, kinds: []application.Kind{source, module, saved}, remedy: "leave it out"},
	{verb: "predict", flags: []string{"model", "ppt-memory", "ppt-cpu"}, kinds: []application.Kind{source, module, saved, recorded, program}, remedy: "leave it out: a trace holds accesses alone, of which no time is predicted"},
	{verb: "compare", flags: []string{"model", "ppt-memory", "ppt-cpu"}, kinds: []application.Kind{source, module, saved, recorded, program}, remedy: "leave it out: a trace holds accesses alone, of which no time is predicted"},
	{verb: "simulate", flags: []string{"interleave"}, kinds: []application.Kind{recorded, program}, remedy: "leave it out: threads of loops take turns here, access by access; foresee predict and mrc mix them at random"},
	{flags: []string{"interleave"}, kinds: []application.Kind{source, module, saved, recorded, program}, remedy: "leave it out: accesses come in the order that was recorded"},
	{flags: []string{"dealing"}, kinds: []application.Kind{recorded, program}, remedy: "leave it out; of sources, --threads-model exact looks at each number of threads by itself"},
	{flags: []string{"at-threads", "check"}, kinds: []application.Kind{program}, remedy: "give one that foresee cc built, or add --trace to a source"},
	{flags: []string{"compile"}, kinds: []application.Kind{program}, remedy: "add --trace to a source", compiled: true},
	{flags: []string{"trace"}, kinds: []application.Kind{program}, remedy: "leave it out"},
	{flags: []string{"partial"}, kinds: []application.Kind{traced, recorded}, remedy: "leave it out; --trace-format names the format of a trace that is not told by its content"},
	{flags: []string{"trace-format"}, kinds: []application.Kind{traced}, remedy: "leave it out"},
	{flags: []string{"kernel", "block-size", "shared-memory", "trips", "operations", "registers", "block"}, kinds: []application.Kind{listing}, remedy: "leave it out"},
}

// addInputHelp says in the help of the verbs which inputs they take.
func addInputHelp(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if refused, ok := refusals[cmd.Name()]; ok {
			var all []string
			for _, k := range application.Kinds {
				if _, no := refused[k]; !no {
					all = append(all, plural(k))
				}
			}
			cmd.Long += "\n\nIt reads " + joinWords(all) + ", told by their content (docs/inputs.md)."
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

// checkInput refuses an input that a verb does not take, and flags that mean nothing for it.
func checkInput(cmd *cobra.Command, in *application.Input, arguments []string) error {
	if r, ok := refusals[cmd.Name()][in.Kind]; ok {
		return fmt.Errorf("%s: %s; %s", in.Name, r.why, strings.ReplaceAll(r.remedy, "FILE", in.Path))
	}
	for _, f := range flagKinds {
		for _, name := range f.flags {
			flag := cmd.Flags().Lookup(name)
			if flag == nil || !flag.Changed || !f.is(cmd.Name(), name) {
				continue
			}
			switch {
			case f.compiled && in.Kind == program && !in.Compiled:
				return usagef("%s is for sources that are compiled, and %s is a program already; leave it out", flagName(flag.Shorthand, name), in.Name)
			case slices.Contains(f.kinds, in.Kind), f.observed && in.Kind == source && cmd.Flags().Changed("run"):
				continue
			}
			return usagef("%s is for %s, and %s is a %s; %s", flagName(flag.Shorthand, name), kindList(f.kinds), in.Name, in.Kind, f.remedy)
		}
	}
	if len(arguments) > 0 && in.Kind != program {
		return usagef("arguments after -- are for programs that are run, and %s is a %s; give one that foresee cc built, or add --trace to a source", in.Name, in.Kind)
	}
	return nil
}

func flagName(short, long string) string {
	if short != "" {
		return "-" + short
	}
	return "--" + long
}

func kindList(kinds []application.Kind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, plural(k))
	}
	return joinWords(all)
}

func joinWords(all []string) string {
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}
