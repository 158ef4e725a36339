package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/examples"
	"foresee/machine"
)

// Where the inputs of the net are, from the root of the repository.
const (
	goldenInputs  = goldenFolder + "/inputs/"
	kernelSources = "examples/kernels/"
	traceSamples  = "application/trace/testdata/"
	counterFiles  = "application/counters/testdata/"
	sassListings  = "application/sass/testdata/"
	measuredRuns  = "accuracy/measurements/"
)

const (
	// onSmall is an invented machine, whose caches are so small that kernels at MINI need all of them and memory.
	onSmall = " --machine " + goldenInputs + "small.yaml --format json "
	// onThree are the machines of predictions: that one, an Intel with an inclusive L3, and an AMD.
	onThree = onSmall + "--machine i7-5960x --machine zen4 --threads 1,4 "
)

func goldenGroups(t *testing.T, out string) []goldenGroup {
	spoilInputs(t, out)
	kernels, otherKernels := kernelCases()
	machines, otherMachines := machineCases()
	return []goldenGroup{
		{"kernels", kernelSignatures(), kernels, otherKernels},
		{"small", nil, smallCases(), nil},
		{"options", []goldenCase{{"signature", "profile -o $OUT/options.sig.json" + atMini("gemm")}}, optionCases(), nil},
		{"dealt", []goldenCase{{"signature", "profile -o $OUT/dealt.sig.json " + goldenInputs + "dealt.c"}}, dealtCases(), nil},
		{"machines", largeSignatures(), machines, otherMachines},
		{"recordings", nil, recordingCases(), nil},
		{"traces", convertedTraces(), traceCases(), nil},
		{"measurements", reuseProfiles(), measurementCases(), nil},
		{"xmodel", nil, xmodelCases(), nil},
		{"inputs", results(), inputCases(), nil},
		{"advice", nil, adviceCases(), nil},
	}
}

// costlyKernels take a second each to analyse for any number of threads, several times what others take. They are analysed
// for one, and xgraph is left out.
var costlyKernels = []string{"conv-layer", "heat-3d-collapse", "jacobi-2d-timetiled", "matvec-collapse", "seidel-2d-tiled"}

// kernelSignatures analyse all other kernels, once and for all that is asked of them.
func kernelSignatures() (cases []goldenCase) {
	for _, k := range examples.Kernels() {
		if !slices.Contains(costlyKernels, k) {
			cases = append(cases, goldenCase{k + ".signature", "profile -o $OUT/" + k + ".sig.json" + atMini(k)})
		}
	}
	return cases
}

// adviceCases are changes of sources: of a loop in the wrong order, of a sum, of an array of structures, and of what is no source.
func adviceCases() (cases []goldenCase) {
	for _, name := range []string{"row-sums", "matmul-dot", "cells-two-members", "triangle-blocks"} {
		cases = append(cases, goldenCase{name, "advise --machine zen4 --threads 1,2 --format json -D SMALL examples/slow/" + name + ".c"})
	}
	return append(
		cases,
		goldenCase{"csv", "advise --machine zen4 --threads 1 --format csv -D SMALL examples/slow/row-sums.c"},
		goldenCase{"trace", "advise --machine zen4 " + goldenInputs + "small.yaml"},
	)
}

func atMini(kernel string) string { return " -D MINI " + kernelSources + kernel + ".c" }

// kernelCases ask for every kernel at MINI a simulation, a prediction and one of the other verbs in turn; long are what the other two say. The analysis of a
// source is what takes long: few verbs do it again, the others read the signature that it makes.
func kernelCases() (cases, long []goldenCase) {
	others := []string{"mrc --threads 1,4" + onSmall, "profile --threads 1,4" + onSmall, "xgraph --threads 4" + onSmall}
	for i, k := range examples.Kernels() {
		cases = append(cases, goldenCase{k + ".simulate", "simulate --threads 4" + onSmall + atMini(k)})
		if slices.Contains(costlyKernels, k) {
			cases = append(cases, costlyCases(k)...)
			continue
		}
		signature := "$OUT/" + k + ".sig.json"
		cases = append(cases, goldenCase{k + ".predict", "predict" + onThree + signature})
		for n, v := range others {
			c := goldenCase{k + "." + verbOf(v), v + signature}
			if n == i%len(others) {
				cases = append(cases, c)
			} else {
				long = append(long, c)
			}
		}
	}
	for _, k := range []string{"gemm", "jacobi-2d", "spmv-banded", "stream-triad", "transpose"} {
		cases = append(cases, goldenCase{k + ".predict.text", "predict -v --machine i7-5960x --machine zen4 --threads 1,4 $OUT/" + k + ".sig.json"})
	}
	return append(cases, sourceCases()...), long
}

func costlyCases(kernel string) []goldenCase {
	source := onSmall + atMini(kernel)
	return []goldenCase{
		{kernel + ".predict", "predict --threads 1" + source},
		{kernel + ".mrc", "mrc --method exact --threads 4" + source},
		{kernel + ".profile", "profile --method exact --threads 4" + source},
	}
}

