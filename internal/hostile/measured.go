package hostile

import (
	"fmt"
	"strings"
)

// scaled is a file of measurements given to scale.
func scaled(name, says string, exit []int, content Text, args ...string) Case {
	return Case{
		Name: "scale/" + name, Args: append([]string{"scale", "--at", "p=256", "m"}, args...), Files: map[string]Text{"m": content}, Exit: exit, Says: says,
	}
}

// profiled is a tool's profile given to scale, which must be told of which run.
func profiled(name, says string, exit []int, content Text) Case {
	c := scaled(name, says, exit, content)
	c.Args = []string{"scale", "--at", "p=256", "p=2:m", "p=4:m", "p=8:m", "p=16:m"}
	return c
}

// Small measurements in each format, which cases change.
const (
	series   = "PARAMETER p\nPOINTS 2 4 8 16 32\nREGION main\nMETRIC time\nDATA 1 2\nDATA 2 3\nDATA 4 5\nDATA 8 9\nDATA 16 17\n"
	lines    = "{\"params\":{\"p\":2},\"value\":3}\n{\"params\":{\"p\":4},\"value\":5}\n{\"params\":{\"p\":8},\"value\":9}\n{\"params\":{\"p\":16},\"value\":17}\n{\"params\":{\"p\":32},\"value\":33}\n"
	talpas   = "{\"parameters\":{\"p\":2};\"metric\":\"time\";\"callpath\":\"main\";\"value\":3}\n{\"parameters\":{\"p\":4};\"metric\":\"time\";\"callpath\":\"main\";\"value\":5}\n{\"parameters\":{\"p\":8};\"metric\":\"time\";\"callpath\":\"main\";\"value\":9}\n{\"parameters\":{\"p\":16};\"metric\":\"time\";\"callpath\":\"main\";\"value\":17}\n{\"parameters\":{\"p\":32};\"metric\":\"time\";\"callpath\":\"main\";\"value\":33}\n"
	nestedJS = "{\"parameters\":[\"p\"],\"measurements\":{\"main\":{\"time\":[{\"point\":[2],\"values\":[3]},{\"point\":[4],\"values\":[5]},{\"point\":[8],\"values\":[9]},{\"point\":[16],\"values\":[17]},{\"point\":[32],\"values\":[33]}]}}}"
	callTree = "# callgrind format\nversion: 1\npositions: line\nevents: Ir Dr\nsummary: 30 3\n\nfl=(1) k.c\nfn=(1) main\n20 10 1\ncfn=(2) f\ncalls=1 5\n21 20 2\n\nfn=(2)\n5 20 2\n\ntotals: 30 3\n"
	perfCSV  = "# started on Sun Nov 22 05:38:41 2026\n\n4.88,msec,task-clock,4876175,100.00,0.307,CPUs utilized\n188,,page-faults,4876175,100.00,38.554,K/sec\n1000,,instructions,4876175,100.00,,\n"
	perfJSON = "{\"counter-value\" : \"1000\", \"unit\" : \"\", \"event\" : \"instructions\", \"event-runtime\" : 4845422, \"pcnt-running\" : 100.00}\n{\"counter-value\" : \"4.8\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 4845422, \"pcnt-running\" : 100.00}\n"
	perfLog  = "          sample  1616 33386.850579:    5000000 cpu-clock:      55ecf26a5179 strided+0x30 (sample)\n"
	flat     = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self              self     total           \n time   seconds   seconds    calls  us/call  us/call  name    \n100.16      0.16     0.16    10000    16.03    16.03  strided\n"
	likwid   = "TABLE,Group 1 Raw,MEM_DP,1,,\nEvent,Counter,HWThread 0,HWThread 1,,\nINSTR_RETIRED_ANY,FIXC0,1000000,2000000,,\n"
	papi     = "{\"papi_version\":\"7.1.0.0\",\"event_definitions\":{\"PAPI_TOT_INS\":{\"component\":\"perf_event\",\"type\":\"delta\"}},\"threads\":{\"0\":{\"regions\":{\"0\":{\"name\":\"solve\",\"parent_region_id\":\"-1\",\"cycles\":\"9000\",\"real_time_nsec\":\"4000\",\"PAPI_TOT_INS\":\"12000\"}}}}}"
	reuse    = "{\"schema\":\"foresee.profile/v1\",\"version\":\"0.1.0\",\"input\":\"a.c\",\"warnings\":[],\"line_bytes\":64,\"profiles\":[{\"region\":\"step\",\"threads\":1,\"scope\":\"shared\",\"measure\":\"distance\",\"accesses\":100,\"cold\":10,\"histogram\":[{\"low\":0,\"high\":0,\"count\":50},{\"low\":4,\"high\":7,\"count\":40}]}]}"
	caliper  = "__rec=node,id=20,attr=10,data=276,parent=3\n__rec=node,id=21,attr=8,data=region,parent=20\n__rec=node,id=22,attr=10,data=65,parent=1\n__rec=node,id=23,attr=8,data=time,parent=22\n__rec=node,id=24,attr=21,data=main\n__rec=ctx,ref=24,attr=23,data=1.5\n__rec=globals,ref=24\n"
)

