package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/trace"
	"foresee/cmd/foresee/cli"
	"foresee/model/xmodel"
)

// spoilInputs writes inputs that are not whole, or nothing that foresee reads.
func spoilInputs(t *testing.T, out string) {
	whole := readFile(t, goldenInputs+"schedules.rec")
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 4
	native := readFile(t, traceSamples+"native.ftrace")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(readFile(t, traceSamples+"text.txt")) // into memory
	_ = w.Close()
	for name, data := range map[string][]byte{
		"cut.rec": whole[:len(whole)-4], "damaged.rec": damaged, "cut.ftrace": native[:len(native)-4], "packed.gz": packed.Bytes(),
		"program": emptyProgram(), "empty.c": nil, "binary": make([]byte, 64), "words.txt": []byte("nothing that foresee reads\n"),
	} {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// emptyProgram is a header of ELF alone, of 64 bits and for x86.
func emptyProgram() []byte {
	header := make([]byte, 64)
	copy(header, "\x7fELF\x02\x01\x01")
	header[16], header[18], header[20] = 2, 62, 1 // a program, of amd64, of the only version
	header[52], header[54], header[58] = 64, 56, 64
	return header
}

func readFile(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// recordingCases replay runs with one thread and with three; inputs/README.md says what made them.
func recordingCases() (cases []goldenCase) {
	for _, r := range []struct{ name, options string }{{"schedules", ""}, {"kernel", ""}, {"bynumber", ""}, {"functions", "--by function "}} {
		for _, threads := range []string{"1", "3"} {
			input := " --threads " + threads + " " + r.options + goldenInputs + r.name + ".rec"
			for _, verb := range []string{"predict", "mrc", "profile", "simulate"} {
				cases = append(cases, goldenCase{r.name + "." + verb + "." + threads, verb + onSmall + input})
			}
			cases = append(cases, goldenCase{r.name + ".trace." + threads, "trace --format json" + input})
		}
	}
	const schedules = goldenInputs + "schedules.rec"
	for _, o := range []struct{ command, options string }{
		{"predict" + onThree, "--hit-model sdcm, --dealing mimic, --interleave uniform, --by function, --region stencil:66, --region none, --model bandwidth, --page-size 0, --threads-model exact"},
		{"mrc --threads 3" + onSmall, "--method shards, --dealing mimic, --method class, --scope both, --line 128, --interleave uniform"},
		{"profile --threads 3" + onSmall, "--measure interval, --dealing mimic, --scope both, --by function, -o $OUT/run.sig.json"},
		{"simulate --threads 3" + onSmall, "--causes --arrays, --dealing mimic, --interleave uniform, --level L1:replacement=random"},
		{"trace --format json", "--by function, --at-threads 2, --as din -o $OUT/run.din, --threads 3 --as lackey -o $OUT/run.lackey"},
	} {
		cases = append(cases, eachOption(o.command, o.options, schedules)...)
	}
	for _, verb := range []string{"predict --machine i7-5960x", "mrc --machine i7-5960x", "profile --machine i7-5960x", "simulate --machine i7-5960x", "trace"} {
		cases = append(cases, goldenCase{verbOf(verb) + ".text", verb + " --threads 3 " + schedules}, goldenCase{verbOf(verb) + ".partial", verb + " --partial $OUT/cut.rec"},
			goldenCase{verbOf(verb) + ".damaged", verb + " --partial $OUT/damaged.rec"})
	}
	return cases
}

// convertedTraces are a recording's accesses in each format that can hold them.
func convertedTraces() []goldenCase {
	const from = " " + goldenInputs + "schedules.rec"
	return []goldenCase{
		{"text.made", "trace --threads 3 --as text -o $OUT/run.text" + from},
		{"native.made", "trace --threads 3 --as native -o $OUT/run.native" + from},
		{"uniform.made", "trace --threads 3 --as text --interleave uniform -o $OUT/uniform.text" + from},
		{"lackey.made", "trace --threads 1 --as lackey -o $OUT/run.lackey" + from},
		{"xdin.made", "trace --threads 1 --as xdin -o $OUT/run.xdin" + from},
	}
}

// traceCases read traces of each format: samples of other tools, and what was converted.
func traceCases() (cases []goldenCase) {
	inputs := map[string]string{"native": "native.ftrace"}
	for _, format := range trace.Formats() {
		name := inputs[format]
		if name == "" {
			name = format + ".txt"
		}
		cases = append(cases, ofTrace(format, traceSamples+name)...)
	}
	for _, format := range []string{"text", "native", "lackey", "xdin"} {
		cases = append(cases, ofTrace(format+"-of-run", "$OUT/run."+format)...)
	}
	for _, o := range []struct{ command, options string }{
		{"mrc" + onSmall, "--method shards, --scope both, --line 32, --sizes 1KiB;8KiB, --threads 2, --interleave uniform, --region stencil:66, --region none"},
		{"profile" + onSmall, "--measure interval, --scope private, --method class"},
		{"simulate" + onSmall, "--causes --arrays, --threads 2, --threads 8, --level L2:prefetch=next-line, --by loop"},
	} {
		cases = append(cases, eachOption(o.command, o.options, "$OUT/run.text")...)
	}
	return append(cases, goldenCase{"wrong-format.mrc", "mrc --trace-format din" + onSmall + traceSamples + "text.txt"}, goldenCase{"uniform.mrc", "mrc" + onSmall + "$OUT/uniform.text"}, goldenCase{"packed.mrc", "mrc" + onSmall + "$OUT/packed.gz"},
		goldenCase{"cut.mrc", "mrc" + onSmall + "$OUT/cut.ftrace"}, goldenCase{"cut.mrc.partial", "mrc --partial" + onSmall + "$OUT/cut.ftrace"},
		goldenCase{"stdin.simulate", "simulate --threads 4" + onSmall + "- <" + traceSamples + "text.txt"})
}

func ofTrace(name, input string) (cases []goldenCase) {
	for _, verb := range []string{"mrc", "profile", "simulate"} {
		cases = append(cases, goldenCase{name + "." + verb, verb + onSmall + input})
	}
	return cases
}

// reuseProfiles are what scale reads of foresee itself, at three numbers of processes.
func reuseProfiles() (cases []goldenCase) {
	for _, r := range []struct{ p, n string }{{"1", "32"}, {"8", "16"}, {"64", "8"}} {
		size := fmt.Sprintf(" -D NI=%[1]s -D NJ=%[1]s -D NK=%[1]s ", r.n)
		cases = append(cases, goldenCase{"reuse." + r.p, "profile --threads 1 -o $OUT/reuse." + r.p + ".json" + size + onSmall + kernelSources + "gemm.c"})
	}
	return cases
}

// measurementCases read every format of measurements.
func measurementCases() (cases []goldenCase) {
	const scale, tools, extrap = "scale --format json ", counterFiles + "tools/", counterFiles + "extrap/"
	for _, m := range []struct{ name, arguments string }{
		{"halo3d", "--at p=256,n=256 --at p=512,n=256 examples/measurements/halo3d.jsonl"},
		{"halo3d.holdout", "--holdout 2 examples/measurements/halo3d.jsonl"},
		{"halo3d.power", "--model power --at p=64,128,n=128 examples/measurements/halo3d.jsonl"},
		{"halo3d.interval", "--interval 0.5 --metric time --callpath total --at p=64,n=64 examples/measurements/halo3d.jsonl"},
		{"halo3d.incomplete", "--at p=64 examples/measurements/halo3d.jsonl"},
		{"halo3d.drawn", "--at p=512,n=256 --plot $OUT/scale.svg --html $OUT/scale.html --write-extrap $OUT/scale.jsonl examples/measurements/halo3d.jsonl"},
		{"kernels", "--at p=128 " + measuredRuns + "smpi/smpi_kernels.jsonl"},
		{"collectives", "--holdout 1 " + measuredRuns + "mpi_coll.jsonl"},
		{"lulesh", "--holdout 1 --weak --allow-change --callpath CalcForceForNodes " + measuredRuns + "lulesh_thicket.jsonl"},
		{"messages", "--metric time --at p=8 " + strings.Join([]string{goldenInputs + "mpi.p1.foresee", goldenInputs + "mpi.p2.foresee", goldenInputs + "mpi.p4.foresee"}, " ")},
		{"reuse", "--at p=512 --machine i7-5960x p=1:$OUT/reuse.1.json p=8:$OUT/reuse.8.json p=64:$OUT/reuse.64.json"},
		{"caliper", "--allow-change --callpath MPI_Allreduce --at p=125 p=27:" + counterFiles + "caliper/27_cores.cali p=64:" + counterFiles + "caliper/64_cores.cali"},
		{"callgrind.times-p", "--model times-p --at p=8 p=1:" + tools + "callgrind.out p=2:" + tools + "callgrind-instr.out p=4:" + tools + "callgrind-parts.out"},
		{"callgrind.apmt", "--model apmt --machine i7-5960x --work n^2 --at p=4,n=10 --param n=10 p=1:" + tools + "callgrind.out p=2:" + tools + "callgrind-instr.out p=2:" + tools + "callgrind-parts.out"},
		{"profile", "--at p=2 p=1:" + tools + "foresee-profile.json"},
		{"nameless", "--at p=2 " + tools + "gprof.txt"},
		{"extrap.text", "--at x=100 " + extrap + "one_parameter_1.txt"},
		{"extrap.two", "--at x=100,y=100 " + extrap + "two_parameter_2.txt"},
		{"extrap.json", "--at x=100 " + extrap + "input_1.JSON"},
		{"extrap.nested", "--at x=100 " + extrap + "nested_1.json"},
		{"extrap.talpas", "--at x=100 " + extrap + "talpas_7.txt"},
		{"extrap.lines", "--at x=100,y=100 " + extrap + "reduced.jsonl"},
	} {
		cases = append(cases, goldenCase{m.name, scale + m.arguments})
	}
	for _, name := range []string{"gprof.txt", "gprof-full.txt", "likwid.csv", "likwid-regions.csv", "papi.json", "perf-script.txt", "perf-script-chains.txt", "perf-stat.csv", "perf-stat-repeated.csv", "perf-stat.json"} {
		cases = append(cases, goldenCase{name, scale + "--at p=4 p=1:" + tools + name + " p=2:" + tools + name})
	}
	return append(cases, goldenCase{"text", "scale -v --at p=256,n=256 examples/measurements/halo3d.jsonl"}, goldenCase{"csv", "scale --format csv --at p=256,n=256 examples/measurements/halo3d.jsonl"},
		goldenCase{"mpi", "mpi --format json " + goldenInputs + "mpi.p4.foresee"}, goldenCase{"mpi.text", "mpi " + goldenInputs + "mpi.p2.foresee"})
}

// xmodelCases are of parameters, GPUs and their code.
func xmodelCases() (cases []goldenCase) {
	const bistable = "--param n=105,Z=1,E=0.003,M=0.35,R=0.15,L=600,size=16KiB,latency=20,alpha=10,beta=3KiB"
	for _, x := range []struct{ name, arguments string }{
		{"bistable", bistable},
		{"against", bistable + " --against n=60"},
		{"memory", "--param n=48,Z=8,E=1,M=6,R=0.1,L=400"},
		{"threads", "--param n=4,Z=2,E=1,M=2,R=1,L=5"},
		{"negative", "--param n=1,Z=0.5,E=1,M=1,R=1,L=-1"},
		{"unknown", "--param bogus=1"},
		{"incomplete", "--param n=4"},
		{"file", "--param n=200 " + goldenInputs + "params.yaml"},
		{"file.printed", "--printed-queue " + goldenInputs + "params.yaml"},
		{"file.against", "--against L=x2 " + goldenInputs + "params.yaml"},
	} {
		cases = append(cases, goldenCase{x.name, "xgraph --format json " + x.arguments})
	}
	for _, gpu := range xmodel.MachineNames() {
		cases = append(cases, goldenCase{gpu, "xgraph --format json --machine " + gpu})
	}
	for _, l := range []struct{ name, gpu, arguments string }{
		{"gesummv-sm20", "gtx570-sp", "--block-size 512"},
		{"dot-sm30", "k40-sp", "--param n=8"},
		{"dot-sm35", "k40-dp", "--block all --param n=8"},
		{"blocked-sm50", "gtx750ti-sp", "--block-size 256 --registers 40 --shared-memory 8KiB"},
		{"blocked-sm50-later", "gtx750ti-dp", "--param n=16 --operations floating"},
		{"sum-sm80", "gtx750ti-sp", "--param n=16"},
	} {
		cases = append(cases, goldenCase{l.name, "xgraph --format json --machine " + l.gpu + " " + l.arguments + " " + sassListings + l.name + ".sass"})
	}
	return append(cases, goldenCase{"text", "xgraph -v --machine gtx570-sp --block-size 512 " + sassListings + "gesummv-sm20.sass"})
}

// results are inputs that foresee writes itself.
func results() []goldenCase {
	return []goldenCase{
		{"signature", "profile -o $OUT/regions.sig.json " + goldenInputs + "regions.c"},
		{"prediction", "predict --threads 1 -o $OUT/prediction.json" + onSmall + goldenInputs + "regions.c"},
	}
}

// inputCases give every verb every kind of input. Each cell works, or refuses; trace is left out for sources, which it compiles.
func inputCases() (cases []goldenCase) {
	verbs := []string{
		"predict" + onSmall + "--threads 1", "mrc" + onSmall, "profile" + onSmall, "simulate" + onSmall, "xgraph" + onSmall, "profile -o $OUT/made.sig.json",
		"trace --format json", "scale --format json --at p=8", "mpi --format json", "machine show --format json",
	}
	inputs := []struct{ name, file string }{
		{"source", goldenInputs + "regions.c"},
		{"signature", "$OUT/regions.sig.json"},
		{"recording", goldenInputs + "schedules.rec"},
		{"recording-by-number", goldenInputs + "bynumber.rec"},
		{"recording-serial", goldenInputs + "functions.rec"},
		{"recording-cut", "$OUT/cut.rec"},
		{"recording-damaged", "$OUT/damaged.rec"},
		{"trace", traceSamples + "text.txt"},
		{"trace-cut", "$OUT/cut.ftrace"},
		{"trace-packed", "$OUT/packed.gz"},
		{"prediction", "$OUT/prediction.json"},
		{"machine", "machine/library/zen4.yaml"},
		{"parameters", goldenInputs + "params.yaml"},
		{"listing", sassListings + "gesummv-sm20.sass"},
		{"series", "examples/measurements/halo3d.jsonl"},
		{"callgrind", counterFiles + "tools/callgrind.out"},
		{"messages", goldenInputs + "mpi.p2.foresee"},
		{"program", "$OUT/program"},
		{"empty", "$OUT/empty.c"},
		{"binary", "$OUT/binary"},
		{"words", "$OUT/words.txt"},
		{"missing", "$OUT/missing.c"},
		{"folder", kernelSources},
		{"stdin-source", "- <" + goldenInputs + "regions.c"},
		{"stdin-signature", "- <$OUT/regions.sig.json"},
		{"stdin-recording", "- <" + goldenInputs + "schedules.rec"},
		{"stdin-trace", "- <" + traceSamples + "text.txt"},
		{"stdin-series", "- <examples/measurements/halo3d.jsonl"},
	}
	for _, input := range inputs {
		for _, v := range verbs {
			name := input.name + "." + verbOf(v)
			if strings.HasSuffix(v, cli.SignatureSuffix) {
				name, v = input.name+".sign", strings.ReplaceAll(v, "made", input.name)
			}
			if verbOf(v) != "trace" || filepath.Ext(input.file) != ".c" || input.name == "missing" {
				cases = append(cases, goldenCase{name, v + " " + input.file})
			}
		}
	}
	return cases
}
