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
	// onTwo are the machines of predictions: an Intel with an inclusive L3, and an AMD.
	onTwo = " --machine i7-5960x --machine zen4 --threads 1,4 --format json "
	// onOne is the machine of everything else.
	onOne = " --machine i7-5960x --format json "
)

func goldenGroups(t *testing.T, out string) []goldenGroup {
	spoilInputs(t, out)
	return []goldenGroup{
		{"kernels", kernelSignatures(), kernelCases()},
		{"small", nil, smallCases()},
		{"options", []goldenCase{{"signature", "profile -o $OUT/options.sig.json" + atMini("gemm")}}, optionCases()},
		{"dealt", []goldenCase{{"signature", "profile -o $OUT/dealt.sig.json " + goldenInputs + "dealt.c"}}, dealtCases()},
		{"machines", []goldenCase{{"signature", "profile -o $OUT/machines.sig.json" + atMini("jacobi-2d-chunk")}}, machineCases()},
		{"recordings", nil, recordingCases()},
		{"traces", convertedTraces(), traceCases()},
		{"measurements", reuseProfiles(), measurementCases()},
		{"xmodel", nil, xmodelCases()},
		{"inputs", results(), inputCases()},
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

func atMini(kernel string) string { return " -D MINI " + kernelSources + kernel + ".c" }

// kernelCases ask every verb for every kernel at MINI. The analysis of a source is what takes long: few verbs do it again, the others
// read the signature that it makes.
func kernelCases() (cases []goldenCase) {
	for _, k := range examples.Kernels() {
		cases = append(cases, goldenCase{k + ".simulate", "simulate --threads 4" + onOne + atMini(k)})
		if slices.Contains(costlyKernels, k) {
			cases = append(cases, costlyCases(k)...)
			continue
		}
		signature := "$OUT/" + k + ".sig.json"
		for _, v := range []string{"predict" + onTwo, "mrc --threads 1,4" + onOne, "profile --threads 1,4" + onOne, "xgraph --threads 4" + onOne} {
			cases = append(cases, goldenCase{k + "." + verbOf(v), v + signature})
		}
	}
	for _, k := range []string{"gemm", "jacobi-2d", "spmv-banded", "stream-triad", "transpose"} {
		cases = append(cases, goldenCase{k + ".predict.text", "predict -v --machine i7-5960x --machine zen4 --threads 1,4 $OUT/" + k + ".sig.json"})
	}
	return append(cases, sourceCases()...)
}

func costlyCases(kernel string) []goldenCase {
	source := onOne + atMini(kernel)
	return []goldenCase{
		{kernel + ".predict", "predict --threads 1" + source},
		{kernel + ".mrc", "mrc --method exact --threads 4" + source},
		{kernel + ".profile", "profile --method exact --threads 4" + source},
	}
}

// sourceCases ask sources what others ask signatures.
func sourceCases() (cases []goldenCase) {
	for _, v := range []struct{ command, kernels string }{
		{"predict" + onTwo, "gemm lu-chunk"},
		{"mrc --threads 1,4" + onOne, "atax jacobi-2d"},
		{"profile --threads 1,4" + onOne, "gemver trisolv"},
		{"xgraph --threads 4" + onOne, "durbin mvt"},
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
			cases = append(cases, goldenCase{k + ".simulate", "simulate --threads 4" + onOne + source})
		}
		if i%6 == 0 {
			cases = append(cases, goldenCase{k + ".mrc", "mrc --threads 1" + onOne + source})
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
			"predict" + onTwo, "--model overlap, --model bandwidth, --model ppt, --model ppt --ppt-memory noncontiguous --ppt-cpu latency, --hit-model sdcm, --page-size 0, " +
				"--page-size 2MiB, --miss-ratio 2%, --interleave round-robin, -D N=16", signature,
		},
		{"predict" + onTwo, "--threads-model pluss, --samples 300, --seed 7, --by loop, --region summed, --region none, -D N=16", regions},
		{
			"mrc --threads 1,4" + onOne, "--scope private, --scope both, --method aet, --method exact, --method shards, --method shards --max-lines 100, --sizes 4KiB;64KiB, " +
				"--line 128, --threads-model exact, --threads-model exact --interleave round-robin, --threads-model pluss, --by loop", regions,
		},
		{
			"profile --threads 1,4" + onOne, "--scope both, --measure interval, --measure interval --scope private, --method exact, --method exact --measure interval, " +
				"--method shards, --line 32, --threads-model pluss --measure interval, --region none", regions,
		},
		{
			"simulate --threads 4" + onOne, "--causes --arrays, --level L1:replacement=plru;prefetch=stride, --level L1:replacement=fifo;victim=4, " +
				"--level L2:replacement=random;inclusion=exclusive --seed 5, --level L3:inclusion=inclusive;write=through;allocate=no, --by loop, --level L9:ways=2", regions,
		},
		{"simulate --threads 4" + onOne, "--causes", signature},
		{"xgraph --threads 4" + onOne, "--param alpha=x2;n=40, --against n=x0.5, --printed-queue", signature},
	} {
		cases = append(cases, eachOption(o.command, o.options, o.input)...)
	}
	return append(cases, formCases(signature)...)
}

// dealtCases are of loops with every schedule, which the kernels do not have.
func dealtCases() (cases []goldenCase) {
	const source, signature = goldenInputs + "dealt.c", "$OUT/dealt.sig.json"
	for _, o := range []struct{ command, options, input string }{
		{"predict" + onOne, "--threads 1;3;4, --threads 3 --threads-model exact, --threads 4 --by loop", source},
		{"predict" + onOne, "--threads 5;8, --threads 3 --interleave round-robin, --threads 8 --hit-model sdcm", signature},
		{"mrc" + onOne, "--threads 3;4 --method exact --scope both, --threads 3 --threads-model pluss, --threads 3 --threads-model pluss --scope private", source},
		{"mrc" + onOne, "--threads 3;8 --scope both", signature},
		{"profile" + onOne, "--threads 3 --method exact --measure interval, --threads 4 --method exact --scope private", source},
		{"profile" + onOne, "--threads 3;8 --measure interval", signature},
		{"simulate" + onOne, "--threads 3 --causes, --threads 4 --arrays, --threads 8", source},
		{"xgraph" + onOne, "--threads 3 --region guided, --threads 8 --region together", signature},
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

// machineCases are of all machines of the library. What machine measure says, and machine check of a machine that was measured, is of
// the one that they run on.
func machineCases() []goldenCase {
	cases := []goldenCase{
		{"list", "machine list --format json"},
		{"list.text", "machine list"},
		{"import", "machine import kerncraft " + goldenInputs + "hardware.yml"},
		{"check.unmeasured", "machine check zen4"},
		{"plot", "machine show --plot $OUT/machine.svg granite-rapids-vm"},
		{"plot.unmeasured", "machine show --plot $OUT/unmeasured.svg zen4"},
		{"csv", "machine show --format csv i7-5960x"},
		{"caches-of-another", "machine show --caches 32KiB,1MiB i7-5960x"},
	}
	for _, m := range machine.Library() {
		on := " --format json --machine " + m + " $OUT/machines.sig.json"
		cases = append(cases, goldenCase{m + ".show", "machine show --format json " + m},
			goldenCase{m + ".text", "machine show " + m}, goldenCase{m + ".yaml", "machine show --format yaml " + m},
			goldenCase{m + ".predict", "predict --threads 1,2,8" + on}, goldenCase{m + ".ppt", "predict --threads 1,2 --model ppt" + on},
			goldenCase{m + ".simulate", "simulate --threads 2" + on}, goldenCase{m + ".xgraph", "xgraph --threads 2" + on})
	}
	return cases
}
