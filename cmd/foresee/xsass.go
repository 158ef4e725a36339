package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"foresee/application/sass"
	"foresee/cmd/foresee/cli"
	"foresee/machine"
	"foresee/model/xmodel"
)

// sassFlags are those of xgraph for the disassembly of GPU code.
type sassFlags struct {
	kernel, block, operations, shared string
	blockSize, registers              int
	trips                             []string
	flow                              *sass.Flow // of what was read, for -v
	workload                          *sass.Workload
}

func (x *sassFlags) add(f *pflag.FlagSet) {
	f.StringVar(&x.kernel, "kernel", "", "of GPU code, the function of this `NAME`")
	f.IntVar(&x.blockSize, "block-size", 0, "of GPU code, `THREADS` of a block, from which n follows")
	f.IntVar(&x.registers, "registers", 0, "of GPU code, `NUMBER` of registers of a thread (default: what the file tells)")
	f.StringVar(&x.shared, "shared-memory", "", "of GPU code, `SIZE` of a block's shared memory, dynamic and static (default: what the file tells)")
	f.StringVar(&x.block, "block", "", "of GPU code, what Z and E count: loop (the innermost), all, or the `LABEL` of a loop or block (default loop, with --trips all)")
	f.StringArrayVar(&x.trips, "trips", nil, "of GPU code, rounds `LABEL=N` of the loop that begins at a label or address, repeatable")
	f.StringVar(&x.operations, "operations", sass.AllInstructions, "of GPU code, what counts as an operation: `KIND` is all (every instruction, as the model's paper counts), arithmetic, floating")
}

// given says which of the flags are there.
func (x *sassFlags) given() (names []string) {
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--kernel", x.kernel != ""},
		{"--block-size", x.blockSize != 0},
		{"--registers", x.registers != 0},
		{"--shared-memory", x.shared != ""},
		{"--block", x.block != ""},
		{"--trips", len(x.trips) > 0},
		{"--operations", x.operations != sass.AllInstructions},
	} {
		if f.set {
			names = append(names, f.name)
		}
	}
	return names
}

// gives says whether --param has a value for a parameter.
func (x *xFlags) gives(name string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(x.params, ","), ","), func(item string) bool {
		return strings.HasPrefix(strings.TrimSpace(item), name+"=")
	})
}

// kernelScenario changes a GPU's parameters to what a kernel has for Z, E and n.
func (x *xFlags) kernelScenario(r io.Reader, input string, known *xmodel.Machine, p *xmodel.Params) (title, source string, warnings []string, err error) {
	if known == nil && len(x.Machines) > 0 {
		return "", "", nil, cli.Usagef("%s is GPU code, and --machine %s no GPU of the model's library; there are %s; or give M, R and L with --param", input, x.Machines[0], strings.Join(xmodel.MachineNames(), ", "))
	}
	listing, err := sass.Read(r)
	if err != nil {
		return "", "", nil, fmt.Errorf("%s: %w", input, err)
	}
	capability := 0
	if known != nil {
		capability = known.Capability()
	}
	k, err := x.choose(listing, input, capability)
	if err != nil {
		return "", "", nil, err
	}
	trips, err := x.rounds()
	if err != nil {
		return "", "", nil, err
	}
	x.flow = k.Flow()
	w, err := x.flow.Workload(sass.Choice{Blocks: x.block, Trips: trips, Operations: x.operations})
	if err != nil {
		return "", "", nil, fmt.Errorf("%s: %w", input, err)
	}
	x.workload, p.Z, p.E = w, w.Z, w.E
	title = k.Name
	source = fmt.Sprintf("%s of %s for sm_%d: %s instructions, %s of off-chip memory, %s issues", w.Of, input, k.Architecture, sixDigits(w.Counts.All()), sixDigits(w.Counts.OffChip()), sixDigits(w.Issues))
	warnings = w.Warnings
	if !x.gives("E") {
		warnings = append(warnings, w.Doubts...)
	}
	if known != nil {
		title += " on " + known.Title
		source = known.Source + "\n" + source
		warnings = append(warnings, x.mismatch(k, w, known)...)
	}
	held, more, err := x.occupy(k, cmp.Or(capability, k.Architecture), p)
	return title, source + held, append(warnings, more...), err
}