func measurementCases() []Case {
	var all []Case
	// Of every format some numbers, each after another sort of word, replaced by every odd one.
	for _, f := range []struct {
		name, file string
		told       bool // it tells its parameters
		numbers    []string
	}{
		{"extrap-text", series, true, []string{"POINTS 2", "DATA 1"}},
		{"extrap-lines", lines, true, []string{"\"p\":2", "\"value\":3"}},
		{"talpas", talpas, true, []string{"\"p\":2", "\"value\":3"}},
		{"extrap-json", nestedJS, true, []string{"[2", "[3"}},
		{"callgrind", callTree, false, []string{"20 10", "calls=1", "positions: line", "fn=(1"}},
		{"perf-csv", perfCSV, false, []string{"188", "4876175"}},
		{"perf-json", perfJSON, false, []string{": \"1000", "event-runtime\" : 4845422"}},
		{"perf-script", perfLog, false, []string{"5000000", "1616", "33386.850579"}},
		{"gprof", flat, false, []string{"10000", "0.16     0.16"}},
		{"likwid", likwid, false, []string{"1000000", "MEM_DP,1"}},
		{"papi", papi, false, []string{"\":\"12000", "parent_region_id\":\"-1"}},
		{"reuse", reuse, false, []string{"\"count\":50", "\"high\":7", "\"low\":4", "\"accesses\":100", "\"cold\":10", "line_bytes\":64", "\"threads\":1"}},
		{"caliper", caliper, false, []string{"data=1.5", "parent=20", "id=24", "attr=23"}},
	} {
		for k, place := range f.numbers {
			for _, number := range odd {
				end := strings.TrimRight(place, "0123456789.-")
				changed := strings.Replace(f.file, place, end+number, 1)
				name := fmt.Sprintf("%s/number-%d-%s", f.name, k+1, number)
				if f.told {
					all = append(all, scaled(name, "", either, text(changed)))
				} else {
					all = append(all, profiled(name, "", either, text(changed)))
				}
			}
		}
	}
	return append(append(all, manyCases()...), deepCases()...)
}

