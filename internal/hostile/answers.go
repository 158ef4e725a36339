package hostile

import (
	"fmt"
	"slices"
	"strings"
)

// answerVerbs are those that predict many versions, machines or sizes of a source, with the rest of their command lines.
var answerVerbs = []struct {
	name string
	args []string
}{
	{"advise", []string{machineFlag, "--threads=1,4", "a.c"}},
	{"compare", []string{machineFlag, "--threads=1", "a.c", "b.c"}},
	{"rank", []string{machineFlag, "--machine=zen4", "a.c"}},
	{"sweep", []string{machineFlag, "--threads=1,4", "--level=L3:size=x1,x2", "a.c"}},
}

// answerCases give the loops without end and the programs with very many of one thing to all verbs that answer questions about a source.
func answerCases() []Case {
	var all []Case
	for _, c := range slices.Concat(boundsCases(), sizeCases()) {
		name, ofPredict := strings.CutPrefix(c.Name, "predict/")
		if !ofPredict || slices.ContainsFunc(c.Args, func(arg string) bool { return strings.HasPrefix(arg, "--threads") }) {
			continue
		}
		for _, verb := range answerVerbs {
			one := Case{Name: verb.name + "/" + name, Args: append([]string{verb.name}, verb.args...), Files: map[string]Text{"a.c": c.Files["a.c"]}, Exit: either}
			if verb.name == "compare" {
				one.Files["b.c"] = c.Files["a.c"]
				one.Why, one.Ends = "compare reads two such sources", 2*Most.Time
			}
			all = append(all, one)
		}
	}
	return append(all, axisCases()...)
}

// axisCases are sweeps over values that cannot be, or of more points than anybody waits for.
func axisCases() []Case {
	var all []Case
	add := func(name string, exit []int, args ...string) {
		all = append(all, Case{
			Name: "sweep/axes/" + name, Args: append([]string{"sweep", machineFlag, "a.c"}, args...),
			Files: map[string]Text{"a.c": text("double a[N];\nvoid kernel(void) { for (int i = 0; i < N; i++) a[i] += 1; }\n")}, Exit: exit,
		})
	}
	for _, number := range odd {
		add("N="+number, []int{0, 1, 2}, "-D", "N="+number)
		add("N-to-"+number, []int{0, 1, 2}, "-D", "N=1.."+number)
		add("size-"+number, []int{0, 1, 2}, "-D", "N=100", "--level", "L3:size="+number)
		add("size-x"+number, []int{0, 1, 2}, "-D", "N=100", "--level", "L3:size=x"+number)
		add("bandwidth-"+number, []int{0, 1, 2}, "-D", "N=100", "--vary", "memory.bandwidth_gbs="+number)
		add("threads-"+number, []int{0, 1, 2}, "-D", "N=100", "--threads", number)
	}
	add("1e9-points", wrong, "-D", "N=1..1000000000")
	add("1e12-points-of-three", wrong, "-D", "N=1..10000", "--threads", "1-10000", "--vary", "memory.bandwidth_gbs=1..10000")
	add("step-x1", wrong, "-D", "N=1..100:x1")
	add("step-0", wrong, "-D", "N=1..100:0")
	add("no-such-field", wrong, "-D", "N=100", "--vary", "memory.nothing=1")
	return all
}

// clusterFile is an ordinary cluster.
const clusterFile = `name: small
nodes: {value: 4, source: x}
ranks_per_node: {value: 2, source: x}
network:
  topology: fat-tree
  down: [2, 2]
  up: [1, 2]
  latency_us: {value: 1, source: x}
  bandwidth_gbs: {value: 12, source: x}
  node: {latency_us: {value: 0.3, source: x}, bandwidth_gbs: {value: 10, source: x}}
  software:
    library: openmpi
    eager_bytes: {value: 8192, source: x}
`

// ringTraces are time-independent traces of two ranks.
func ringTraces() map[string]Text {
	return map[string]Text{
		"cluster.yaml": text(clusterFile), "traces.list": text("0.txt\n1.txt\n"),
		"0.txt": text("0 init\n0 compute 1e9\n0 send 1 0 100 0\n0 recv 1 0 100 0\n0 allreduce 8 0 0 0\n0 finalize\n"),
		"1.txt": text("1 init\n1 compute 1e9\n1 recv 0 0 100 0\n1 send 0 0 100 0\n1 allreduce 8 0 0 0\n1 finalize\n"),
	}
}

