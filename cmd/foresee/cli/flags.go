// Package cli is what the verbs of the command foresee share: flags and how their values are read, which inputs a verb takes, the machines
// that are asked for, the work on an input from its opening to its results, and the files that those go into.
package cli

import (
	"cmp"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/application"
	"foresee/cmd/foresee/remedy"
	"foresee/machine"
	"foresee/predict"
	"foresee/report/figure"
)

// maxThreadCounts is how many numbers of threads one command takes: each is a prediction of its own, of some milliseconds.
const maxThreadCounts = 512

// maxSizes is how many cache sizes a curve has at most.
const maxSizes = 10_000

// MaxThreads is the largest number of threads that is read: larger ones are typing errors.
const MaxThreads = 4096

// Common are the flags of the verbs that read an application.
type Common struct {
	Reading
	Machines, Regions          []string
	Threads                    string
	Format, Output, Plot, HTML string
	Seed                       uint64
	Samples                    int
	Verbose, All               bool
	ThreadsModel, Interleave   string
	MissRatio                  Share
	Host                       HostFlags
	Undrawn                    bool // the verb draws no picture
	NeedsNone                  bool // the verb needs no machine, and takes this one only where it can be described
	// accept refuses a machine and a number of threads that do not go together, before anything is run; nil: it takes all.
	Accept func(m *machine.Machine, threads int) error
	// refuse says what is wrong with an input for what is asked of it, before it is read; nil: nothing.
	Refuse func(in *application.Input) error
}

// Add adds the flags.
func (c *Common) Add(f *pflag.FlagSet) {
	f.StringArrayVar(&c.Machines, "machine", nil, "machine by `NAME` or .yaml file, repeatable (default host: this machine)")
	c.Host.Add(f)
	f.StringVar(&c.Threads, "threads", "", "numbers of threads: a `LIST` such as 1,2,4,8 or 1-64 or both")
	f.StringArrayVar(&c.Regions, "region", nil, "only the region of this `NAME`, repeatable")
	c.Reading.Add(f)
	f.StringVar(&c.Format, "format", "", FormatUsage)
	f.StringVarP(&c.Output, "output", "o", "", "write the result to `FILE` instead of standard output")
	if !c.Undrawn {
		f.StringVar(&c.Plot, "plot", "", "draw the result into `FILE`.svg or .png")
	}
	f.Uint64Var(&c.Seed, "seed", 1, "`NUMBER` that starts the sampling; equal seeds give equal results")
	f.IntVar(&c.Samples, "samples", 0, "reuse intervals sampled in each stream (0: enough)")
	f.BoolVarP(&c.Verbose, "verbose", "v", false, "more columns, and what was skipped")
}

// AddUndrawn adds the flags of verbs whose results are not drawn.
func (c *Common) AddUndrawn(f *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Add(all)
	all.VisitAll(func(one *pflag.Flag) {
		if one.Name != "plot" {
			f.AddFlag(one)
		}
	})
}

// AddThreads adds the flags of the verbs that predict locality at a number of threads.
func (c *Common) AddThreads(f *pflag.FlagSet) {
	f.StringVar(&c.ThreadsModel, "threads-model", predict.ThreadsAuto, "how the locality at a number of threads is found: symbolic (from one analysis for all), exact (each analysed by itself), pluss as published (mrc, profile --measure interval), or auto")
	f.StringVar(&c.Interleave, "interleave", "", "how threads' accesses mix: uniform (at random) or round-robin (default: uniform; of exact: round-robin)")
}

// Share is a flag between 0 and 1, or a percentage.
type Share float64

// String implements pflag.Value, as Type and Set do.
func (s *Share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

// Type names the value in help.
func (s *Share) Type() string { return "SHARE" }

// Set reads a share.
func (s *Share) Set(text string) error {
	v, err := ParseShare(text)
	if err != nil || v == 0 {
		return errors.New("give a share of the accesses above 0, such as 0.02 or 2%")
	}
	*s = Share(v)
	return nil
}

// Part is a flag from 0 to 1, such as 0.05 or 5%.
type Part float64

// String implements pflag.Value, as Type and Set do.
func (p *Part) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }

// Type names the value in help.
func (p *Part) Type() string { return "SHARE" }

// Set reads a part.
func (p *Part) Set(text string) error {
	v, err := ParseShare(text)
	*p = Part(v)
	return err
}