// manyCases are measurements with very many of one thing. How many is chosen for all alike: it is past the limit where there is one, and where
// there is none so large that work or memory that grows with the square of it breaks the bounds of [Most]. The limits that they pass: 32
// parameters and 4096 points of a series (counters.MostParameters, MostPoints), lines of 64 MiB and 4 million costs, events times functions,
// of a profile (counters/input), nodes of Caliper 1024 above one another (counters/caliper). 2147483647 is the largest number of 32 bits.
func manyCases() []Case {
	n := func(format string) func(int) string { return func(i int) string { return fmt.Sprintf(format, i) } }
	return []Case{
		scaled("extrap-lines/1000000-parameters", "m:1", refused, numbered("{\"params\":{\"p\":1", 1_000_000, n(",\"x%d\":1"), "},\"value\":1}\n")),
		scaled("extrap-lines/1000-parameters", "", either, numbered("", 6, func(k int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "{\"params\":{\"p\":%d", 2<<k)
			for i := range 1000 {
				fmt.Fprintf(&b, ",\"x%d\":%d", i, 2<<k)
			}
			return b.String() + "},\"value\":1}\n"
		}, "")),
		scaled("extrap-lines/1000000-times-one-key", "", either, repeat("{\"params\":{\"p\":1", ",\"p\":1", 1_000_000, "},\"value\":1}\n")),
		scaled("extrap-lines/200000-points", "", either, numbered("", 200_000, func(i int) string { return fmt.Sprintf("{\"params\":{\"p\":%d},\"value\":%d}\n", i+1, i) }, "")),
		scaled("extrap-lines/200000-values-of-a-point", "", either, repeat(lines, "{\"params\":{\"p\":2},\"value\":3}\n", 200_000, "")),
		scaled("extrap-lines/20000-callpaths", "", either, numbered("", 20_000, func(i int) string {
			return strings.ReplaceAll(lines, "\"value\"", fmt.Sprintf("\"callpath\":\"f%d\",\"metric\":\"time\",\"value\"", i))
		}, "")),
		scaled("extrap-lines/20000-metrics", "", either, numbered("", 20_000, func(i int) string {
			return strings.ReplaceAll(lines, "\"value\"", fmt.Sprintf("\"metric\":\"m%d\",\"value\"", i))
		}, "")),
		scaled("extrap-lines/100-parameters-each-with-5-values", "", either, numbered("", 500, func(i int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "{\"params\":{\"p\":%d", 2+i%5)
			for k := range 99 {
				v := 2
				if k == i/5 {
					v += i % 5
				}
				fmt.Fprintf(&b, ",\"x%d\":%d", k, v)
			}
			return b.String() + fmt.Sprintf("},\"value\":%d}\n", i)
		}, "")),
		scaled("extrap-lines/line-of-70-MiB", "m:1", refused, repeat("{\"params\":{\"p\":2},\"value\":3,\"callpath\":\"", "x", 70<<20, "\"}\n")),
		scaled("extrap-text/100000-parameters", "", either, numbered("", 100_000, n("PARAMETER p%d\n"), "POINTS 1 2 3\nREGION main\nMETRIC time\nDATA 1\n")),
		scaled("extrap-text/200000-points", "", either, numbered("PARAMETER p\nPOINTS", 200_000, func(i int) string { return fmt.Sprintf(" %d", i+1) }, "\nREGION main\nMETRIC time\nDATA 1\n")),
		scaled("extrap-text/200000-regions", "", either, numbered("PARAMETER p\nPOINTS 1 2\n", 200_000, n("REGION r%d\n"), "METRIC time\nDATA 1\n")),
		scaled("extrap-text/1000000-values", "", either, repeat(series[:strings.Index(series, "DATA")]+"DATA", " 1", 1_000_000, "\n")),
		scaled("extrap-text/2000-points-2000-regions-of-20-values", "", either, numbered("PARAMETER p\nPOINTS"+string(numbered("", 2000, func(i int) string { return fmt.Sprintf(" %d", i+1) }, "\n")()), 2000,
			func(i int) string {
				return fmt.Sprintf("REGION r%d\nMETRIC time\n%s", i, strings.Repeat("DATA 1\n", 20))
			}, "")),
		scaled("extrap-json/200000-callpaths", "", either, numbered("{\"parameters\":[\"p\"],\"measurements\":{\"a\":{}", 200_000, n(",\"c%d\":{\"time\":[{\"point\":[2],\"values\":[3]}]}"), "}}")),
		scaled("extrap-json/100000-parameters", "", either, numbered("{\"parameters\":[\"p\"", 100_000, n(",\"p%d\""), "],\"measurements\":{\"main\":{\"time\":[{\"point\":[2],\"values\":[3]}]}}}")),
		scaled("extrap-json/ids-of-2147483647", "", either, text("{\"callpaths\":[{\"id\":2147483647,\"name\":\"a\"}],\"coordinates\":[{\"id\":2147483647,\"parameter_value_pairs\":[{\"parameter_id\":2147483647,\"parameter_value\":4}]}],\"measurements\":[{\"callpath_id\":2147483647,\"coordinate_id\":2147483647,\"metric_id\":2147483647,\"id\":1,\"value\":1}],\"metrics\":[{\"id\":2147483647,\"name\":\"time\"}],\"parameters\":[{\"id\":2147483647,\"name\":\"p\"}]}")),
		scaled("talpas/200000-lines", "", either, repeat("", talpas, 40_000, "")),
		profiled("callgrind/100000-events", "", either, numbered("# callgrind format\nevents:", 100_000, n(" e%d"), "\nfn=main\n1 1\n")),
		profiled("callgrind/20000-events-of-20000-functions", "", either, numbered("# callgrind format\nevents:"+string(numbered("", 20_000, n(" e%d"), "\n")()), 20_000, n("fn=f%d\n1 1\n"), "")),
		profiled("callgrind/200000-functions", "", either, numbered("# callgrind format\nevents: Ir\n", 200_000, n("fn=f%d\n1 1\n"), "")),
		profiled("callgrind/20000-parts-with-other-events", "", either, numbered("# callgrind format\n", 20_000, func(i int) string { return fmt.Sprintf("part: %d\nevents: e%d\nfn=f%d\n1 1\ntotals: 1\n", i, i, i) }, "")),
		profiled("callgrind/1000000-positions", "", either, repeat("# callgrind format\npositions:", " line", 1_000_000, "\nevents: Ir\nfn=main\n1 1\n1 1\n1 1\n1 1\n")),
		profiled("callgrind/recursion", "", either, numbered("# callgrind format\nevents: Ir\n", 20_000, func(i int) string { return fmt.Sprintf("fn=(%d) f%d\n1 1\ncfn=(%d)\ncalls=1 1\n1 1\n", i, i, i) }, "")),
		profiled("perf-csv/200000-events", "", either, numbered("", 200_000, func(i int) string { return fmt.Sprintf("%d,,event%d,1,100.00,,\n", i, i) }, "")),
		profiled("perf-json/100000-events", "", either, numbered("", 100_000, func(i int) string {
			return fmt.Sprintf("{\"counter-value\" : \"%d\", \"unit\" : \"\", \"event\" : \"e%d\", \"event-runtime\" : 1, \"pcnt-running\" : 100.00}\n", i, i)
		}, "")),
		profiled("perf-script/100000-functions", "", either, numbered("", 100_000, func(i int) string {
			return fmt.Sprintf("sample  1616 33386.850579:    5000000 cpu-clock:      55ecf26a5179 f%d+0x30 (sample)\n", i)
		}, "")),
		profiled("perf-script/5000-events-of-5000-functions", "", either, numbered("", 5000, func(i int) string {
			return fmt.Sprintf("sample  1616 33386.850579:    5000000 e%d:      55ecf26a5179 f%d+0x30 (sample)\n", i, i)
		}, "")),
		profiled("perf-script/chain-of-200000", "", either, repeat("sample  1623 33389.736730:          1 page-faults: \n", "\tffffffff817554ea f+0x28a ([kernel.kallsyms])\n", 200_000, "\n")),
		profiled("gprof/100000-functions", "", either, numbered(flat, 100_000, n("  0.00      0.16     0.00        1     0.00     0.00  f%d\n"), "")),
		profiled("likwid/100000-threads", "", either, func() []byte {
			return []byte("TABLE,Group 1 Raw,MEM_DP,1,,\nEvent,Counter" + string(numbered("", 100_000, n(",HWThread %d"), "\n")()) + "INSTR_RETIRED_ANY,FIXC0" + strings.Repeat(",1", 100_000) + "\n")
		}),
		profiled("likwid/table-of-2147483647-lines", "", either, text(strings.Replace(likwid, "MEM_DP,1", "MEM_DP,2147483647", 1))),
		profiled("likwid/20000-regions", "", either, numbered("", 20_000, func(i int) string {
			return strings.Replace(likwid, "TABLE,Group", fmt.Sprintf("TABLE,Region r%d,Group", i), 1)
		}, "")),
		profiled("papi/20000-regions", "", either, func() []byte {
			return []byte(strings.Replace(papi, "\"regions\":{", "\"regions\":{"+string(numbered("", 20_000, n("\"%d\":{\"name\":\"a\",\"parent_region_id\":\"1\",\"cycles\":\"1\"},"), "")()), 1))
		}),
		profiled("papi/regions-in-a-circle", "", either, text(strings.Replace(papi, "\"0\":{\"name\"", "\"1\":{\"name\":\"a\",\"parent_region_id\":\"2\",\"cycles\":\"1\"},\"2\":{\"name\":\"b\",\"parent_region_id\":\"1\",\"cycles\":\"1\"},\"0\":{\"name\"", 1))),
		profiled("papi/chain-of-20000-regions", "", either, func() []byte {
			chain := numbered("", 20_000, func(i int) string {
				return fmt.Sprintf("\"%d\":{\"name\":\"a\",\"parent_region_id\":\"%d\",\"cycles\":\"1\"},", i+1, i)
			}, "")()
			return []byte(strings.Replace(papi, "\"0\":{\"name\"", string(chain)+"\"0\":{\"name\"", 1))
		}),
		profiled("reuse/200000-bins", "", either, func() []byte {
			bins := numbered("", 200_000, func(i int) string { return fmt.Sprintf("{\"low\":%d,\"high\":%d,\"count\":1},", 8+i, 8+i) }, "")()
			return []byte(strings.Replace(reuse, "\"histogram\":[", "\"histogram\":["+string(bins), 1))
		}),
		profiled("reuse/20000-regions", "", either, func() []byte {
			profile := "{\"region\":\"r%d\",\"threads\":1,\"scope\":\"shared\",\"measure\":\"distance\",\"accesses\":100,\"cold\":100,\"histogram\":[]},"
			return []byte(strings.Replace(reuse, "\"profiles\":[", "\"profiles\":["+string(numbered("", 20_000, n(profile), "")()), 1))
		}),
		profiled("caliper/chain-of-20000-nodes", "", either, numbered(caliper, 20_000, func(i int) string {
			return fmt.Sprintf("__rec=node,id=%d,attr=21,data=f,parent=%d\n__rec=ctx,ref=%d,attr=23,data=1\n", i+25, i+24, i+25)
		}, "")),
		profiled("caliper/attribute-chain-of-100000", "", either, numbered(strings.Split(caliper, "__rec=node,id=23")[0], 100_000, func(i int) string {
			return fmt.Sprintf("__rec=node,id=%d,attr=10,data=65,parent=%d\n", i+100, map[bool]int{true: 1, false: i + 99}[i == 0])
		}, "__rec=node,id=23,attr=8,data=time,parent=100099\n__rec=node,id=24,attr=21,data=main\n"+strings.Repeat("__rec=ctx,ref=24,attr=23,data=1.5\n", 10_000))),
		profiled("caliper/20000-ranks-to-1999900000", "", either, numbered(caliper+"__rec=node,id=30,attr=8,data=mpi.rank,parent=1\n", 20_000, func(i int) string {
			return fmt.Sprintf("__rec=ctx,ref=24,attr=23=30,data=1=%d\n", i*100_000)
		}, "")),
		profiled("caliper/parent-of-itself", "", either, text(caliper+"__rec=node,id=40,attr=21,data=x,parent=40\n__rec=ctx,ref=40,attr=23,data=1\n")),
		profiled("caliper/builtin-parent", "", either, text("__rec=node,id=3,attr=10,data=1,parent=5\n"+caliper)),
		profiled("caliper/100000-values-in-a-record", "", either, func() []byte {
			return []byte(caliper + "__rec=ctx,ref=24,attr=" + strings.Repeat("23=", 99_999) + "23,data=" + strings.Repeat("1=", 99_999) + "1\n")
		}),
		profiled("caliper/backslashes", "", either, repeat(caliper+"__rec=ctx,ref=", "\\", 1<<20, "\n")),
	}
}

