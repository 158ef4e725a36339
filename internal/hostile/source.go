package hostile

import (
	"fmt"
	"strings"
)

// machineFlag names a machine of the library, so that no case depends on the host.
const machineFlag = "--machine=i7-5960x"

// verbs that read C sources, with what makes them quick to end on an ordinary one.
var sourceVerbs = []string{"predict", "mrc", "profile", "simulate"}

// source is a C file given to one verb.
func source(verb, name, says string, exit []int, content Text) Case {
	return Case{
		Name: verb + "/" + name, Args: []string{verb, machineFlag, "a.c"}, Files: map[string]Text{"a.c": content}, Exit: exit, Says: says,
	}
}

// predicted is a C file given to predict.
func predicted(name, says string, exit []int, content Text) Case {
	return source("predict", name, says, exit, content)
}

// kernel is a whole program around statements over a, b, c and n.
func kernel(statements string) Text {
	return text(around(statements))
}

func around(statements string) string {
	return "double a[1000], b[1000], c[1000];\nvoid kernel(int n) {\n" + statements + "\n}\nint main(void) { kernel(1000); return 0; }\n"
}

// sweep is the loop that the programs have where nothing is said of their loops.
const sweep = "for (int i = 0; i < 1000; i++) a[i] = b[i] + c[i];"