// sourceCases ask sources what others ask signatures.
func sourceCases() (cases []goldenCase) {
	for _, v := range []struct{ command, kernels string }{
		{"predict" + onThree, "gemm lu-chunk"},
		{"mrc --threads 1,4" + onSmall, "atax jacobi-2d"},
		{"profile --threads 1,4" + onSmall, "gemver trisolv"},
		{"xgraph --threads 4" + onSmall, "durbin mvt"},
	} {
		for k := range strings.FieldsSeq(v.kernels) {
			cases = append(cases, goldenCase{k + "." + verbOf(v.command) + ".source", v.command + atMini(k)})
		}
	}
	return cases
}

func verbOf(command string) string { return strings.Fields(command)[0] }

// smallCases are of one kernel in three at SMALL, and half of them for the analysis, which takes longer than a simulation.
func smallCases() (cases []goldenCase) {
	for i, k := range examples.Kernels() {
		source := "-D SMALL " + kernelSources + k + ".c"
		if i%3 == 0 {
			cases = append(cases, goldenCase{k + ".simulate", "simulate --threads 4 --machine i7-5960x --format json " + source})
		}
		if i%6 == 0 {
			cases = append(cases, goldenCase{k + ".mrc", "mrc --threads 1 --machine i7-5960x --format json " + source})
		}
	}
	return cases
}

// eachOption gives a case for each of the options, which commas and blanks part; inside of one, a semicolon stands for a comma.
func eachOption(command, options, input string) (cases []goldenCase) {
	name := strings.TrimSuffix(filepath.Base(input), filepath.Ext(input)) + "." + verbOf(command)
	for option := range strings.SplitSeq(options, ", ") {
		option = strings.ReplaceAll(option, ";", ",")
		cases = append(cases, goldenCase{name + strings.NewReplacer("--", ".", "$OUT/", "", " ", "").Replace(option), command + " " + option + " " + input})
	}
	return cases
}

// optionCases turn every flag that changes a number, and print every form of a result.
func optionCases() (cases []goldenCase) {
	const signature, regions = "$OUT/options.sig.json", goldenInputs + "regions.c"
	for _, o := range []struct{ command, options, input string }{
		{
			"predict" + onThree, "--model overlap, --model bandwidth, --model ppt, --model ppt --ppt-memory noncontiguous --ppt-cpu latency, --hit-model sdcm, --page-size 0, " +
				"--page-size 2MiB, --miss-ratio 2%, --interleave round-robin, -D N=16", signature,
		},
		{"predict" + onThree, "--threads-model pluss, --samples 300, --seed 7, --by loop, --region summed, --region none, -D N=16, -D N=8;16, -D N=8..40", regions},
		{
			"mrc --threads 1,4" + onSmall, "--scope private, --scope both, --method aet, --method exact, --method shards, --method shards --max-lines 100, --sizes 4KiB;64KiB, " +
				"--line 128, --threads-model exact, --threads-model exact --interleave round-robin, --threads-model pluss, --by loop", regions,
		},
		{
			"profile --threads 1,4" + onSmall, "--scope both, --measure interval, --measure interval --scope private, --method exact, --method exact --measure interval, " +
				"--method shards, --line 32, --threads-model pluss --measure interval, --region none", regions,
		},
		{
			"simulate --threads 4" + onSmall, "--causes --arrays, --level L1:replacement=plru;prefetch=stride, --level L1:replacement=fifo;victim=4, --level L1:replacement=lru --level L2:write=through, " +
				"--level L2:replacement=random;inclusion=exclusive --seed 5, --level L3:inclusion=inclusive;write=through;allocate=no, --by loop, --level L9:ways=2", regions,
		},
		{"simulate --threads 4" + onSmall, "--causes", signature},
		{"xgraph --threads 4" + onSmall, "--param alpha=x2;n=40, --against n=x0.5, --printed-queue", signature},
	} {
		cases = append(cases, eachOption(o.command, o.options, o.input)...)
	}
	cases = append(cases,
		goldenCase{"compare", "compare --format json --machine zen4 --threads 1,4" + atMini("gemm-ikj") + atMini("gemm")},
		goldenCase{"compare.machines", "compare --format json --machine zen4 --machine i7-5960x --threads 1,8" + atMini("mvt")},
		goldenCase{"compare.text", "compare --fail-above 5% --machine zen4 --threads 1" + atMini("gemm") + atMini("gemm-column-parallel")},
		goldenCase{"rank", "rank --format json --machine i7-5960x --machine zen4 --machine graviton3" + atMini("mvt") + atMini("gemm")},
		goldenCase{"rank.text", "rank --machine i7-5960x --machine zen4 --against i7-5960x" + atMini("mvt")},
		goldenCase{"threads.best", "predict --threads best --format json --machine i7-5960x --machine zen4" + atMini("mvt")}, goldenCase{"threads.all", "predict --threads all --machine i7-5960x" + atMini("mvt")})
	return append(cases, formCases(signature)...)
}