// deepCases are JSON that nests without end, and bytes that are no measurements.
func deepCases() []Case {
	var all []Case
	for _, f := range []struct{ name, before string }{
		{"extrap-json", "{\"parameters\":[\"p\"],\"measurements\":"},
		{"papi", "{\"papi_version\":\"7\",\"threads\":"},
		{"reuse", "{\"schema\":\"foresee.profile/v1\",\"profiles\":"},
		{"extrap-lines", "{\"params\":{\"p\":1},\"value\":"},
		{"talpas", "{\"parameters\":{\"p\":1};\"value\":"},
		{"perf-json", "{\"counter-value\" : "},
	} {
		for _, d := range []struct{ name, open string }{{"lists", "["}, {"objects", "{\"a\":"}} {
			all = append(all, profiled(fmt.Sprintf("%s/%s-nested-1000000-times", f.name, d.name), "m", refused, repeat(f.before, d.open, 1_000_000, "")))
		}
		all = append(all, profiled(f.name+"/string-without-end", "m", refused, repeat(f.before+"\"", "x", 1<<20, "")))
		all = append(all, profiled(f.name+"/number-of-1-MiB", "m", refused, repeat(f.before, "9", 1<<20, "")))
	}
	for _, o := range []struct {
		name    string
		content Text
	}{
		{"empty", text("")}, {"zeros", zeros(1 << 20)}, {"letters", repeat("", "x", 80<<20, "")}, {"lines", repeat("", "\n", 1<<20, "")}, {"hashes", repeat("", "#\n", 1<<20, "")},
	} {
		all = append(all, profiled("text/"+o.name, "m", refused, o.content))
	}
	return all
}