func preprocessorCases() []Case {
	at := "a.c:"
	cases := []Case{
		predicted("preprocessor/40-pastes-doubling", at, refused, pasted(40)),
		predicted("preprocessor/20-pastes-doubling", at, either, pasted(20)),
		predicted("preprocessor/40-pastes-doubling-one-name", "a.c", refused, glued(40)),
		predicted("preprocessor/billion-laughs", at, refused, laughs(10, 10)),
		predicted("preprocessor/billion-laughs-of-functions", at, refused, functionLaughs(12)),
		predicted("preprocessor/thirty-doublings", at, refused, laughs(30, 2)),
		predicted("preprocessor/doubling-that-expands-to-nothing", at, refused, emptyLaughs(40)),
		predicted("preprocessor/doubling-in-a-condition", at, refused, text(doublings(40)+"#if M40\nint x;\n#endif\n"+around(sweep))),
		predicted("preprocessor/doubling-as-argument", at, refused, text("#define TWICE(x) x x\n#define A(x) x\nint y = "+nested("TWICE(", "1", ")", 40)+";\n"+around(sweep))),
		predicted("preprocessor/stringized-doubling", at, refused, text("#define S(x) #x #x\n#define D(x) S(x)\nchar *s = "+nested("D(", "q", ")", 40)+";\n"+around(sweep))),
		predicted("preprocessor/includes-itself", at, refused, text("#include \"a.c\"\n"+around(sweep))),
		predicted("preprocessor/includes-itself-twice", at, refused, text("#include \"a.c\"\n#include \"a.c\"\n"+around(sweep))),
		withFiles(predicted("preprocessor/two-include-each-other", ".", refused, text("#include \"b.h\"\n"+around(sweep))), map[string]Text{"b.h": text("#include \"c.h\"\n"), "c.h": text("#include \"b.h\"\n")}),
		withFiles(predicted("preprocessor/include-chain-of-300", ".h:1:1", refused, text("#include \"0.h\"\n"+around(sweep))), headers(300, 1)),
		withFiles(predicted("preprocessor/includes-that-double-25-times", ".", refused, text("#include \"0.h\"\n"+around(sweep))), headers(25, 2)),
		predicted("preprocessor/includes-a-device", at, refused, text("#include \"/dev/zero\"\n"+around(sweep))),
		predicted("preprocessor/includes-a-folder", at, refused, text("#include \".\"\n"+around(sweep))),
		predicted("preprocessor/if-nested-100000-times", "a.c", wrong, text(strings.Repeat("#if 1\n", 100_000)+around(sweep)+strings.Repeat("#endif\n", 100_000))),
		predicted("preprocessor/if-nested-1000-times", "a.c", either, text(strings.Repeat("#if 1\n", 1000)+around(sweep)+strings.Repeat("#endif\n", 1000))),
		predicted("preprocessor/if-without-end", "a.c", refused, text("#if 1\n"+around(sweep))),
		predicted("preprocessor/condition-of-100000-brackets", "a.c", refused, text("#if "+nested("(", "1", ")", 100_000)+"\n#endif\n"+around(sweep))),
		predicted("preprocessor/condition-of-100000-minus", "a.c", refused, text("#if "+strings.Repeat("- ", 100_000)+"1\n#endif\n"+around(sweep))),
		predicted("preprocessor/condition-of-100000-not", "a.c", refused, text("#if "+strings.Repeat("!", 100_000)+"1\n#endif\n"+around(sweep))),
		predicted("preprocessor/condition-of-100000-ternaries", "a.c", refused, text("#if "+strings.Repeat("1 ? 1 : ", 100_000)+"1\n#endif\n"+around(sweep))),
		predicted("preprocessor/condition-of-50000-terms", "a.c", either, text("#if 1"+strings.Repeat(" + 1", 50_000)+"\n#endif\n"+around(sweep))),
		predicted("preprocessor/division-by-zero", "a.c", either, text("#if 1/0\nint x;\n#endif\n"+around(sweep))),
		predicted("preprocessor/macro-of-100000-parameters", "a.c", either, manyParameters(100_000)),
		predicted("preprocessor/100000-macros", "a.c", either, numbered("", 100_000, func(i int) string { return fmt.Sprintf("#define M%d %d\n", i, i) }, around(sweep))),
		predicted("preprocessor/chain-of-20000-macros", "a.c", either, numbered("#define M0 1\n", 20_000, func(i int) string { return fmt.Sprintf("#define M%d M%d\n", i+1, i) }, "int x = M20000;\n"+around(sweep))),
		predicted("preprocessor/macro-calls-nested-5000-times", "a.c", either, text("#define F(x) x\nint x = "+nested("F(", "1", ")", 5000)+";\n"+around(sweep))),
		predicted("preprocessor/macro-that-names-itself", "", either, text("#define A B\n#define B A\n#define F(x) F(F(x))\nint A = 1;\n"+around(sweep))),
		predicted("preprocessor/unterminated-macro-call", "a.c", refused, text("#define F(x) x\nint y = F(1;\n"+around(sweep))),
		predicted("preprocessor/defines-without-a-name", "a.c", refused, text("#define\n#define 1\n#define (\n"+around(sweep))),
		predicted("preprocessor/line-of-4-MiB", "a.c", either, text("#define A "+strings.Repeat("x", 4<<20)+"\n"+around(sweep))),
		predicted("preprocessor/200000-continued-lines", "a.c", either, text("#define A 1"+strings.Repeat("\\\n", 200_000)+"\n"+around(sweep))),
		predicted("preprocessor/line-of-2^63", "a.c", either, text("#line 9223372036854775807 \"x\"\n"+around(sweep))),
		predicted("preprocessor/pragma-of-1-MiB", "a.c", either, kernel("#pragma omp parallel for "+strings.Repeat("private(n) ", 100_000)+"\n"+sweep)),
		predicted("preprocessor/100000-pragmas", "a.c", either, kernel(strings.Repeat("#pragma omp parallel for\n", 100_000)+sweep)),
	}
	return cases
}

// withFiles adds files to a case.
func withFiles(c Case, more map[string]Text) Case {
	for name, content := range more {
		c.Files[name] = content
	}
	return c
}

// nested is open n times, middle, and close n times.
func nested(open, middle, end string, n int) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// pasted is a word that n macros double, by ##.
func pasted(n int) Text {
	return numbered("#define P(a,b) a##b\n#define Q(a,b) P(a,b)\n#define M0 x\n", n,
		func(i int) string { return fmt.Sprintf("#define M%d Q(M%d,M%d)\n", i+1, i, i) }, fmt.Sprintf("int M%d;\n", n)+around(sweep))
}