// sixDigits writes a number with six digits at most.
func sixDigits(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func version(capability int) string { return fmt.Sprintf("%d.%d", capability/10, capability%10) }

// choose finds the kernel: by its name, and of several architectures the machine's.
func (x *sassFlags) choose(l *sass.Listing, input string, capability int) (*sass.Kernel, error) {
	found := l.Kernels
	if x.kernel != "" {
		found = l.Find(x.kernel)
	}
	var names, architectures []string
	for _, k := range l.Kernels {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(found) == 0 {
		return nil, cli.Usagef("%s has no kernel %s; there are %s", input, x.kernel, strings.Join(names, ", "))
	}
	if x.kernel == "" && len(names) > 1 {
		return nil, cli.Usagef("%s has several kernels (%s); name one with --kernel", input, strings.Join(names, ", "))
	}
	if len(found) == 1 {
		return found[0], nil
	}
	for _, k := range found {
		if k.Architecture == capability {
			return k, nil
		}
		architectures = append(architectures, fmt.Sprintf("sm_%d", k.Architecture))
	}
	return nil, cli.Usagef("%s has %s for %s; print one architecture with cuobjdump -sass -arch %s", input, found[0].Name, strings.Join(architectures, ", "), architectures[0])
}

// rounds reads --trips.
func (x *sassFlags) rounds() (map[string]float64, error) {
	trips := map[string]float64{}
	for _, item := range x.trips {
		label, text, ok := strings.Cut(item, "=")
		n, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil || !(n > 0) {
			return nil, cli.Usagef("--trips %q: write LABEL=N with a number of rounds above 0, such as 0x48=100", item)
		}
		trips[label] = n
	}
	return trips, nil
}

// mismatch says where the code's operations and requests are not those that the machine's M and R count.
func (x *sassFlags) mismatch(k *sass.Kernel, w *sass.Workload, m *xmodel.Machine) (warnings []string) {
	if has := m.Capability(); has/10 != k.Architecture/10 {
		warnings = append(warnings, fmt.Sprintf("the code is for compute capability %s, and the machine has %s, for which a compiler makes other code", version(k.Architecture), version(has)))
	}
	if strings.HasSuffix(m.Name, "-dp") && x.operations == sass.AllInstructions {
		warnings = append(warnings, "M counts lanes of double precision, and Z all instructions; --operations floating counts what such lanes do")
	}
	if wide := m.Scale.RequestBytes / 32; w.Bytes != wide {
		warnings = append(warnings, fmt.Sprintf("requests of the code move %s bytes a thread on average, those that R counts %s", sixDigits(w.Bytes), sixDigits(wide)))
	}
	return warnings
}

// occupy finds n, the warps that a multiprocessor holds, and says how.
func (x *xFlags) occupy(k *sass.Kernel, capability int, p *xmodel.Params) (held string, warnings []string, err error) {
	if x.blockSize == 0 {
		if x.registers != 0 || x.shared != "" {
			return "", nil, cli.Usagef("--registers and --shared-memory need --block-size, the threads of a block")
		}
		if p.N > 0 && !x.gives("n") {
			warnings = append(warnings, fmt.Sprintf("n is taken as %s, the most warps: give the threads of a block with --block-size, or --param n=…", sixDigits(p.N)))
		}
		return "", warnings, nil
	}
	limits, err := xmodel.LimitsOf(capability)
	if err != nil {
		return "", nil, fmt.Errorf("--block-size: %w; give the warps of a multiprocessor with --param n=…", err)
	}
	launch, warnings, err := x.launch(k)
	if err != nil {
		return "", nil, err
	}
	o, err := limits.Occupancy(launch)
	if err != nil {
		return "", nil, cli.Usagef("%s: %w", k.Name, err)
	}
	p.N = float64(o.Warps)
	return fmt.Sprintf("\noccupancy: %d blocks of %d threads, %d of %d warps of compute capability %s, with %d registers a thread and %d bytes of shared memory a block; limited by %s",
		o.Blocks, launch.Threads, o.Warps, limits.Warps, version(capability), launch.Registers, launch.Shared, strings.Join(o.LimitedBy, ", ")), warnings, nil
}

// launch is what a block needs, by the flags and else by the file.
func (x *sassFlags) launch(k *sass.Kernel) (l xmodel.Launch, warnings []string, err error) {
	l = xmodel.Launch{Threads: x.blockSize, Registers: k.Registers, Shared: k.Shared}
	if x.registers != 0 {
		l.Registers = x.registers
	}
	if x.shared != "" {
		bytes, err := machine.ParseSize(x.shared)
		if err != nil || bytes > 1<<30 {
			return l, nil, cli.Usagef("--shared-memory %q: give a size such as 8KiB", x.shared)
		}
		l.Shared = int(bytes)
	}
	if l.Registers < 0 {
		return l, nil, cli.Usagef("the registers of %s are not in the file; give --registers, or add what cuobjdump -res-usage prints to the file", k.Name)
	}
	if l.Shared < 0 {
		l.Shared = 0
		warnings = append(warnings, "the shared memory of a block is not in the file and taken as none; give --shared-memory, or add what cuobjdump -res-usage prints to the file")
	}
	return l, warnings, nil
}

// blocks writes a table of the kernel's blocks: how often each is run, and its instructions by kind.
func (x *sassFlags) blocks(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	kinds := slices.DeleteFunc(sass.Kinds(), func(k sass.Kind) bool {
		return !slices.ContainsFunc(x.flow.Blocks, func(b sass.Block) bool { return b.Reached && b.Counts[k] > 0 })
	})
	fmt.Fprint(t, "block\tloop\truns\tinstructions\tpairs\t")
	for _, k := range kinds {
		fmt.Fprintf(t, "%s\t", k)
	}
	fmt.Fprintln(t)
	for i := range x.flow.Blocks {
		b := &x.flow.Blocks[i]
		if !b.Reached {
			continue
		}
		loop := ""
		if b.Loop >= 0 {
			loop = x.flow.Loops[b.Loop].Label
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t", b.Label, loop, sixDigits(x.workload.Weights[i]), sixDigits(b.Counts.All()), b.Pairs)
		for _, k := range kinds {
			fmt.Fprintf(t, "%s\t", sixDigits(b.Counts[k]))
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
	return t.Flush()
}