// messages is what the recorder of foresee mpi writes for a rank.
const messages = "foresee-mpi 1\nrank 0\nsize 2\nmpi openmpi\nlibrary Open MPI\nhost node\nprogram ./halo\nwall 2.5\ncpu 2.25\ncall MPI_Allreduce 2 4 10 80 0.01 0.0005 0.002\npeer 1 5 4000\nend\n"

const runFile = "{\"schema\":\"foresee.run/v1\",\"version\":\"0.1.0\",\"input\":\"x\",\"warnings\":[],\"command\":[\"x\"],\"parameters\":{\"p\":2},\"mpi\":\"openmpi\",\"library\":\"x\",\"ranks\":2,\"complete\":true,\"files\":[{\"rank\":0,\"messages\":\"messages.0.txt\"}]}"

func runFolderCases() []Case {
	var all []Case
	add := func(name, run, rank string, exit ...int) {
		files := map[string]Text{"r/run.json": text(run), "r/messages.0.txt": text(rank)}
		all = append(all,
			Case{Name: "mpi/folder/" + name, Args: []string{"mpi", "r"}, Files: files, Exit: exit},
			Case{Name: "scale/folder/" + name, Args: []string{"scale", "--at", "p=256", "r"}, Files: files, Exit: exit},
		)
	}
	for _, place := range []string{"rank 0", "size 2", "wall 2.5", "call MPI_Allreduce 2", "peer 1"} {
		for _, number := range append(odd, "2147483647", "1000000000") {
			word := place[:strings.LastIndexByte(place, ' ')+1]
			add("messages-"+strings.ReplaceAll(strings.TrimSpace(word), " ", "-")+"-"+number, runFile, strings.Replace(messages, place, word+number, 1), either...)
		}
	}
	for _, place := range []string{"\"p\":2", "\"ranks\":2", "\"rank\":0"} {
		for _, number := range append(odd, "2147483647", "1000000000") {
			key := place[:strings.IndexByte(place, ':')+1]
			add("run-"+strings.Trim(key, "\":")+"-"+number, strings.Replace(runFile, place, key+number, 1), messages, either...)
		}
	}
	// run.json has at most 64 MiB, of which one case is a little past the end, and a line of messages 64 KiB, which the long name stays below
	// (counters/ranks).
	files := func(n int) string {
		return strings.Replace(runFile, "\"files\":[", "\"files\":["+strings.Repeat("{\"rank\":0,\"messages\":\"messages.0.txt\"},", n), 1)
	}
	add("100000-times-one-file", files(100_000), messages, refused...)
	add("files-elsewhere", strings.Replace(runFile, "messages.0.txt", "../../../etc/passwd", 1), messages, refused...)
	add("files-absolute", strings.Replace(runFile, "messages.0.txt", "/dev/zero", 1), messages, refused...)
	add("json-nested", runFile[:len(runFile)-1]+",\"warnings\":"+strings.Repeat("[", 1_000_000), messages, refused...)
	add("100000-parameters", strings.Replace(runFile, "\"p\":2", "\"p\":2"+string(numbered("", 100_000, func(i int) string { return fmt.Sprintf(",\"x%d\":1", i) }, "")()), 1), messages, either...)
	add("run.json-of-64-MiB", runFile+strings.Repeat(" ", 64<<20), messages, either...)
	add("200000-calls", runFile, strings.Replace(messages, "call ", string(numbered("", 200_000, func(i int) string { return fmt.Sprintf("call MPI_X%d 2 4 10 80 0.01 0.0005 0.002\n", i) }, "call ")()), 1), either...)
	add("200000-peers", runFile, strings.NewReplacer("size 2", "size 1000000", "peer 1 5 4000\n", string(numbered("", 200_000, func(i int) string { return fmt.Sprintf("peer %d 5 4000\n", i) }, "")())).Replace(messages), either...)
	add("call-of-a-long-name", runFile, strings.Replace(messages, "MPI_Allreduce", "MPI_"+strings.Repeat("x", 60_000), 1), either...)
	add("empty", "", "", refused...)
	add("zeros", strings.Repeat("\x00", 1000), strings.Repeat("\x00", 1000), refused...)
	return all
}

