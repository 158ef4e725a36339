package hostile

import (
	"fmt"
	"strings"
)

// moduleCases are modules in LLVM's IR.
func moduleCases() []Case {
	const head, tail = "define void @f(i64 %n, double* %a) {\nentry:\n  br label %l\nl:\n  %i = phi i64 [0, %entry], [%j, %l]\n", `
  %p = getelementptr double, double* %a, i64 %x
  store double 0.0, double* %p
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, 1000
  br i1 %c, label %l, label %e
e:
  ret void
}
`
	module := func(name string, body string) Case {
		return Case{Name: "predict/modules/" + name, Args: []string{"predict", machineFlag, "a.ll"}, Files: map[string]Text{"a.ll": text(head + body + tail)}, Exit: either, Says: "a.ll"}
	}
	chain := func(n int, line string) string {
		var b strings.Builder
		b.WriteString("  %x0 = add i64 %i, 1\n")
		for k := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(line, "#", "%[1]d")+"\n", k, k+1)
		}
		fmt.Fprintf(&b, "  %%x = add i64 %%x%d, 0", n)
		return b.String()
	}
	structures := numbered("%s0 = type { i64 }\n", 200, func(i int) string { return fmt.Sprintf("%%s%d = type { %%s%d, %%s%d }\n", i+1, i, i) },
		"@a = global %s200 zeroinitializer\n"+strings.Replace(head+tail, "double, double* %a, i64 %x", "%s200, %s200* @a, i64 %i", 1))
	doubled := module("structures-that-double-200-times", "")
	doubled.Files["a.ll"] = structures
	return []Case{
		doubled,
		module("value-doubled-3000-times", chain(3000, "  %%x%[2]d = add i64 %%x#, %%x#")),
		module("value-squared-3000-times", chain(3000, "  %%x%[2]d = mul i64 %%x#, %%x#")),
		module("remainder-of-itself-3000-times", chain(3000, "  %%y# = srem i64 %%x#, 1000\n  %%x%[2]d = add i64 %%x#, %%y#")),
		module("chosen-of-itself-3000-times", chain(3000, "  %%c# = icmp slt i64 %%x#, 500\n  %%y# = add i64 %%x#, 7\n  %%x%[2]d = select i1 %%c#, i64 %%x#, i64 %%y#")),
	}
}
