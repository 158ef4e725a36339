package open

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// nameOf is the format that a file's first bytes tell, "" where none.
func nameOf(head []byte) string {
	if f := detect(head); f != nil {
		return f.name
	}
	return ""
}

func TestDetect(t *testing.T) {
	samples := map[string]string{
		"tools/callgrind.out": "callgrind", "tools/callgrind-instr.out": "callgrind", "tools/callgrind-parts.out": "callgrind",
		"tools/perf-stat.csv": "perf-stat-csv", "tools/perf-stat-repeated.csv": "perf-stat-csv", "tools/perf-stat.json": "perf-stat-json",
		"tools/perf-script.txt": "perf-script", "tools/perf-script-chains.txt": "perf-script", "tools/perf-script-noperiod.txt": "perf-script",
		"tools/gprof.txt": "gprof", "tools/gprof-full.txt": "gprof", "tools/likwid.csv": "likwid", "tools/likwid-regions.csv": "likwid",
		"tools/papi.json": "papi", "tools/foresee-profile.json": "foresee-profile", "caliper/27_cores.cali": "caliper", "caliper/64_cores.cali": "caliper",
		"extrap/one_parameter_1.txt": "extrap-text", "extrap/two_parameter_5.txt": "extrap-text", "extrap/input_1.JSON": "extrap-json",
		"extrap/nested_1.json": "extrap-json", "extrap/nested_2.json": "extrap-json", "extrap/extended2.jsonl": "extrap-jsonl",
		"extrap/reduced.jsonl": "extrap-jsonl", "extrap/talpas_7.txt": "extrap-talpas", "extrap/talpas_10_neg.txt": "extrap-talpas",
		"extrap/two_parameter_3.extra-p": "extrap-archive", "extrap/experiment_3.extra-p3": "extrap-3", "cube/threads.cubex": "cube", "tools/cube-dump.csv": "cube-dump",
		"tau/MULTI__TIME/profile.0.0.0": "tau", "tools/solver.2.100.1.mpiP": "mpip", "tools/hpctoolkit.csv": "hpctoolkit-csv",
		"README.md": "", "tools/kernel.c": "", "caliper/lulesh.txt": "",
	}
	for name, want := range samples {
		text, err := os.ReadFile(filepath.Join("..", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := nameOf(text[:min(len(text), HeadSize)]); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
		if want != "" && !slices.Contains(Formats(), want) {
			t.Errorf("%s is not among the formats", want)
		}
	}
}

// Files packed by gzip are read as what they hold; cut ones are errors.
func TestPacked(t *testing.T) {
	const text = `{"params":{"p":16},"metric":"time","callpath":"main","value":1.0}` + "\n"
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	packed := b.Bytes()
	f, err := Read("x.gz", bytes.NewReader(packed))
	if err != nil || f.Set == nil || len(f.Set.Series) != 1 {
		t.Fatal(f, err)
	}
	for _, n := range []int{2, 9, 14, len(packed) - 4} {
		if _, err := Read("x.gz", bytes.NewReader(packed[:n])); err == nil || !strings.HasPrefix(err.Error(), "x.gz:") {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

// Every error names the place; every loss is an error or a warning.
func TestErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"prose", "It took 12 seconds: long\n", "x: this is no measurement file"},
		{"binary perf", "PERFILE2........", "x: this is binary data of perf; print them: perf script"},
		{"binary otf2", "OTF2........", "x: this is a trace of OTF2; profile the run with Score-P"},
		{"unknown", "hello\n", "x: this is no measurement file"},
		{"empty", "", "x is empty"},
		{"callgrind without name", "# callgrind format\nevents: Ir\nfn=(3)\n1 2\n", "x:3: function (3) has no name"},
		{"callgrind bad cost", "# callgrind format\nevents: Ir\nfn=f\n1 2.5\n", `x:4: the cost "2.5"`},
		{"callgrind too many", "# callgrind format\nevents: Ir\nfn=f\n1 2 3\n", "x:4: the line has more costs than the 1 events"},
		{"callgrind no events", "# callgrind format\nversion: 1\n", "x:2: the file ends before its line of events"},
		{"callgrind mixed", "# callgrind format\nevents: Ir\nhello\n", `x:3: "hello" is no line`},
		{"perf csv cut", "1.06,msec,cpu-clock,1064440,100.00,,\n1.06,msec\n", "x:2: \"1.06,msec\" has no value"},
		{"perf json cut", `{"counter-value" : "1", "unit" : "", "event" : "a"` + "\n", "x:1: the line is not a whole JSON object"},
		{"perf json value", `{"counter-value" : "one", "event" : "a"}` + "\n", `x:1: the count of a: "one" is not a number`},
		{"perf script", "a 1 1.000000: 5 e: 12 f (x)\nrubbish\n", "x:2: \"rubbish\" is no sample"},
		{"gprof cut", "Flat profile:\n\n  %   cumulative   self\n time seconds\n 50.00  0.16\n", "x:5: \"50.00  0.16\" has fewer columns"},
		{"gprof empty", "Flat profile:\n", "the flat profile has no function"},
		{"caliper node", "__rec=node,id=12,attr=10,data=64,parent=99\n", "x:1: parent=99 is a node that the file has not given"},
		{"caliper values", "__rec=node,id=12,attr=8,data=time,parent=5\n__rec=ctx,ref=12,attr=12=12,data=1\n", "x:2: the record has 2 attributes and 1 values"},
		{"caliper nothing", "__rec=node,id=12,attr=8,data=time,parent=5\n", "no record has both"},
		{"likwid cut", "TABLE,Group 1 Raw,X,2\nEvent,Counter,Core 0\nINSTR,FIXC0\n", "x:3: INSTR has no value"},
		{"likwid head", "TABLE,Group 1 Raw,X,2\nTABLE", "x:2: the head of the table has no group"},
		{"likwid no table", "STRUCT,Info,3\nCPU name:,x\n", "there is no table of events"},
		{"reuse cut", `{"schema": "foresee.profile/v1", "line_bytes": 64`, "x:1: the JSON is cut off"},
		{"reuse line", `{"schema": "foresee.profile/v1", "line_bytes": 0, "profiles": []}`, "x: line_bytes is 0"},
		{"reuse partial", `{"schema": "foresee.profile/v1", "line_bytes": 64, "partial": true}`, "x: the profile is of an interrupted run"},
		{"reuse threads", `{"schema": "foresee.profile/v1", "line_bytes": 64, "profiles": [{"region": "k", "threads": 2, "measure": "distance"}]}`, "x: no profile of the reuse distances of one thread"},
		{"reuse falls", `{"schema": "foresee.profile/v1", "line_bytes": 64, "profiles": [{"region": "k", "threads": 1, "measure": "distance", "histogram": [{"low": 4, "high": 2, "count": 1}]}]}`, "x: k has 1 accesses from distance 4 to 2"},
		{"reuse none", `{"schema": "foresee.profile/v1", "line_bytes": 64, "profiles": [{"region": "k", "threads": 1, "measure": "distance"}]}`, "x: no profile of the reuse distances of one thread"},
		{"reuse twice", `{"schema": "foresee.profile/v1", "line_bytes": 64, "profiles": []} {}`, "x: something follows"},
		{"papi cut", `{"papi_version":"7","threads":{"0":{`, "x:1: the JSON is cut off"},
		{"papi parent", `{"papi_version":"7","threads":{"0":{"regions":{"1":{"name":"a","parent_region_id":"0"}}}}}`, "x: threads.0.regions.1.parent_region_id"},
		{"papi value", `{"papi_version":"7","threads":{"0":{"regions":{"1":{"name":"a","parent_region_id":"-1","X":"y"}}}}}`, "x: threads.0.regions.1.X"},
		{"papi list", `{"papi_version":"6","threads":[]}`, "x: threads: an object of threads"},
		{"text points", "PARAMETER x\nPOINTS ( 1 2 )\n", "x:2: the point ( 1 2 ) has 2 values; there are 1"},
		{"text parenthesis", "PARAMETER x y\nPOINTS 1 2\n", "x:2: a point must stand in parentheses"},
		{"text too many", "PARAMETER x\nPOINTS 1\nDATA 1\nDATA 2\n", "x:4: more DATA lines than points (1)"},
		{"text keyword", "PARAMETER x\nHELLO\n", `x:2: the line starts with "HELLO"`},
		{"text value", "PARAMETER x\nPOINTS 1\nDATA a\n", `x:3: the value "a" is not a number`},
		{"text nothing", "PARAMETER x\nPOINTS 1\n", "x: there are no measurements"},
		{"jsonl cut", `{"params":{"p":1},"value":2}` + "\n" + `{"params":{"p":1},"va`, "x:2: the line is not a whole JSON object"},
		{"jsonl value", `{"params":{"p":1},"value":2}` + "\n" + `{"params":{"p":1}}`, "x:2: value: there is no value"},
		{"jsonl null", `{"params":{"p":1},"value":null}`, "x:1: value: \"null\" must be a number"},
		{"jsonl other parameters", `{"params":{"p":1},"value":2}` + "\n" + `{"params":{"n":1},"value":2}`, "x:2: parameter p has no value here"},
		{"json cut", "{\"parameters\":[\"x\"],\n\"measurements\":{\"a\":", "x:2: the JSON is cut off"},
		{"json broken", "{\"parameters\":[\"x\"],\n\"measurements\":{]}\n}", "x:2: this is not JSON"},
		{"json point", `{"parameters":["x"],"measurements":{"a":{"t":[{"point":[1,2],"values":[1]}]}}}`, "x: measurements.a.t[0].point: it has 2 values"},
		{"json values", `{"parameters":["x"],"measurements":{"a":{"t":[{"point":[1]}]}}}`, "x: measurements.a.t[0].values: there is no value"},
		{"json id", `{"parameters":[{"id":1,"name":"x"}],"callpaths":[],"measurements":[{"callpath_id":1,"value":1}]}`, "x: measurements[0]: no callpath has the id 1"},
	}
	for _, c := range cases {
		_, err := Read("x", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
}