// glued is a name that each of n macros pastes to itself, so that it alone doubles.
func glued(n int) Text {
	return numbered("#define E(a) a##a\n#define D(a) E(a)\n#define M0 x\n", n,
		func(i int) string { return fmt.Sprintf("#define M%d D(M%d)\n", i+1, i) }, fmt.Sprintf("int M%d;\n", n)+around(sweep))
}

// laughs are n macros, each of which is times the one before.
func laughs(n, times int) Text {
	return numbered("#define M0 1+\n", n, func(i int) string {
		return fmt.Sprintf("#define M%d %s\n", i+1, strings.Repeat(fmt.Sprintf("M%d ", i), times))
	}, fmt.Sprintf("int x = M%d 1;\n", n)+around(sweep))
}

func emptyLaughs(n int) Text {
	return numbered("#define M0\n", n, func(i int) string { return fmt.Sprintf("#define M%d M%d M%d\n", i+1, i, i) },
		fmt.Sprintf("int x M%d;\n", n)+around(sweep))
}

func functionLaughs(n int) Text {
	return numbered("#define F0(x) x+\n", n, func(i int) string {
		return fmt.Sprintf("#define F%d(x) %s\n", i+1, strings.Repeat(fmt.Sprintf("F%d(x) ", i), 10))
	}, fmt.Sprintf("int x = F%d(1) 1;\n", n)+around(sweep))
}

func doublings(n int) string {
	var b strings.Builder
	b.WriteString("#define M0 1 ||\n")
	for i := range n {
		fmt.Fprintf(&b, "#define M%d M%d M%d\n", i+1, i, i)
	}
	return b.String()
}

// headers are n, each of which includes the next so many times.
func headers(n, times int) map[string]Text {
	all := map[string]Text{}
	for i := range n {
		next := fmt.Sprintf("#include \"%d.h\"\n", i+1)
		if i == n-1 {
			next = "extern int deep;\n"
		}
		all[fmt.Sprintf("%d.h", i)] = text(strings.Repeat(next, times))
	}
	return all
}

func manyParameters(n int) Text {
	return func() []byte {
		var names, values strings.Builder
		for i := range n {
			if i > 0 {
				names.WriteByte(',')
				values.WriteByte(',')
			}
			fmt.Fprintf(&names, "p%d", i)
			values.WriteByte('1')
		}
		return []byte("#define F(" + names.String() + ") p1\nint x = F(" + values.String() + ");\n" + around(sweep))
	}
}

