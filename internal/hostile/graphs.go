package hostile

import (
	"fmt"
	"strings"
)

// xParams are parameters of an X-graph that has all.
const xParams = "n=105,Z=1,E=0.003,M=0.35,R=0.15,L=600,size=16384,latency=20,alpha=10,beta=3072"

func xgraphCases() []Case {
	var all []Case
	draw := func(name string, exit []int, args ...string) {
		all = append(all, Case{Name: "xgraph/params/" + name, Args: append([]string{"xgraph"}, args...), Exit: exit})
	}
	three := []int{0, 1, 2}
	for item := range strings.SplitSeq(xParams, ",") {
		name, _, _ := strings.Cut(item, "=")
		for _, number := range append([]string{"1e15", "1e-15", "x0", "x-1", "xNaN", "x1e308", "1e300", "1e-300"}, odd...) {
			draw(name+"-"+number, three, "--param="+strings.Replace(xParams, item, name+"="+number, 1))
		}
		draw("without-"+name, three, "--param="+strings.Trim(strings.Replace(","+xParams+",", ","+item+",", ",", 1), ","))
		draw("against-"+name+"-1e308", three, "--param="+xParams, "--against="+name+"=1e308")
		draw("against-"+name+"-NaN", three, "--param="+xParams, "--against="+name+"=NaN")
	}
	draw("100000-times", three, "--param="+strings.Repeat(xParams+",", 1000)+xParams)
	draw("all-1e308", three, "--param=n=1e308,Z=1e308,E=1e308,M=1e308,R=1e308,L=1e308,size=1e308,latency=1e308,alpha=1e308,beta=1e308")
	draw("all-5e-324", three, "--param=n=5e-324,Z=5e-324,E=5e-324,M=5e-324,R=5e-324,L=5e-324,size=5e-324,latency=5e-324,alpha=5e-324,beta=5e-324")
	draw("plot-of-1e18-threads", three, "--param="+strings.Replace(xParams, "n=105", "n=1e18", 1), "--plot=x.svg", "--html=x.html")
	draw("plot-of-1e-18-threads", three, "--param="+strings.Replace(xParams, "n=105", "n=1e-18", 1), "--plot=x.png")
	yaml := strings.NewReplacer("=", ": ", ",", "\n", "size", "cache:\n  size", "latency", "  latency", "alpha", "  alpha", "beta", "  beta", "Z", "z", "E", "e", "M", "m", "R", "r", "L", "l").Replace(xParams) + "\n"
	file := func(name string, exit []int, content Text) {
		all = append(all, Case{Name: "xgraph/file/" + name, Args: []string{"xgraph", "x.yaml"}, Files: map[string]Text{"x.yaml": content}, Exit: exit})
	}
	for item := range strings.SplitSeq("n: 105,z: 1,e: 0.003,m: 0.35,r: 0.15,l: 600,size: 16384,latency: 20,alpha: 10,beta: 3072", ",") {
		name, _, _ := strings.Cut(item, ":")
		for _, number := range append([]string{".nan", ".inf", "-.inf", "[1]", "{a: 1}", "text"}, odd...) {
			file(name+"-"+number, three, text(strings.Replace(yaml, item, name+": "+number, 1)))
		}
	}
	file("alias-bomb", wrong, text(strings.TrimSuffix(aliasBomb(9, 10), machineFile)))
	file("lists-nested-100000-times", wrong, repeat("n: ", "[", 100_000, ""))
	file("maps-nested-100000-times", wrong, repeat("cache: ", "{hits: ", 100_000, ""))
	file("dashes-nested-100000-times", wrong, repeat("n: \n", "- ", 100_000, "1\n"))
	file("20000-same-keys", wrong, repeat(yaml, "n: 1\n", 20_000, ""))
	file("longer-than-64-MiB", wrong, repeat(yaml, "# x\n", 16<<20, ""))
	file("empty", wrong, text(""))
	file("zeros", wrong, zeros(1<<20))
	all = append(all, Case{Name: "xgraph/file/device", Args: []string{"xgraph", "x.yaml"}, Files: map[string]Text{}, Exit: wrong})
	return all
}

// listing is GPU code with one loop.
const listing = `	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)"
	.section	.text.sum,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=18"
        .global         sum
        .type           sum,@function
        .size           sum,(.L_x_3 - sum)
sum:
.text.sum:
        /*0000*/              MOV R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/              LDG.E R2, [R4.64] ;
        /*0020*/              FADD R2, R2, R3 ;
        /*0030*/         @P0 BRA ` + "`(.L_x_0)" + ` ;
        /*0040*/              EXIT ;
.L_x_3:
`

