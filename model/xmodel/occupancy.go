package xmodel

import (
	"errors"
	"fmt"
	"strings"
)

// SMLimits is what a multiprocessor of one compute capability holds.
type SMLimits struct {
	Capability      int // 35 is 3.5
	Warps           int // resident on the multiprocessor
	Blocks          int // resident on the multiprocessor
	Registers       int // of 32 bits, on the multiprocessor
	BlockRegisters  int // the most of one block
	ThreadRegisters int // the most of one thread
	RegisterUnit    int // a warp's registers are allocated in multiples of this
	Parts           int // that the registers are split into; a warp's are all in one
	Shared          int // bytes on the multiprocessor
	BlockShared     int // bytes, the most of one block
	SharedUnit      int // bytes; a block's shared memory is allocated in multiples of this
	Reserved        int // bytes of shared memory that the system takes of each block
}

// blockThreads is the most threads of a block on every capability from 2.0 on. Source: as smLimits.
const blockThreads = 1024

// smLimits are the CUDA C++ Programming Guide's "Technical Specifications per Compute Capability", of the editions that list the
// capability. Units of allocation and parts are those of the data sheet in NVIDIA's CUDA Occupancy Calculator, which calls parts the
// warp allocation granularity. Where L1 and shared memory are one (2.x, 3.x, and from 7.0 on), shared memory has all that it can get.
var smLimits = []SMLimits{
	{20, 48, 8, 32768, 32768, 63, 64, 2, 48 << 10, 48 << 10, 128, 0},
	{21, 48, 8, 32768, 32768, 63, 64, 2, 48 << 10, 48 << 10, 128, 0},
	{30, 64, 16, 65536, 65536, 63, 256, 4, 48 << 10, 48 << 10, 256, 0},
	{32, 64, 16, 65536, 32768, 255, 256, 4, 48 << 10, 48 << 10, 256, 0},
	{35, 64, 16, 65536, 65536, 255, 256, 4, 48 << 10, 48 << 10, 256, 0},
	{37, 64, 16, 131072, 65536, 255, 256, 4, 112 << 10, 48 << 10, 256, 0},
	{50, 64, 32, 65536, 65536, 255, 256, 4, 64 << 10, 48 << 10, 256, 0},
	{52, 64, 32, 65536, 65536, 255, 256, 4, 96 << 10, 48 << 10, 256, 0},
	{53, 64, 32, 65536, 32768, 255, 256, 4, 64 << 10, 48 << 10, 256, 0},
	{60, 64, 32, 65536, 65536, 255, 256, 2, 64 << 10, 48 << 10, 256, 0},
	{61, 64, 32, 65536, 65536, 255, 256, 4, 96 << 10, 48 << 10, 256, 0},
	{62, 64, 32, 65536, 32768, 255, 256, 4, 64 << 10, 48 << 10, 256, 0},
	{70, 64, 32, 65536, 65536, 255, 256, 4, 96 << 10, 96 << 10, 256, 0},
	{72, 64, 32, 65536, 65536, 255, 256, 4, 96 << 10, 96 << 10, 256, 0},
	{75, 32, 16, 65536, 65536, 255, 256, 4, 64 << 10, 64 << 10, 256, 0},
	{80, 64, 32, 65536, 65536, 255, 256, 4, 164 << 10, 163 << 10, 128, 1 << 10},
	{86, 48, 16, 65536, 65536, 255, 256, 4, 100 << 10, 99 << 10, 128, 1 << 10},
	{87, 48, 16, 65536, 65536, 255, 256, 4, 164 << 10, 163 << 10, 128, 1 << 10},
	{89, 48, 24, 65536, 65536, 255, 256, 4, 100 << 10, 99 << 10, 128, 1 << 10},
	{90, 64, 32, 65536, 65536, 255, 256, 4, 228 << 10, 227 << 10, 128, 1 << 10},
}

// LimitsOf gives the limits of a compute capability such as 35 for 3.5. The error says which there are.
func LimitsOf(capability int) (SMLimits, error) {
	var known []string
	for _, l := range smLimits {
		if l.Capability == capability {
			return l, nil
		}
		known = append(known, fmt.Sprintf("%d.%d", l.Capability/10, l.Capability%10))
	}
	return SMLimits{}, fmt.Errorf("the limits of compute capability %d.%d are not known; there are %s", capability/10, capability%10, strings.Join(known, ", "))
}

// Capability is the compute capability of a GPU of table II, 20 for 2.0; 0 of other machines.
func (m Machine) Capability() int {
	chip, _, _ := strings.Cut(m.Name, "-")
	return map[string]int{"gtx570": 20, "k40": 35, "gtx750ti": 50}[chip]
}

// Launch is what the blocks of a kernel need.
type Launch struct {
	Threads   int // of a block
	Registers int // of a thread
	Shared    int // bytes of a block, static and dynamic
}

// Occupancy is how much of a kernel a multiprocessor holds at once, in a grid with blocks enough.
type Occupancy struct {
	Blocks    int // of the kernel
	Warps     int // of the kernel: n of the model
	Registers int // allocated for a block
	Shared    int // bytes allocated for a block
	// LimitedBy says what allows no more blocks: "warps", "blocks", "registers", "shared memory"; more than one where they tie.
	LimitedBy []string
}

// Occupancy says how many blocks fit: at least one, or the error says what a block has too much of.
func (l SMLimits) Occupancy(k Launch) (Occupancy, error) {
	if err := l.check(k); err != nil {
		return Occupancy{}, err
	}
	warps := (k.Threads + warp - 1) / warp
	ofWarp := roundUp(k.Registers*warp, l.RegisterUnit)
	o := Occupancy{Registers: ofWarp * warps, Shared: roundUp(k.Shared+l.Reserved, l.SharedUnit)}
	// The check of a launch counts a block's warps as if they filled all parts evenly.
	if assumed := ofWarp * roundUp(warps, l.Parts); assumed > l.BlockRegisters {
		return o, fmt.Errorf("a block of %d threads with %d registers each needs %d registers, and may have %d on compute capability %d.%d; take smaller blocks or fewer registers",
			k.Threads, k.Registers, assumed, l.BlockRegisters, l.Capability/10, l.Capability%10)
	}
	type fit struct {
		name   string
		blocks int
	}
	fits := []fit{{"warps", l.Warps / warps}, {"blocks", l.Blocks}}
	if ofWarp > 0 {
		fits = append(fits, fit{"registers", l.Registers / l.Parts / ofWarp * l.Parts / warps})
	}
	if o.Shared > 0 {
		fits = append(fits, fit{"shared memory", l.Shared / o.Shared})
	}
	o.Blocks = l.Blocks
	for _, f := range fits {
		o.Blocks = min(o.Blocks, f.blocks)
	}
	for _, f := range fits {
		if f.blocks == o.Blocks {
			o.LimitedBy = append(o.LimitedBy, f.name)
		}
	}
	o.Warps = o.Blocks * warps
	return o, nil
}

// check reports what a multiprocessor cannot run.
func (l SMLimits) check(k Launch) (err error) {
	within := func(what string, v, least, most int) {
		if v < least || v > most {
			err = errors.Join(err, fmt.Errorf("%s: %d is not from %d to %d, as compute capability %d.%d has it", what, v, least, most, l.Capability/10, l.Capability%10))
		}
	}
	within("threads of a block", k.Threads, 1, blockThreads)
	within("registers of a thread", k.Registers, 0, l.ThreadRegisters)
	within("bytes of shared memory of a block", k.Shared, 0, l.BlockShared)
	return err
}

func roundUp(v, unit int) int { return (v + unit - 1) / unit * unit }