// nestingCases nest one construct of C in itself, deeper than a recursive parser's stack.
func nestingCases() []Case {
	type construct struct {
		name string
		make func(n int) string
	}
	constructs := []construct{
		{"brackets", func(n int) string { return around("a[0] = " + nested("(", "1", ")", n) + ";\n" + sweep) }},
		{"subscripts", func(n int) string {
			return "int x[10];\n" + around("for (int i = 0; i < 10; i++) a["+nested("x[", "i", "]", n)+"] = 1;")
		}},
		{"calls", func(n int) string {
			return "int f(int x) { return x; }\n" + around("for (int i = 0; i < 10; i++) a["+nested("f(", "i", ")", n)+"] = 1;")
		}},
		{"blocks", func(n int) string { return around(nested("{", sweep, "}", n)) }},
		{"loops-with-braces", func(n int) string { return around(nested("for (int i = 0; i < 2; i++) {", "a[0] = 1;", "}", n)) }},
		{"loops-without-braces", func(n int) string { return around(strings.Repeat("for (int i = 0; i < 2; i++)\n", n) + "a[0] = 1;") }},
		{"whiles-without-braces", func(n int) string { return around(strings.Repeat("while (n < 3)\n", n) + "a[0] = 1;\n" + sweep) }},
		{"do-whiles", func(n int) string {
			return around(strings.Repeat("do ", n) + "a[0] = 1; " + strings.Repeat("while (n < 3);", n) + sweep)
		}},
		{"ifs-without-braces", func(n int) string { return around(strings.Repeat("if (n)\n", n) + "a[0] = 1;\n" + sweep) }},
		{"ifs-with-else", func(n int) string { return around(strings.Repeat("if (n) ;\nelse ", n) + "a[0] = 1;\n" + sweep) }},
		{"switches", func(n int) string { return around(strings.Repeat("switch (n) case 1: ", n) + "a[0] = 1;\n" + sweep) }},
		{"labels", func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "l%d:\n", i)
			}
			return around(b.String() + "a[0] = 1;\n" + sweep)
		}},
		{"cases", func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "case %d:\n", i)
			}
			return around("switch (n) {" + b.String() + "a[0] = 1; }\n" + sweep)
		}},
		{"ternaries", func(n int) string { return around("a[0] = " + strings.Repeat("n ? 1 : ", n) + "0;\n" + sweep) }},
		{"ternaries-in-the-middle", func(n int) string { return around("a[0] = " + nested("n ? ", "1", " : 2", n) + ";\n" + sweep) }},
		{"unary-minus", func(n int) string { return around("a[0] = " + strings.Repeat("- ", n) + "1;\n" + sweep) }},
		{"unary-not", func(n int) string { return around("a[0] = " + strings.Repeat("!", n) + "1;\n" + sweep) }},
		{"casts", func(n int) string { return around("a[0] = " + strings.Repeat("(double)", n) + "1;\n" + sweep) }},
		{"sizeofs", func(n int) string { return around("a[0] = " + strings.Repeat("sizeof ", n) + "1;\n" + sweep) }},
		{"addresses-and-stars", func(n int) string { return around("a[0] = " + strings.Repeat("*&", n) + "a[1];\n" + sweep) }},
		{"assignments", func(n int) string { return around("int x; x" + strings.Repeat(" = x", n) + ";\n" + sweep) }},
		{"sums", func(n int) string { return around("a[0] = 1" + strings.Repeat(" + n", n) + ";\n" + sweep) }},
		{"products-in-a-subscript", func(n int) string {
			return around("for (int i = 0; i < 10; i++) a[i" + strings.Repeat(" * 1", n) + "] = 1;")
		}},
		{"commas", func(n int) string { return around("n = (1" + strings.Repeat(", 1", n) + ");\n" + sweep) }},
		{"members", func(n int) string { return around("a[0] = n" + strings.Repeat(".x", n) + ";\n" + sweep) }},
		{"arrows", func(n int) string {
			return "struct s { struct s *x; } *p;\n" + around("p = p"+strings.Repeat("->x", n)+";\n"+sweep)
		}},
		{"pointers-of-a-type", func(n int) string { return "int " + strings.Repeat("*", n) + "p;\n" + around(sweep) }},
		{"pointers-each-with-an-array", func(n int) string {
			var pointers, stores strings.Builder
			for i := range n {
				fmt.Fprintf(&pointers, "double *p%d = malloc(800);\n", i)
				fmt.Fprintf(&stores, "p%d[i] = 1;\n", i)
			}
			return "#include <stdlib.h>\n" + around(pointers.String()+"for (int i = 0; i < 100; i++) {\n"+stores.String()+"}")
		}},
		{"dimensions", func(n int) string { return "int x" + strings.Repeat("[1]", n) + ";\n" + around(sweep) }},
		{"declarators-in-brackets", func(n int) string { return "int " + nested("(", "x", ")", n) + ";\n" + around(sweep) }},
		{"functions-of-functions", func(n int) string { return "void f" + nested("(int (*)", "(void)", ")", n) + ";\n" + around(sweep) }},
		{"structures", func(n int) string { return nested("struct {", "int x;", "} y;", n) + "\n" + around(sweep) }},
		{"chain-of-structures", func(n int) string {
			var b strings.Builder
			b.WriteString("struct s0 { int x; };\n")
			for i := range n {
				fmt.Fprintf(&b, "struct s%d { struct s%d x; };\n", i+1, i)
			}
			return b.String() + fmt.Sprintf("struct s%d y;\n", n) + around(sweep)
		}},
		{"chain-of-typedefs", func(n int) string {
			var b strings.Builder
			b.WriteString("typedef int t0;\n")
			for i := range n {
				fmt.Fprintf(&b, "typedef t%d *t%d;\n", i, i+1)
			}
			return b.String() + fmt.Sprintf("t%d y;\n", n) + around(sweep)
		}},
		{"initializers", func(n int) string { return "int x[] = " + nested("{", "1", "}", n) + ";\n" + around(sweep) }},
		{"compound-literals", func(n int) string { return around("n = " + nested("(int){", "1", "}", n) + ";\n" + sweep) }},
		{"statement-expressions", func(n int) string { return around("n = " + nested("({", "1;", "});", n) + "\n" + sweep) }},
		{"generics", func(n int) string { return around("n = " + nested("_Generic(1, int: ", "1", ")", n) + ";\n" + sweep) }},
		{"typeofs", func(n int) string { return nested("typeof(", "int", ")", n) + " y;\n" + around(sweep) }},
		{"qualifiers", func(n int) string { return strings.Repeat("const ", n) + "int y;\n" + around(sweep) }},
		{"attributes", func(n int) string { return strings.Repeat("__attribute__((unused)) ", n) + "int y;\n" + around(sweep) }},
		{"parallel-regions", func(n int) string { return around(nested("#pragma omp parallel\n{\n", sweep, "\n}", n)) }},
		{"strings-side-by-side", func(n int) string { return "char *s = " + strings.Repeat("\"a\" ", n) + ";\n" + around(sweep) }},
		{"inline-calls", func(n int) string {
			var b strings.Builder
			b.WriteString("static int f0(int x) { return x; }\n")
			for i := range n {
				fmt.Fprintf(&b, "static int f%d(int x) { return f%d(x); }\n", i+1, i)
			}
			return b.String() + around(fmt.Sprintf("for (int i = 0; i < 10; i++) a[f%d(i)] = 1;", n))
		}},
		{"inline-calls-that-double", func(n int) string {
			var b strings.Builder
			b.WriteString("static void f0(int x) { for (int i = 0; i < 10; i++) a[i] = x; }\n")
			for i := range min(n, 60) {
				fmt.Fprintf(&b, "static void f%d(int x) { f%d(x); f%d(x); }\n", i+1, i, i)
			}
			return "double a[10];\n" + b.String() + fmt.Sprintf("void kernel(void) { f%d(1); }\n", min(n, 60))
		}},
		{"variables-that-double", func(n int) string {
			var b strings.Builder
			b.WriteString("int x0 = n;\n")
			for i := range min(n, 60) {
				fmt.Fprintf(&b, "int x%d = x%d + x%d * x%d;\n", i+1, i, i, i)
			}
			return around(b.String() + fmt.Sprintf("for (int i = 0; i < x%d; i++) a[i] = 1;", min(n, 60)))
		}},
		{"recursion", func(n int) string {
			return "double a[10];\nvoid g(int);\nvoid f(int x) { " + strings.Repeat("g(x + 1); ", min(n, 200)) + " }\nvoid g(int x) { f(x); }\n" + "void kernel(void) { for (int i = 0; i < 10; i++) { a[i] = 1; f(i); } }\n"
		}},
	}
	var all []Case
	for _, c := range constructs {
		for _, n := range []int{300, 20_000} {
			all = append(all, predicted(fmt.Sprintf("nesting/%d-%s", n, c.name), "a.c", either, func() []byte { return []byte(c.make(n)) }))
		}
	}
	const most = 200_000
	for _, c := range constructs {
		switch c.name {
		case "brackets", "loops-without-braces", "ifs-without-braces", "ternaries", "unary-minus", "unary-not", "pointers-of-a-type", "dimensions", "declarators-in-brackets", "structures", "initializers":
			all = append(all, predicted(fmt.Sprintf("nesting/%d-%s", most, c.name), "a.c", refused, func() []byte { return []byte(c.make(most)) }))
		}
	}
	return all
}
