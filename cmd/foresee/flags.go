package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/application"
	"foresee/machine"
	"foresee/predict"
	"foresee/report/figure"
)

// maxThreadCounts is how many numbers of threads one command takes: each is a prediction of its own, of some milliseconds.
const maxThreadCounts = 512

// maxSizes is how many cache sizes a curve has at most.
const maxSizes = 10_000

// maxThreads is the largest number of threads that is read: larger ones are typing errors.
const maxThreads = 4096

// common are the flags of the verbs that read an application.
type common struct {
	reading
	machines, regions          []string
	threads                    string
	format, output, plot, html string
	seed                       uint64
	samples                    int
	verbose, all               bool
	threadsModel, interleave   string
	missRatio                  share
	host                       hostFlags
	undrawn                    bool // the verb draws no picture
	needsNone                  bool // the verb needs no machine, and takes this one only where it can be described
	// accept refuses a machine and a number of threads that do not go together, before anything is run; nil: it takes all.
	accept func(m *machine.Machine, threads int) error
	// refuse says what is wrong with an input for what is asked of it, before it is read; nil: nothing.
	refuse func(in *application.Input) error
}

func (c *common) add(f *pflag.FlagSet) {
	f.StringArrayVar(&c.machines, "machine", nil, "machine by `NAME` or .yaml file, repeatable (default host: this machine)")
	c.host.add(f)
	f.StringVar(&c.threads, "threads", "", "numbers of threads: a `LIST` such as 1,2,4,8 or 1-64 or both")
	f.StringArrayVar(&c.regions, "region", nil, "only the region of this `NAME`, repeatable")
	c.reading.add(f)
	f.StringVar(&c.format, "format", "", formatUsage)
	f.StringVarP(&c.output, "output", "o", "", "write the result to `FILE` instead of standard output")
	if !c.undrawn {
		f.StringVar(&c.plot, "plot", "", "draw the result into `FILE`.svg or .png")
	}
	f.Uint64Var(&c.seed, "seed", 1, "`NUMBER` that starts the sampling; equal seeds give equal results")
	f.IntVar(&c.samples, "samples", 0, "reuse intervals sampled in each stream (0: enough)")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "more columns, and what was skipped")
}

// addUndrawn adds the flags of verbs whose results are not drawn.
func (c *common) addUndrawn(f *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.add(all)
	all.VisitAll(func(one *pflag.Flag) {
		if one.Name != "plot" {
			f.AddFlag(one)
		}
	})
}

// addThreads adds the flags of the verbs that predict locality at a number of threads.
func (c *common) addThreads(f *pflag.FlagSet) {
	f.StringVar(&c.threadsModel, "threads-model", predict.ThreadsAuto, "how the locality at a number of threads is found: symbolic (from one analysis for all), exact (each analysed by itself), pluss as published (mrc, profile --measure interval), or auto")
	f.StringVar(&c.interleave, "interleave", "", "how threads' accesses mix: uniform (at random) or round-robin (default: uniform; of exact: round-robin)")
}

// share is a flag between 0 and 1, or a percentage.
type share float64

func (s *share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

func (s *share) Type() string { return "SHARE" }

func (s *share) Set(text string) error {
	v, err := parseShare(text)
	if err != nil || v == 0 {
		return errors.New("give a share of the accesses above 0, such as 0.02 or 2%")
	}
	*s = share(v)
	return nil
}

// part is a flag from 0 to 1, such as 0.05 or 5%.
type part float64

func (p *part) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }

func (p *part) Type() string { return "SHARE" }

func (p *part) Set(text string) error {
	v, err := parseShare(text)
	*p = part(v)
	return err
}

// parseShare reads a number from 0 to 1, or so many percent.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, errors.New("give a share from 0 to 1, such as 0.05 or 5%")
	}
	return v, nil
}

// check reports everything about the common flags that cannot be meant.
func (c *common) check() error {
	if err := c.reading.check(); err != nil {
		return err
	}
	if err := oneOf("--threads-model", cmp.Or(c.threadsModel, predict.ThreadsAuto), predict.ThreadsModels...); err != nil {
		return err
	}
	if c.interleave != "" {
		if err := oneOf("--interleave", c.interleave, predict.Interleavings...); err != nil {
			return err
		}
	}
	if err := checkFormat(c.format); err != nil {
		return err
	}
	if c.samples < 0 {
		return usagef("--samples %d: give a number of samples, or 0 for enough", c.samples)
	}
	if c.plot == "" {
		return nil
	}
	_, err := pictureFormat(c.plot)
	return err
}

func checkFormat(format string) error { return oneOf("--format", format, "text", "json", "csv") }

// formatUsage is of the verbs that print one result.
const formatUsage = "text, json or csv (default: as the name of -o ends, else text)"