// dealtCases are of loops with every schedule, which the kernels do not have.
func dealtCases() (cases []goldenCase) {
	const source, signature = goldenInputs + "dealt.c", "$OUT/dealt.sig.json"
	for _, o := range []struct{ command, options, input string }{
		{"predict" + onSmall, "--threads 1;3;4, --threads 3 --threads-model exact, --threads 4 --by loop", source},
		{"predict" + onSmall, "--threads 5;8, --threads 3 --interleave round-robin, --threads 8 --hit-model sdcm", signature},
		{"mrc" + onSmall, "--threads 3;4 --method exact --scope both, --threads 3 --threads-model pluss, --threads 3 --threads-model pluss --scope private", source},
		{"mrc" + onSmall, "--threads 3;8 --scope both", signature},
		{"profile" + onSmall, "--threads 3 --method exact --measure interval, --threads 4 --method exact --scope private", source},
		{"profile" + onSmall, "--threads 3;8 --measure interval", signature},
		{"simulate" + onSmall, "--threads 3 --causes, --threads 4 --arrays, --threads 8", source},
		{"xgraph" + onSmall, "--threads 3 --region guided, --threads 8 --region together", signature},
	} {
		cases = append(cases, eachOption(o.command, o.options, o.input)...)
	}
	return cases
}

// formCases print and draw results in every form.
func formCases(signature string) (cases []goldenCase) {
	for _, verb := range []string{"predict", "mrc", "profile", "simulate", "xgraph"} {
		command := verb + " --machine i7-5960x --threads 4 "
		for _, form := range []string{"text", "csv"} {
			cases = append(cases, goldenCase{verb + "." + form, command + "--format " + form + " " + signature})
		}
		if verb != "simulate" {
			cases = append(cases, goldenCase{verb + ".plot", command + "--plot $OUT/" + verb + ".svg " + signature})
		}
	}
	return append(cases, goldenCase{"predict.html", "predict --machine i7-5960x --threads 1,4 --html $OUT/predict.html " + signature},
		goldenCase{"xgraph.html", "xgraph --machine i7-5960x --threads 4 --html $OUT/xgraph.html " + signature},
		goldenCase{"validate.nextuse", "validate nextuse --size MINI --kernel trisolv"})
}

// Signatures of data that only the largest caches hold, or none: read in sequence, across rows, by threads in turn with barriers, and by
// steps of some lines.
const (
	sequential = "$OUT/stream-triad.large.sig.json"
	columns    = "$OUT/transpose.large.sig.json"
	barriers   = "$OUT/jacobi-2d-chunk.large.sig.json"
	steps      = "$OUT/strided.sig.json"
)

func largeSignatures() (cases []goldenCase) {
	for _, k := range []string{"stream-triad", "transpose", "jacobi-2d-chunk"} {
		cases = append(cases, goldenCase{k + ".signature", "profile -D LARGE -o $OUT/" + k + ".large.sig.json " + kernelSources + k + ".c"})
	}
	return append(cases, goldenCase{"strided.signature", "profile -o " + steps + " " + goldenInputs + "strided.c"})
}

// machineCases are of all machines of the library: a prediction for each, and one of the other verbs in turn; long are what the other two say. What machine measure says, and machine check of a machine that was measured, is of
// the one that they run on.
func machineCases() (cases, long []goldenCase) {
	cases = []goldenCase{
		{"list", "machine list --format json"},
		{"list.text", "machine list"},
		{"import", "machine import kerncraft " + goldenInputs + "hardware.yml"},
		{"check.unmeasured", "machine check zen4"},
		{"plot", "machine show --plot $OUT/machine.svg granite-rapids-vm"},
		{"plot.unmeasured", "machine show --plot $OUT/unmeasured.svg zen4"},
		{"csv", "machine show --format csv i7-5960x"},
		{"caches-of-another", "machine show --caches 32KiB,1MiB i7-5960x"},
	}
	for i, m := range machine.Library() {
		on := " --format json --machine " + m + " "
		cases = append(cases, goldenCase{m + ".show", "machine show --format json " + m},
			goldenCase{m + ".text", "machine show " + m}, goldenCase{m + ".yaml", "machine show --format yaml " + m},
			goldenCase{m + ".predict", "predict --threads 1,2,8" + on + barriers})
		others := []goldenCase{
			{m + ".ppt", "predict --threads 1,2 --model ppt" + on + sequential},
			{m + ".simulate", "simulate --threads 2" + on + atMini("jacobi-2d-chunk")},
			{m + ".xgraph", "xgraph --threads 2" + on + sequential},
		}
		for n, c := range others {
			if n == i%len(others) {
				cases = append(cases, c)
			} else {
				long = append(long, c)
			}
		}
	}
	for _, input := range []string{sequential, columns, steps} {
		cases = append(cases, eachOption("predict --threads 1,2 --format json --machine granite-rapids-vm", "--model auto, --model overlap", input)...)
	}
	cases = append(cases, eachOption("predict --threads 1,8 --format json --machine zen4", "--page-size 0, --page-size 16KiB", columns)...)
	return cases, long
}