func sassCases() []Case {
	var all []Case
	read := func(name string, exit []int, content Text, args ...string) {
		all = append(all, Case{
			Name: "xgraph/sass/" + name, Args: append([]string{"xgraph", "--machine=k40-sp", "--block-size=128", "k.sass"}, args...), Files: map[string]Text{"k.sass": content}, Exit: exit,
		})
	}
	three := []int{0, 1, 2}
	head, tail, _ := strings.Cut(listing, "        /*0010*/")
	tail = "        /*0010*/" + tail
	instruction := func(address int, code string) string { return fmt.Sprintf("        /*%04x*/  %s ;\n", address, code) }
	read("100000-instructions", three, numbered(head, 100_000, func(i int) string { return instruction(16*(i+1), "FADD R2, R2, R3") }, "        /*f00000*/ EXIT ;\n.L_x_3:\n"))
	read("20000-nested-loops", three, func() []byte {
		var b strings.Builder
		b.WriteString(head)
		for i := range 20_000 {
			fmt.Fprintf(&b, ".L_y_%d:\n%s", i, instruction(16*(i+1), "FADD R2, R2, R3"))
		}
		for i := range 20_000 {
			b.WriteString(instruction(16*(20_001+i), fmt.Sprintf("@P0 BRA `(.L_y_%d)", 19_999-i)))
		}
		return []byte(b.String() + "        /*f00000*/ EXIT ;\n.L_x_3:\n")
	})
	read("20000-loops-one-after-another", three, numbered(head, 20_000, func(i int) string {
		return fmt.Sprintf(".L_y_%d:\n%s%s", i, instruction(32*(i+1), "FADD R2, R2, R3"), instruction(32*(i+1)+16, fmt.Sprintf("@P0 BRA `(.L_y_%d)", i)))
	}, "        /*f00000*/ EXIT ;\n.L_x_3:\n"))
	read("20000-branches-forward", three, func() []byte {
		var b strings.Builder
		b.WriteString(head)
		for i := range 20_000 {
			fmt.Fprintf(&b, "%s.L_y_%d:\n", instruction(16*(i+1), fmt.Sprintf("@P0 BRA `(.L_y_%d)", min(i+7, 19_999))), i)
		}
		return []byte(b.String() + "        /*f00000*/ EXIT ;\n.L_x_3:\n")
	})
	read("every-branch-to-every-block", three, func() []byte {
		var b strings.Builder
		b.WriteString(head)
		for i := range 3000 {
			fmt.Fprintf(&b, ".L_y_%d:\n%s", i, instruction(16*(i+1), fmt.Sprintf("@P0 BRA `(.L_y_%d)", (i*1_009+7)%3000)))
		}
		return []byte(b.String() + "        /*f00000*/ EXIT ;\n.L_x_3:\n")
	})
	read("5000-kernels", three, numbered("", 5000, func(i int) string {
		return strings.ReplaceAll(strings.ReplaceAll(listing, "sum", fmt.Sprintf("sum%d", i)), ".L_x_", fmt.Sprintf(".L_%d_", i))
	}, ""))
	read("addresses-of-2^64", three, text(strings.Replace(listing, "/*0020*/", "/*ffffffffffffffff*/", 1)))
	read("addresses-that-go-back", three, text(strings.Replace(listing, "/*0030*/", "/*0000*/", 1)))
	read("branch-to-nowhere", three, text(strings.Replace(listing, "(.L_x_0)", "(.L_z)", 1)))
	read("branch-to-2^64", three, text(strings.Replace(listing, "`(.L_x_0)", "0xffffffffffffffff", 1)))
	read("line-of-4-MiB", three, repeat(head+"        /*0010*/ FADD R2", ", R2", 1<<20, " ;\n"+tail))
	read("zeros", wrong, zeros(1<<20))
	read("100000-labels", three, numbered(head, 100_000, func(i int) string { return fmt.Sprintf(".L_y_%d:\n", i) }, tail))
	read("only-a-head", three, text(head))
	read("predicates-without-end", three, repeat(head+"        /*0010*/ ", "@P0 ", 1<<18, "FADD R2, R2, R3 ;\n"+tail))
	read("jumps-into-loops", three, text(strings.Replace(listing, "MOV R1, c[0x0][0x28]", "@P1 BRA 0x20", 1)))
	for _, n := range append([]string{"2147483648", "1025"}, odd...) {
		for _, flag := range []string{"block-size", "registers", "shared-memory", "trips=.L_x_0"} {
			read(flag+"-"+n, three, text(listing), "--"+flag+"="+n)
		}
		read("registers-in-the-listing-"+n, three, text(strings.Replace(listing, "REGISTERS=18", "REGISTERS="+n, 1)))
	}
	return all
}