// formatOfName takes the format of a result from its file's name where none is asked for: what is called x.json holds JSON.
func formatOfName(cmd *cobra.Command) error {
	format, output := cmd.Flags().Lookup("format"), cmd.Flags().Lookup("output")
	if format == nil || output == nil || format.Usage != formatUsage || format.Changed {
		return nil
	}
	name := strings.ToLower(output.Value.String())
	for _, known := range []string{"json", "csv"} {
		if strings.HasSuffix(name, "."+known) && !strings.HasSuffix(name, signatureSuffix) {
			return format.Value.Set(known)
		}
	}
	return format.Value.Set("text")
}

// oneOf checks the value of a flag with few values.
func oneOf(flag, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("%s %q is not known; use %s", flag, value, strings.Join(values, ", "))
}

func pictureFormat(file string) (string, error) {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if slices.Contains(figure.Formats, format) {
		return format, nil
	}
	return "", usagef("--plot %s: pictures end in .%s", file, strings.Join(figure.Formats, " or ."))
}

// analysis are the options of the analyses.
func (c *common) analysis(progress func(done, total int)) predict.Options {
	return predict.Options{
		Seed: c.seed, Samples: c.samples, Progress: progress, ThreadsModel: c.threadsModel, Interleave: c.interleave,
		MissRatio: float64(c.missRatio), Mimic: c.dealing == dealMimic, Remedy: remedy,
	}
}

// parseThreads reads "1,2,8-10" as a sorted list without repetitions.
func parseThreads(list string) ([]int, error) {
	var all []int
	for item := range strings.SplitSeq(list, ",") {
		if len(all) > maxThreads*maxThreadCounts {
			return nil, usagef("--threads %s: the same numbers over and over", shortened(list))
		}
		first, last, isRange := strings.Cut(strings.TrimSpace(item), "-")
		if first = strings.TrimSpace(first); !isRange || first == "" { // -1 is no range
			first, last = item, item
		}
		lo, err := threadCount(list, first)
		if err != nil {
			return nil, err
		}
		hi, err := threadCount(list, last)
		if err != nil {
			return nil, err
		}
		if lo > hi {
			return nil, usagef("--threads %q: the range %s runs backwards; write %d-%d", list, item, hi, lo)
		}
		for n := lo; n <= hi; n++ {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxThreadCounts {
		return nil, usagef("--threads %s: %d numbers of threads, and each is a prediction of its own; give %d at most, such as 1,2,4,8 or 1-64", shortened(list), len(all), maxThreadCounts)
	}
	return all, nil
}

// shortened keeps the beginning of what may be long.
func shortened(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

func threadCount(list, s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 || n > maxThreads {
		return 0, usagef("--threads %q: %q is no number of threads from 1 to %d; write 1,2,4,8 or 1-64", list, s, maxThreads)
	}
	return n, nil
}

// Words that --threads of predict takes.
const (
	allThreads  = "all"
	bestThreads = "best"
)

// usualThreads are those of no list: all that the largest machine has cores for, some to begin a search with, or doubled ones.
func (c *common) usualThreads(machines []*machine.Machine) (all []int) {
	cores := 1
	for _, m := range machines {
		cores = max(cores, m.TotalCores())
	}
	cores = min(cores, maxThreads)
	switch c.threads {
	case allThreads:
		for n := range min(cores, maxThreadCounts) {
			all = append(all, n+1)
		}
		return all
	case bestThreads:
		return predict.Coarse(cores)
	}
	return doubledThreads(machines)
}

// doubledThreads doubles from 1 to the cores of the largest machine.
func doubledThreads(machines []*machine.Machine) (all []int) {
	cores := 1
	for _, m := range machines {
		cores = max(cores, m.TotalCores())
	}
	cores = min(cores, maxThreads)
	for n := 1; n < cores; n *= 2 {
		all = append(all, n)
	}
	return append(all, cores)
}

// parseSizes reads "32KiB,1MiB".
func parseSizes(list string) ([]int64, error) {
	if list == "" {
		return nil, nil
	}
	var all []int64
	for item := range strings.SplitSeq(list, ",") {
		n, err := machine.ParseSize(strings.TrimSpace(item))
		if err != nil {
			return nil, usagef("--sizes: %w", err)
		}
		if n < 1 || n > math.MaxInt64/2 {
			return nil, usagef("--sizes: %s is no size of a cache; write 32KiB,1MiB", item)
		}
		all = append(all, n)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxSizes {
		return nil, usagef("--sizes %s: %d sizes; give %d at most", shortened(list), len(all), maxSizes)
	}
	return all, nil
}

// checkLine refuses what no cache has for a line; 0 stands for the machine's.
func checkLine(line int64) error {
	if line == 0 || line > 1 && line <= 4096 && line&(line-1) == 0 {
		return nil
	}
	return usagef("--line %d: a line is a power of two from 2 to 4096 bytes, usually 64", line)
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

// warn prints a warning, in words of this command.
func warn(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "foresee: warning: %s\n", sayHere(fmt.Sprintf(format, args...)))
}