func eventsCases() []Case {
	events := func(name string, exit []int, content Text) Case {
		c := profiled("events/"+name, "", exit, text(callTree))
		c.Files["e.yaml"] = content
		c.Args = append(c.Args, "--events", "e.yaml")
		return c
	}
	entry := func(e string) Text { return text("- {quantity: q, unit: u, events: [" + e + "]}\n") }
	// A table has at most 64 KiB (counters.LoadQuantities): all but one stay below, so that what is in them is looked at.
	all := []Case{
		events("empty", either, text("")),
		events("alias-bomb", wrong, text(strings.TrimSuffix(aliasBomb(9, 10), machineFile))),
		events("lists-nested", refused, repeat("", "[", 60_000, "")),
		events("maps-nested", refused, repeat("", "{a: ", 15_000, "")),
		events("dashes-nested", refused, repeat("", "- ", 30_000, "x\n")),
		events("5000-same-keys", refused, repeat("- {quantity: q", ", unit: u", 5000, "}\n")),
		events("8001-terms", either, entry("Ir"+strings.Repeat(" + Ir", 8000))),
		events("stars", either, entry("\""+strings.Repeat("*", 50_000)+"\"")),
		events("stars-and-letters", either, entry("\""+strings.Repeat("*I", 20_000)+"\"")),
		events("only-signs", refused, entry("+ - + -")),
		events("longer-than-64-KiB", refused, repeat("#", "x", 1<<20, "\n")),
		events("1500-entries", either, numbered("", 1500, func(i int) string { return fmt.Sprintf("- {quantity: q%d, events: [Ir]}\n", i) }, "")),
		events("device", wrong, nil),
	}
	all[len(all)-1].Files = map[string]Text{"m": text(callTree)}
	all[len(all)-1].Args[len(all[len(all)-1].Args)-1] = "/dev/zero"
	for _, number := range odd {
		all = append(all, events("factor-"+number, either, entry(number+" * Ir")))
	}
	return all
}
