package hostile

import (
	"fmt"
	"strings"
	"time"
)

// flagCases give each flag with a number or a list what it cannot be, or too much of it.
func flagCases() []Case {
	var all []Case
	give := func(verb, name string, exit []int, args ...string) {
		files := map[string]Text{"a.c": kernel(sweep), "t": text("r 0x1000 8\nw 0x2000 8\n"), "m": text(series)}
		all = append(all, Case{Name: verb + "/flags/" + name, Args: append([]string{verb}, args...), Files: files, Exit: exit})
	}
	three := []int{0, 1, 2}
	numbers := append([]string{"1000000000000", "1-4096", "4096", "1,1,1,1", "1-", "-", ",", "1-2-3", "4097", "1e3", "999999999999999999999"}, odd...)
	for _, verb := range sourceVerbs {
		for _, n := range numbers {
			give(verb, "threads-"+n, three, machineFlag, "--threads="+n, "a.c")
		}
		give(verb, "threads-list-of-100000", three, machineFlag, "--threads="+strings.TrimSuffix(strings.Repeat("1-64,", 25_000), ","), "a.c")
	}
	for _, verb := range []string{"mrc"} {
		for _, n := range append([]string{"1TiB", "8EiB", "4611686018427387904", "1B", "0.5KiB", "1e3KiB", ",", "-1KiB"}, odd...) {
			give(verb, "sizes-"+n, three, machineFlag, "--sizes="+n, "a.c")
		}
		give(verb, "sizes-100000", three, machineFlag, "--sizes="+manySizes(10_000), "a.c")
		give(verb, "sizes-10000-threads-1-4096", three, machineFlag, "--sizes="+manySizes(1000), "--threads=1-4096", "a.c")
	}
	for _, flag := range []string{"samples", "seed"} {
		for _, verb := range []string{"predict", "mrc", "profile"} {
			for _, n := range append([]string{"1000000000000", "1000000000"}, odd...) {
				give(verb, flag+"-"+n, three, machineFlag, "--"+flag+"="+n, "a.c")
			}
		}
	}
	for _, flag := range []string{"line", "max-lines", "rate"} {
		for _, n := range append([]string{"1", "2", "3", "4096", "8192", "1e-300"}, odd...) {
			give("mrc", flag+"-"+n, three, machineFlag, "--"+flag+"="+n, "--method=shards", "t")
			give("profile", flag+"-"+n, three, machineFlag, "--"+flag+"="+n, "--method=shards", "t")
		}
	}
	for _, n := range []string{"N=1e18", "N=1000000000000000000", "N=-1", "N=", "N", "=1", "N=9223372036854775808", "N=(((((1)))))", "N(x)=x", "N(=1", "n=9223372036854775807", "n=-9223372036854775808", "N=N", "for=while", "double=", "int=double", "kernel=main"} {
		for _, verb := range sourceVerbs {
			c := Case{Name: verb + "/flags/D-" + n, Args: []string{verb, machineFlag, "-D", n, "a.c"}, Exit: three, Files: map[string]Text{
				"a.c": text("#ifndef N\n#define N 100\n#endif\ndouble a[1000];\nvoid kernel(long n) { for (long i = 0; i < n; i++) for (long j = 0; j < N; j++) a[j] += a[i % 1000]; }\n"),
			}}
			all = append(all, c)
		}
	}
	give("predict", "D-of-100000-brackets", three, machineFlag, "-D", "N="+nested("(", "1", ")", 50_000), "a.c")
	give("predict", "1000-times-D", three, append(strings.Fields(strings.Repeat("-D N=1 ", 1000)), machineFlag, "a.c")...)
	give("predict", "1000-times-I", three, append(strings.Fields(strings.Repeat("-I . ", 1000)), machineFlag, "a.c")...)
	give("predict", "30-machines-4096-threads", three, append(strings.Fields(strings.Repeat(machineFlag+" ", 30)), "--threads=1-4096", "a.c")...)
	give("predict", "1000-machines", three, append(strings.Fields(strings.Repeat(machineFlag+" ", 1000)), "a.c")...)
	all[len(all)-1].Why, all[len(all)-1].Ends = "each machine that is named is a prediction of its own, of some milliseconds", 30*time.Second
	for _, flag := range []string{"miss-ratio", "page-size"} {
		for _, n := range append([]string{"50%", "1TiB", "1"}, odd...) {
			give("predict", flag+"-"+n, three, machineFlag, "--"+flag+"="+n, "a.c")
		}
	}
	for _, setting := range levelSettings() {
		give("simulate", "level-"+strings.ReplaceAll(setting, "/", "-"), three, machineFlag, "--level="+setting, "a.c")
	}
	for _, at := range append([]string{"p=1e300", "p=1e15", "p=1e16", "p", "=1", "p=1,p=2", "p=1,q=2", "p=0.5", "p=1e-300", "q=5"}, prefixedBy("p=", odd)...) {
		give("scale", "at-"+at, three, "--at="+at, "m")
	}
	give("scale", "at-100000-points", three, "--at=p=2"+strings.Repeat(",4", 10_000), "m")
	give("scale", "at-1000^4-points", three, "--at=p=2"+strings.Repeat(",4", 300)+",q=2"+strings.Repeat(",4", 300)+",r=2"+strings.Repeat(",4", 300)+",s=2"+strings.Repeat(",4", 300), "m")
	for _, flag := range []string{"interval", "share", "cover", "holdout"} {
		for _, n := range append([]string{"0.999999999999", "1e-300", "4", "5", "6"}, odd...) {
			give("scale", flag+"-"+n, three, "--at=p=64", "--"+flag+"="+n, "m")
		}
	}
	for _, n := range append([]string{"p=3", "n=3", "n^3", "p^1e308"}, odd...) {
		give("scale", "param-"+n, three, "--at=p=64", "--param="+n, "m")
		give("scale", "work-"+n, three, "--at=p=64", "--work="+n, "--model=apmt", machineFlag, "m")
	}
	for _, model := range []string{"auto", "own", "power", "times-p", "apmt"} {
		for _, at := range []string{"p=1e15", "p=1e-300"} {
			give("scale", "model-"+model+"-at-"+at, three, "--model="+model, "--at="+at, machineFlag, "m")
		}
	}
	for _, verb := range []string{"predict", "mrc", "profile", "simulate", "scale", "xgraph", "trace", "mpi", "machine", "validate"} {
		give(verb, "unknown-flag-of-100000-letters", usage, "--"+strings.Repeat("x", 100_000))
		give(verb, "100000-letters", three, strings.Repeat("x", 100_000))
		give(verb, "format-of-100000-letters", []int{1, 2}, "--format="+strings.Repeat("x", 100_000), "a.c")
	}
	for _, verb := range append(sourceVerbs, "scale", "xgraph") {
		for _, file := range []string{"/dev/zero", "/dev/null", ".", "/", "", "no-such-file", "a.c/b", "/proc/self/mem"} {
			c := Case{Name: fmt.Sprintf("%s/input/%q", verb, file), Args: []string{verb, machineFlag, file}, Files: map[string]Text{"a.c": kernel(sweep)}, Exit: wrong}
			if verb == "scale" {
				c.Args = []string{verb, "--at=p=4", file}
			}
			all = append(all, c)
		}
		endless := Case{Name: verb + "/input/stdin-of-64-MiB", Args: []string{verb, machineFlag, "-"}, Stdin: repeat("", "x\n", 32<<20, ""), Exit: wrong}
		if verb == "scale" {
			endless.Args = []string{verb, "--at=p=4", "-"}
		}
		all = append(all, endless)
	}
	return all
}