// replayCases are clusters and traces of messages that cannot be, or ask for endless work.
func replayCases() []Case {
	var all []Case
	add := func(name string, exit []int, changed map[string]Text, args ...string) {
		files := ringTraces()
		for file, content := range changed {
			files[file] = content
		}
		all = append(all, Case{Name: "replay/" + name, Args: append([]string{"replay", "--cluster", "cluster.yaml", "traces.list"}, args...), Files: files, Exit: exit})
	}
	add("ordinary", taken, nil)
	for _, v := range []struct{ key, value string }{
		{"nodes", "4"}, {"ranks_per_node", "2"}, {"latency_us", "1"}, {"bandwidth_gbs", "12"}, {"eager_bytes", "8192"},
	} {
		for _, number := range odd {
			old := fmt.Sprintf("%s: {value: %s,", v.key, v.value)
			add("cluster/"+v.key+"-"+number, either, map[string]Text{"cluster.yaml": text(strings.Replace(clusterFile, old, fmt.Sprintf("%s: {value: %s,", v.key, number), 1))})
		}
	}
	for _, number := range odd {
		add("cluster/down-"+number, either, map[string]Text{"cluster.yaml": text(strings.Replace(clusterFile, "down: [2, 2]", "down: [2, "+number+"]", 1))})
		add("cluster/up-"+number, either, map[string]Text{"cluster.yaml": text(strings.Replace(clusterFile, "up: [1, 2]", "up: [1, "+number+"]", 1))})
		add("traces/compute-"+number, either, map[string]Text{"0.txt": text("0 init\n0 compute " + number + "\n0 finalize\n"), "1.txt": text("1 init\n1 finalize\n")})
		add("traces/bytes-"+number, either, map[string]Text{"0.txt": text("0 init\n0 send 1 0 " + number + " 0\n0 finalize\n"), "1.txt": text("1 init\n1 recv 0 0 " + number + " 0\n1 finalize\n")})
		add("traces/peer-"+number, either, map[string]Text{"0.txt": text("0 init\n0 send " + number + " 0 100 0\n0 finalize\n")})
		add("traces/at-"+number, wrong, nil, "--at", "p="+number)
		add("traces/noise-"+number, []int{0, 1, 2}, nil, "--noise", number)
		add("traces/compute-factor-"+number, []int{0, 1, 2}, nil, "--compute-factor", number)
		add("traces/ranks-per-node-"+number, []int{0, 1, 2}, nil, "--ranks-per-node", number)
	}
	for _, t := range []string{"torus", "dragonfly", "crossbar", "nothing"} {
		add("cluster/topology-"+t, either, map[string]Text{"cluster.yaml": text(strings.Replace(clusterFile, "fat-tree", t, 1))})
	}
	for _, f := range []struct {
		name    string
		content Text
	}{
		{"empty", text("")},
		{"zeros", repeat("", "\x00", 1<<20, "")},
		{"one-line-of-8-MiB", repeat("0 ", "x", 8<<20, "\n")},
		{"1e6-requests-that-nobody-waits-for", repeat("0 init\n", "0 isend 1 0 100 0\n", 1_000_000, "0 finalize\n")},
		{"waits-for-ever", text("0 init\n0 recv 1 7 100 0\n0 finalize\n")},
		{"never-ends", text("0 init\n0 send 1 0 100 0\n")},
		{"of-another-rank", text("1 init\n1 send 0 0 100 0\n1 finalize\n")},
		{"1e6-barriers-alone", repeat("0 init\n", "0 barrier\n", 1_000_000, "0 finalize\n")},
		{"no-arguments", text("0 init\n0 send\n0 recv\n0 alltoallv\n0 finalize\n")},
		{"no-such-call", text("0 init\n0 fly 1\n0 finalize\n")},
	} {
		add("traces/"+f.name, either, map[string]Text{"0.txt": f.content})
	}
	add("traces/100000-ranks-of-one-file", either, map[string]Text{"traces.list": repeat("", "0.txt\n", 100_000, "")})
	add("traces/list-of-itself", wrong, map[string]Text{"traces.list": text("traces.list\n")})
	add("traces/missing", wrong, map[string]Text{"traces.list": text("none.txt\n")})
	add("cluster/alias-bomb", wrong, map[string]Text{"cluster.yaml": text(strings.TrimSuffix(aliasBomb(9, 10), machineFile))})
	return all
}
