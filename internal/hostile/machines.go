package hostile

import (
	"fmt"
	"strings"
)

// machineFile is a small machine; the parts between % are what cases replace.
const machineFile = `name: small
title: A small machine
cores: {value: 8, source: s}
frequency_ghz: {value: 2, source: s}
line_bytes: {value: 64, source: s}
levels:
- name: L1
  size: {value: 32 KiB, source: s}
  ways: {value: 8, source: s}
  shared_by: {value: 1, source: s}
  latency_cycles: {value: 4, source: s}
- name: L2
  size: {value: 1 MiB, source: s}
  ways: {value: 16, source: s}
  shared_by: {value: 8, source: s}
  latency_cycles: {value: 14, source: s}
memory:
  latency_ns: {value: 80, source: s}
  bandwidth_gbs: {value: 40, source: s}
core:
  issue_width: {value: 4, source: s}
  loads_per_cycle: {value: 2, source: s}
  stores_per_cycle: {value: 1, source: s}
operations:
- kind: add
  type: f64
  latency_cycles: {value: 4, source: s}
  reciprocal_throughput: {value: 0.5, source: s}
`

// onMachine is a simple program on a machine file.
func onMachine(verb, name, says string, exit []int, content Text) Case {
	c := Case{Name: verb + "/machine/" + name, Files: map[string]Text{"m.yaml": content, "a.c": kernel(sweep)}, Exit: exit, Says: says}
	if c.Args = []string{verb, "--machine", "m.yaml", "a.c"}; verb == "machine" {
		c.Args = []string{"machine", "show", "m.yaml"}
	}
	return c
}

func machineCases() []Case {
	var all []Case
	values := []struct{ key, value string }{
		{"cores", "8"},
		{"frequency_ghz", "2"},
		{"line_bytes", "64"},
		{"size", "32 KiB"},
		{"ways", "8"},
		{"shared_by", "1"},
		{"latency_cycles", "4"},
		{"latency_ns", "80"},
		{"bandwidth_gbs", "40"},
		{"issue_width", "4"},
		{"reciprocal_throughput", "0.5"},
	}
	for _, v := range values {
		for _, number := range odd {
			old := fmt.Sprintf("%s: {value: %s,", v.key, v.value)
			changed := strings.Replace(machineFile, old, fmt.Sprintf("%s: {value: %s,", v.key, number), 1)
			all = append(all, onMachine("predict", v.key+"-"+number, "", either, text(changed)))
		}
	}
	large := func(size, ways string) string {
		s := strings.Replace(machineFile, "size: {value: 1 MiB,", "size: {value: "+size+",", 1)
		return strings.Replace(s, "ways: {value: 16,", "ways: {value: "+ways+",", 1)
	}
	for _, s := range []struct{ size, ways string }{{"1TiB", "1"}, {"16TiB", "1"}, {"1TiB", "16384"}, {"8GiB", "1"}, {"1GiB", "1"}, {"64GiB", "16"}} {
		for _, verb := range []string{"predict", "simulate", "mrc", "machine"} {
			all = append(all, onMachine(verb, "L2-of-"+s.size+"-"+s.ways+"-ways", "", either, text(large(s.size, s.ways))))
		}
	}
	cores := strings.NewReplacer("cores: {value: 8,", "cores: {value: 65536,", "shared_by: {value: 8,", "shared_by: {value: 65536,").Replace(machineFile)
	for _, threads := range []string{"4096", "1-4096"} {
		for _, verb := range []string{"predict", "mrc", "profile", "simulate"} {
			c := onMachine(verb, "65536-cores-and-threads-"+threads, "", []int{0, 1, 2}, text(cores))
			c.Args = append(c.Args, "--threads", threads)
			all = append(all, c)
		}
	}
	all = append(all, onMachine("predict", "65536-cores", "", either, text(cores)))
	shapes := []struct {
		name    string
		content Text
	}{
		{"empty", text("")},
		{"zeros", zeros(1 << 20)},
		{"alias-bomb", text(aliasBomb(9, 10))},
		{"alias-of-itself", text("a: &a [*a]\n" + machineFile)},
		{"merge-of-itself", text("a: &a {<<: *a}\n" + machineFile)},
		{"lists-nested-100000-times", repeat("name: ", "[", 100_000, "")},
		{"lists-nested-and-closed-10000-times", text("name: " + nested("[", "1", "]", 10_000) + "\n")},
		{"maps-nested-100000-times", repeat("name: ", "{a: ", 100_000, "")},
		{"maps-nested-by-indentation", numbered("", 2000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }, "")},
		{"dashes-nested-100000-times", repeat("name: \n", "- ", 100_000, "1\n")},
		{"question-marks-nested", repeat("", "? ", 100_000, "1\n")},
		{"100000-keys", numbered("", 100_000, func(i int) string { return fmt.Sprintf("k%d: 1\n", i) }, "")},
		{"15000-same-keys", numbered(machineFile, 15_000, func(int) string { return "name: x\n" }, "")},
		{"9000-levels", numbered(machineFile+"levels:\n", 9000, func(i int) string { return fmt.Sprintf("- name: L%d\n", i) }, "")},
		{"3000-levels-that-are-sound", numbered(strings.Split(machineFile, "levels:")[0]+"levels:\n", 1500, func(i int) string {
			return fmt.Sprintf("- {name: L%d, size: {value: %d, source: s}, ways: {value: 1, source: s}, shared_by: {value: 1, source: s}}\n", i+1, 64*(i+1))
		}, "")},
		{"line-of-1-MB", repeat("name: ", "x", 1_000_000, "\n"+machineFile)},
		{"file-of-8-MiB", repeat(machineFile, "#\n", 4<<20, "")},
		{"documents", repeat("", "---\nname: x\n", 10_000, "")},
		{"tags", text(strings.Replace(machineFile, "name: small", "name: !!binary aGFsbG8=", 1))},
		{"anchors", numbered("a:\n", 10_000, func(i int) string { return fmt.Sprintf("- &a%d 1\n", i) }, "")},
		{"quoted-without-end", repeat("name: \"", "x", 1<<19, "")},
		{"utf-16", text("\xff\xfen\x00a\x00m\x00e\x00:\x00 \x00x\x00\n\x00")},
		{"a-list", text("[1, 2, 3]\n")},
		{"measured-with-1e308", text(machineFile + "measured: {latency: [{bytes: 1e308, ns: 1e308}]}\n")},
		{"block-scalar-of-1-MB", repeat("name: |\n", " x\n", 300_000, "")},
	}
	for _, s := range shapes {
		for _, verb := range []string{"machine", "predict"} {
			all = append(all, onMachine(verb, s.name, "m.yaml", wrong, s.content))
		}
	}
	for _, m := range []string{"", "/", ".", "/dev/zero", "/dev/null", "../../../../etc/passwd", strings.Repeat("x", 100_000), "\x00", "host\n", "no-such"} {
		if m == "\x00" {
			continue // no argument of a program can hold it
		}
		all = append(all, Case{
			Name: fmt.Sprintf("machine/name/%.20q", m), Args: []string{"machine", "show", m}, Exit: wrong,
		})
	}
	return all
}