func prefixedBy(prefix string, list []string) (all []string) {
	for _, x := range list {
		all = append(all, prefix+x)
	}
	return all
}

func manySizes(n int) string {
	sizes := make([]string, n)
	for i := range sizes {
		sizes[i] = fmt.Sprint(64 * (i + 1))
	}
	return strings.Join(sizes, ",")
}

// levelSettings are values of --level.
func levelSettings() []string {
	all := []string{
		"L3:size=1TiB,ways=1", "L3:size=16TiB,ways=1", "L1:size=1TiB,ways=1", "L2:size=8GiB,ways=1", "L3:size=1TiB,ways=16384", "L3:size=4611686018427387904,ways=1",
		"L3:size=1TiB,ways=17179869184", "L1:ways=1", "L1:victim=1000000000", "L1:victim=9223372036854775807", "L3:victim=100000000", "L1:prefetch=next-line,degree=1000000000",
		"L1:prefetch=stride,degree=9223372036854775807", "L1:prefetch=stride,degree=100000", "L9:ways=1", ":ways=1", "L1:", "L1:ways", "L1:ways=", "L1", "", "L1:size=64,ways=1", "L1:size=1,ways=1", "L3:shared_by=1000000",
		"L1:replacement=plru,ways=3,size=192", "L3:size=64GiB,ways=1,replacement=random", "L1:" + strings.TrimSuffix(strings.Repeat("ways=8,", 10_000), ","),
	}
	for _, key := range []string{"size", "ways", "shared_by", "victim", "degree"} {
		for _, number := range odd {
			all = append(all, "L2:"+key+"="+number)
		}
	}
	return all
}