// ParseShare reads a number from 0 to 1, or so many percent.
func ParseShare(text string) (float64, error) {
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

// Check reports everything about the common flags that cannot be meant.
func (c *Common) Check() error {
	if err := c.Reading.check(); err != nil {
		return err
	}
	if err := OneOf("--threads-model", cmp.Or(c.ThreadsModel, predict.ThreadsAuto), predict.ThreadsModels...); err != nil {
		return err
	}
	if c.Interleave != "" {
		if err := OneOf("--interleave", c.Interleave, predict.Interleavings...); err != nil {
			return err
		}
	}
	if err := CheckFormat(c.Format); err != nil {
		return err
	}
	if c.Samples < 0 {
		return Usagef("--samples %d: give a number of samples, or 0 for enough", c.Samples)
	}
	if c.Plot == "" {
		return nil
	}
	_, err := PictureFormat(c.Plot)
	return err
}

// CheckFormat refuses a format that no result has.
func CheckFormat(format string) error { return OneOf("--format", format, "text", "json", "csv") }

// SignatureSuffix ends the names of files that profile writes signatures into.
const SignatureSuffix = ".sig.json"

// FormatUsage is of the verbs that print one result.
const FormatUsage = "text, json or csv (default: as the name of -o ends, else text)"

// FormatOfName takes the format of a result from its file's name where none is asked for: what is called x.json holds JSON.
func FormatOfName(cmd *cobra.Command) error {
	format, output := cmd.Flags().Lookup("format"), cmd.Flags().Lookup("output")
	if format == nil || output == nil || format.Usage != FormatUsage || format.Changed {
		return nil
	}
	name := strings.ToLower(output.Value.String())
	for _, known := range []string{"json", "csv"} {
		if strings.HasSuffix(name, "."+known) && !strings.HasSuffix(name, SignatureSuffix) {
			return format.Value.Set(known)
		}
	}
	return format.Value.Set("text")
}

// OneOf checks the value of a flag with few values.
func OneOf(flag, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return Usagef("%s %q is not known; use %s", flag, value, strings.Join(values, ", "))
}

// PictureFormat is the format that the name of a picture asks for: svg or png.
func PictureFormat(file string) (string, error) {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if slices.Contains(figure.Formats, format) {
		return format, nil
	}
	return "", Usagef("--plot %s: pictures end in .%s", file, strings.Join(figure.Formats, " or ."))
}

// Analysis are the options of the analyses.
func (c *Common) Analysis(progress func(done, total int)) predict.Options {
	return predict.Options{
		Seed: c.Seed, Samples: c.Samples, Progress: progress, ThreadsModel: c.ThreadsModel, Interleave: c.Interleave,
		MissRatio: float64(c.MissRatio), Mimic: c.dealing == DealMimic, Remedy: remedy.Of,
	}
}

// ParseThreads reads "1,2,8-10" as a sorted list without repetitions.
func ParseThreads(list string) ([]int, error) {
	var all []int
	for item := range strings.SplitSeq(list, ",") {
		if len(all) > MaxThreads*maxThreadCounts {
			return nil, Usagef("--threads %s: the same numbers over and over", Shortened(list))
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
			return nil, Usagef("--threads %q: the range %s runs backwards; write %d-%d", list, item, hi, lo)
		}
		for n := lo; n <= hi; n++ {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxThreadCounts {
		return nil, Usagef("--threads %s: %d numbers of threads, and each is a prediction of its own; give %d at most, such as 1,2,4,8 or 1-64", Shortened(list), len(all), maxThreadCounts)
	}
	return all, nil
}

// Shortened keeps the beginning of what may be long.
func Shortened(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

func threadCount(list, s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 || n > MaxThreads {
		return 0, Usagef("--threads %q: %q is no number of threads from 1 to %d; write 1,2,4,8 or 1-64", list, s, MaxThreads)
	}
	return n, nil
}

// Words that --threads of predict takes.
const (
	AllThreads  = "all"
	BestThreads = "best"
)

// UsualThreads are those of no list: all that the largest machine has cores for, some to begin a search with, or doubled ones.
func (c *Common) UsualThreads(machines []*machine.Machine) (all []int) {
	cores := 1
	for _, m := range machines {
		cores = max(cores, m.TotalCores())
	}
	cores = min(cores, MaxThreads)
	switch c.Threads {
	case AllThreads:
		for n := range min(cores, maxThreadCounts) {
			all = append(all, n+1)
		}
		return all
	case BestThreads:
		return predict.Coarse(cores)
	}
	return DoubledThreads(machines)
}

// DoubledThreads doubles from 1 to the cores of the largest machine.
func DoubledThreads(machines []*machine.Machine) (all []int) {
	cores := 1
	for _, m := range machines {
		cores = max(cores, m.TotalCores())
	}
	cores = min(cores, MaxThreads)
	for n := 1; n < cores; n *= 2 {
		all = append(all, n)
	}
	return append(all, cores)
}

// ParseSizes reads "32KiB,1MiB".
func ParseSizes(list string) ([]int64, error) {
	if list == "" {
		return nil, nil
	}
	var all []int64
	for item := range strings.SplitSeq(list, ",") {
		n, err := machine.ParseSize(strings.TrimSpace(item))
		if err != nil {
			return nil, Usagef("--sizes: %w", err)
		}
		if n < 1 || n > math.MaxInt64/2 {
			return nil, Usagef("--sizes: %s is no size of a cache; write 32KiB,1MiB", item)
		}
		all = append(all, n)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxSizes {
		return nil, Usagef("--sizes %s: %d sizes; give %d at most", Shortened(list), len(all), maxSizes)
	}
	return all, nil
}

// CheckLine refuses what no cache has for a line; 0 stands for the machine's.
func CheckLine(line int64) error {
	if line == 0 || line > 1 && line <= 4096 && line&(line-1) == 0 {
		return nil
	}
	return Usagef("--line %d: a line is a power of two from 2 to 4096 bytes, usually 64", line)
}