// aliasBomb is a YAML file whose aliases stand for times^depth values.
func aliasBomb(depth, times int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := range depth {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), times), ", "))
	}
	return b.String() + machineFile
}

// kerncraftFile is a machine as kerncraft describes it.
const kerncraftFile = `model name: Invented(R) Processor 42 @ 2.40GHz
model type: Invented core
clock: 2.4 GHz
sockets: 2
cores per socket: 4
threads per core: 2
cacheline size: 64 B
memory hierarchy:
- level: L1
  cache per group: {sets: 64, ways: 8, cl_size: 64, replacement_policy: LRU, write_allocate: true, write_back: true, load_from: L2, store_to: L2}
  size per group: 32 kB
  cores per group: 1
- level: MEM
  size per group:
  cores per group: 4
`

func kerncraftCases() []Case {
	imported := func(name string, exit []int, content Text) Case {
		return Case{Name: "machine/kerncraft/" + name, Args: []string{"machine", "import", "kerncraft", "k.yml"}, Files: map[string]Text{"k.yml": content}, Exit: exit}
	}
	all := []Case{
		imported("empty", refused, text("")),
		imported("alias-bomb", wrong, text(aliasBomb(9, 10))),
		imported("lists-nested-100000-times", refused, repeat("memory hierarchy: ", "[", 100_000, "")),
		imported("maps-nested-100000-times", refused, repeat("memory hierarchy: ", "{a: ", 100_000, "")),
		imported("15000-same-keys", either, repeat(kerncraftFile, "clock: 2\n", 15_000, "")),
		imported("500000-keys", either, numbered(kerncraftFile, 500_000, func(i int) string { return fmt.Sprintf("k%d: 1\n", i) }, "")),
		imported("500000-values", either, repeat(kerncraftFile+"benchmarks: [", "1,", 500_000, "1]\n")),
		imported("larger-than-8-MiB", refused, repeat(kerncraftFile, "# x\n", 3<<20, "")),
		imported("dashes-nested-100000-times", refused, repeat("memory hierarchy:\n", "- ", 100_000, "1\n")),
		imported("20000-levels", wrong, repeat(kerncraftFile, "- {level: L1, cores per group: 1}\n", 20_000, "")),
	}
	for _, key := range []string{"sets: 64", "ways: 8", "cl_size: 64", "clock: 2.4", "sockets: 2", "cores per socket: 4", "cores per group: 1", "cacheline size: 64"} {
		name, _, _ := strings.Cut(key, ":")
		for _, number := range odd {
			all = append(all, imported(strings.ReplaceAll(name, " ", "-")+"-"+number, either, text(strings.Replace(kerncraftFile, key, name+": "+number, 1))))
		}
	}
	return all
}
