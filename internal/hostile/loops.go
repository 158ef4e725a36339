package hostile

import (
	"fmt"
	"strings"
)

// ofManyThreads is how many of the last loops of boundsCases are predicted on 4096 threads as well: those that deal iterations, and two before.
const ofManyThreads = 12

// boundsCases are loops that do not end, or not in a lifetime, and subscripts beyond any memory.
func boundsCases() []Case {
	var all []Case
	loops := []struct {
		name, body string
	}{
		{"1e18-iterations", "for (long i = 0; i < 1000000000000000000; i++) a[i % 1000] = 1;"},
		{"1e18-iterations-of-one-place", "for (long i = 0; i < 1000000000000000000; i++) a[0] = 1;"},
		{"2^63-1-iterations", "for (long i = 0; i < 9223372036854775807; i++) a[0] += 1;"},
		{"2^64-1-iterations-unsigned", "for (unsigned long i = 0; i < 18446744073709551615ul; i++) a[0] += 1;"},
		{"six-loops-of-1e6", strings.Repeat("for (int i = 0; i < 1000000; i++)\n", 6) + "a[0] += 1;"},
		{"six-loops-of-1000", "for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) for (int k = 0; k < 1000; k++) for (int l = 0; l < 1000; l++) for (int m = 0; m < 1000; m++) for (int o = 0; o < 1000; o++) a[i] += b[j] * c[k];"},
		{"negative-step", "for (int i = 0; i < 10; i--) a[i] = 1;"},
		{"no-step", "for (int i = 0; i < 10; i += 0) a[i] = 1;"},
		{"step-of-2^62", "for (long i = 0; i < 9000000000000000000; i += 4611686018427387904) a[0] = 1;"},
		{"no-condition", "for (int i = 0; ; i++) a[i] = 1;"},
		{"no-end", "for (;;) a[0] += 1;"},
		{"while-1", "while (1) a[0] += 1;"},
		{"switch-of-2000", "for (int i = 0; i < 1000; i++) switch (i) {" + cases(2000, "break;") + "}"},
		{"switch-of-100000-falling-through", "for (int i = 0; i < 1000; i++) switch (i) {" + cases(100_000, "") + "}"},
		{"bound-squared", "for (int i = 0; i * i < 1000000; i++) a[i] = 1;"},
		{"bound-of-itself", "for (int i = 0; i < i + 1; i++) a[i % 10] = 1;"},
		{"step-that-multiplies", "for (long i = 1; i < 1000000000000; i *= 1) a[0] = 1;"},
		{"step-that-doubles-0", "for (long i = 0; i < 1000; i *= 2) a[0] = 1;"},
		{"triangular-1e9", "for (long i = 0; i < 1000000000; i++) for (long j = i; j < 1000000000; j++) a[0] += 1;"},
		{"product-of-variables-in-a-bound", "for (long i = 0; i < 100000; i++) for (long j = 0; j < i * i; j++) for (long k = 0; k < i * j; k++) a[0] += 1;"},
		{"subscript-2^62", "for (long i = 0; i < 10; i++) a[i * 4611686018427387904] = 1;"},
		{"stride-2^60", "for (long i = 0; i < 1000; i++) a[i * 1152921504606846976] = 1;"},
		{"subscript-negative-2^63", "for (long i = 0; i < 10; i++) a[-9223372036854775807 - 1 + i] = 1;"},
		{"subscript-i*i*i*i*i*i", "for (long i = 0; i < 1000000; i++) a[i * i * i * i * i * i] = 1;"},
		{"subscript-modulo-0", "for (int i = 0; i < 10; i++) a[i % 0] = 1;"},
		{"subscript-divided-by-0", "for (int i = 0; i < 10; i++) a[i / 0] = 1;"},
		{"subscript-modulo-(n-n)", "for (int i = 0; i < 10; i++) a[i % (n - n)] = 1;"},
		{"least-divided-by-minus-1", "for (long i = 0; i < 10; i++) a[(-9223372036854775807 - 1) / (i - 1)] = 1;"},
		{"shift-by-1000", "for (int i = 0; i < 10; i++) a[i << 1000] = 1;"},
		{"shift-by-minus-1", "for (int i = 0; i < 10; i++) a[i << -1] = 1;"},
		{"modulo-1e9", "for (long i = 0; i < 1000000000; i++) a[i % 997] = b[i * 7 % 991];"},
		{"conditions-on-i", "for (long i = 0; i < 1000000000; i++) if (i % 3 == 0) a[i % 1000] = 1; else if (i % 7 == 1) b[i % 1000] = 1;"},
		{"schedule-static-1-of-1e12", "#pragma omp parallel for schedule(static,1)\nfor (long i = 0; i < 1000000000000; i++) a[i % 1000] = 1;"},
		{"schedule-dynamic-1-of-1e12", "#pragma omp parallel for schedule(dynamic,1)\nfor (long i = 0; i < 1000000000000; i++) a[i % 1000] = 1;"},
		{"schedule-guided-of-2^62", "#pragma omp parallel for schedule(guided)\nfor (long i = 0; i < 4611686018427387904; i++) a[0] = 1;"},
		{"schedule-chunk-2^63-1", "#pragma omp parallel for schedule(static,9223372036854775807)\nfor (int i = 0; i < 1000; i++) a[i] = 1;"},
		{"schedule-chunk-minus-1", "#pragma omp parallel for schedule(static,-1)\nfor (int i = 0; i < 1000; i++) a[i] = 1;"},
		{"collapse-1000000", "#pragma omp parallel for collapse(1000000)\nfor (int i = 0; i < 1000; i++) a[i] = 1;"},
		{"collapse-of-1e18", "#pragma omp parallel for collapse(3)\nfor (long i = 0; i < 1000000; i++) for (long j = 0; j < 1000000; j++) for (long k = 0; k < 1000000; k++) a[0] += 1;"},
		{"num_threads-2^31-1", "#pragma omp parallel for num_threads(2147483647)\nfor (int i = 0; i < 1000; i++) a[i] = 1;"},
		{"parallel-in-1e9-rounds", "for (long t = 0; t < 1000000000; t++) {\n#pragma omp parallel for\nfor (int i = 0; i < 1000; i++) a[i] += 1; }"},
		{"barriers-in-1e9-rounds", "#pragma omp parallel\nfor (long t = 0; t < 1000000000; t++) {\n#pragma omp for\nfor (int i = 0; i < 1000; i++) a[i] += 1;\n#pragma omp barrier\n}"},
	}
	for _, l := range loops {
		for _, verb := range sourceVerbs {
			c := source(verb, "loops/"+l.name, "a.c", either, kernel(l.body))
			if verb == "simulate" {
				c.Why = "simulate walks every access that is asked for, up to 1e12 of them; it shows how far it is, and keeps what it has where it is told to stop"
			}
			all = append(all, c)
		}
	}
	for _, l := range loops[len(loops)-ofManyThreads:] {
		for _, threads := range []string{"4096", "1-4096"} {
			c := source("predict", "loops/"+l.name+"-threads-"+threads, "", []int{0, 1, 2}, kernel(l.body))
			c.Args = append(c.Args, "--threads", threads)
			all = append(all, c)
		}
	}
	return all
}

// cases are those of a switch, each with a store and what follows it.
func cases(n int, then string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "case %d: a[%d] = 1; %s\n", i, i%7, then)
	}
	return b.String()
}

// sizeCases are programs with very many of one thing, or very large things. How many is chosen for all alike: work or memory that grows with the
// square of it breaks the bounds of [Most].
func sizeCases() []Case {
	many := func(n int, piece string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, piece, i)
		}
		return b.String()
	}
	var all []Case
	add := func(name string, content func() string) {
		for _, verb := range []string{"predict", "simulate"} {
			all = append(all, source(verb, "sizes/"+name, "a.c", either, func() []byte { return []byte(content()) }))
		}
	}
	add("20000-arrays", func() string {
		return many(20_000, "double a%d[8];\n") + "void kernel(void) { for (int i = 0; i < 8; i++) {\n" + many(20_000, "a%[1]d[i] = a%[1]d[i] + 1;\n") + "} }\n"
	})
	add("20000-arrays-of-which-one-is-used", func() string { return many(20_000, "double x%d[8];\n") + around(sweep) })
	add("20000-statements", func() string {
		return around("for (int i = 0; i < 8; i++) {\n" + many(20_000, "a[i+%d%%8] = b[i];\n") + "}")
	})
	add("20000-loops", func() string {
		return around(many(20_000, "for (int i%[1]d = 0; i%[1]d < 8; i%[1]d++) a[i%[1]d] = 1;\n"))
	})
	add("5000-functions-with-loops", func() string {
		return "double a[8];\n" + many(5000, "void f%d(void) { for (int i = 0; i < 8; i++) a[i] = 1; }\n")
	})
	add("5000-functions-called", func() string {
		return "double a[8];\n" + many(5000, "void f%d(void) { for (int i = 0; i < 8; i++) a[i] = 1; }\n") + "void kernel(void) {\n" + many(5000, "f%d();\n") + "}\n"
	})
	add("5000-parallel-regions", func() string {
		return around(many(5000, "#pragma omp parallel for\nfor (int i = %d; i < 1000; i++) a[i] = 1;\n"))
	})
	add("20000-parameters", func() string {
		return "double a[8];\nvoid kernel(int n" + many(20_000, ", double *p%d") + ") { for (int i = 0; i < n; i++) a[i] = p7[i]; }\n"
	})
	add("20000-variables", func() string {
		return around(many(20_000, "int x%d = n;\n") + "for (int i = 0; i < x19999; i++) a[i] = 1;")
	})
	add("20000-variables-in-a-chain", func() string {
		var b strings.Builder
		b.WriteString("int x0 = 1;\n")
		for i := range 20_000 {
			fmt.Fprintf(&b, "int x%d = x%d + 1;\n", i+1, i)
		}
		return around(b.String() + "for (int i = 0; i < x20000; i++) a[0] = 1;")
	})
	add("20000-variables-of-constants", func() string { return around(many(20_000, "int x%[1]d = %[1]d;\n") + sweep) })
	add("20000-variables-set-in-turn", func() string {
		var b strings.Builder
		b.WriteString("int x0 = n;\n")
		for i := range 20_000 {
			fmt.Fprintf(&b, "int x%[1]d; x%[1]d = x%[2]d;\n", i+1, i)
		}
		return around(b.String() + sweep)
	})
	add("20000-members", func() string {
		return "struct s {\n" + many(20_000, "double m%d;\n") + "} x[10];\nvoid kernel(void) { for (int i = 0; i < 10; i++) x[i].m19999 = 1; }\n"
	})
	add("100000-enumerators", func() string { return "enum { " + many(100_000, "e%d, ") + "};\n" + around(sweep) })
	add("200000-initializers", func() string { return "int x[] = {" + many(200_000, "%d, ") + "};\n" + around(sweep) })
	add("20000-conditions-in-a-loop", func() string {
		return around("for (int i = 0; i < 8; i++) {\n" + many(20_000, "if (i < %d) a[i] = 1;\n") + "}")
	})
	add("14-loops-in-a-nest", func() string { return around(nestOf(14, 8)) })
	add("30-loops-in-a-nest", func() string { return around(nestOf(30, 4)) })
	add("200-loops-in-a-nest", func() string { return around(nestOf(200, 2)) })
	add("accesses-of-3000-places-in-a-nest", func() string {
		return "double a[100][100][100];\nvoid kernel(void) { for (int i = 1; i < 99; i++) for (int j = 1; j < 99; j++) for (int k = 1; k < 99; k++)\na[i][j][k] = " + strings.Repeat("a[i-1][j][k] + a[i][j-1][k] + a[i][j][k+1] + ", 1000) + "0;\n}\n"
	})
	for _, size := range []string{"-1", "0", "9223372036854775807", "18446744073709551615", "18446744073709551616", "4611686018427387904", "1000000000000000000", "-9223372036854775807-1", "1e18", "0x7fffffffffffffff", "1/0", "2147483648*2147483648"} {
		name := strings.NewReplacer("*", "-times-", "/", "-by-").Replace(size)
		add("array-of-"+name, func() string {
			return "double a[" + size + "];\nvoid kernel(void) { for (int i = 0; i < 1000; i++) a[i] = 1; }\n"
		})
	}
	for _, size := range []string{"3000000000", "1000000000000"} {
		add("rows-of-"+size, func() string {
			return "double a[" + size + "][" + size + "];\nvoid kernel(void) { for (long i = 0; i < 1000; i++) a[i][i] = 1; }\n"
		})
	}
	for _, size := range []string{"-1", "9223372036854775807", "18446744073709551615", "1UL<<63"} {
		add("malloc-of-"+strings.ReplaceAll(size, "<<", "-left-"), func() string {
			return "#include <stdlib.h>\nvoid kernel(void) { double *a = malloc(" + size + "); for (int i = 0; i < 1000; i++) a[i] = 1; }\n"
		})
	}
	return all
}

// nestOf is a nest of n loops of so many rounds, with a subscript of all.
func nestOf(n, rounds int) string {
	var b strings.Builder
	sum := "0"
	for i := range n {
		fmt.Fprintf(&b, "for (int i%[1]d = 0; i%[1]d < %[2]d; i%[1]d++)\n", i, rounds)
		sum += fmt.Sprintf(" + i%d", i)
	}
	return b.String() + "a[" + sum + "] = 1;"
}

// lexicalCases are files that are hardly text, hardly C, or declare things by themselves.
func lexicalCases() []Case {
	files := []struct {
		name string
		make Text
	}{
		{"empty", text("")},
		{"one-byte", text("x")},
		{"zeros", repeat("", "\x00", 1<<20, "")},
		{"zeros-after-a-program", repeat(around(sweep), "\x00", 1<<20, "")},
		{"invalid-utf-8", repeat(around(sweep), "\xff\xfe", 1<<18, "")},
		{"comment-without-end", repeat(around(sweep)+"/*", "x", 1<<20, "")},
		{"string-without-end", repeat(around(sweep)+"\"", "x", 1<<20, "")},
		{"character-without-end", repeat(around(sweep)+"'", "x", 1<<20, "")},
		{"quotes", repeat(around(sweep), "'\"", 1<<19, "")},
		{"backslashes", repeat(around(sweep), "\\", 1<<20, "")},
		{"backslash-lines", repeat(around(sweep), "\\\n", 1<<19, "")},
		{"empty-lines", repeat("", "\n", 4<<20, around(sweep))},
		{"comment-openers", repeat(around(sweep), "/*/", 1<<18, "")},
		{"line-comments", repeat("", "//\n", 1<<20, around(sweep))},
		{"trigraphs", repeat("", "??/\n", 1<<18, around(sweep))},
		{"name-of-4-MiB", repeat("int ", "x", 4<<20, ";\n"+around(sweep))},
		{"number-of-1-MiB", repeat("int x = ", "9", 1<<20, ";\n"+around(sweep))},
		{"float-of-1-MiB", repeat("double x = 0.", "9", 1<<20, ";\n"+around(sweep))},
		{"exponent-of-1000-digits", repeat("double x = 1e", "9", 1000, ";\n"+around(sweep))},
		{"hexadecimal-float", text("double x = 0x1p99999999999;\n" + around(sweep))},
		{"string-of-4-MiB", repeat("char *s = \"", "x", 4<<20, "\";\n"+around(sweep))},
		{"semicolons", repeat(around(sweep), ";", 4<<20, "")},
		{"opening-brackets", repeat(around(sweep), "(", 1<<20, "")},
		{"closing-brackets", repeat(around(sweep), ")", 1<<20, "")},
		{"opening-braces", repeat(around(sweep), "{", 1<<20, "")},
		{"mixed-brackets", repeat(around(sweep), "([{)]}", 1<<17, "")},
		{"hashes", repeat(around(sweep), "#", 1<<20, "")},
		{"hash-lines", repeat("", "#\n", 1<<19, around(sweep))},
		{"stars", repeat(around(sweep), "*", 1<<20, "")},
		{"ints", repeat(around(sweep), "int ", 1<<18, "")},
		{"word-int-x", repeat(around(sweep), "int x;", 1<<17, "")},
		{"struct-without-end", repeat(around(sweep)+"struct s {", "int x;", 1<<17, "")},
		{"longer-than-any-source", repeat("", "int x;\n", 3<<20, "")},
		{"array-of-an-undefined-structure", text("struct t x[] = {{1, 2}};\n" + around(sweep))},
		{"structure-of-itself", text("struct t { struct t x; } y;\n" + around(sweep))},
		{"two-structures-of-each-other", text("struct u; struct t { struct u x; }; struct u { struct t x; } y;\n" + around(sweep))},
		{"typedef-of-itself", text("typedef t t;\nt x;\n" + around(sweep))},
		{"typeof-itself", text("typeof(x) x;\n" + around(sweep))},
		{"sizeof-itself", text("int x[sizeof(x)];\n" + around(sweep))},
		{"enum-of-itself", text("enum { e = e + 1 };\n" + around(sweep))},
		{"value-of-itself", text("int x = x;\nvoid k(double *a) { for (int i = 0; i < x; i++) a[i] = 1; }\n")},
		{"asm", text("void k(void) { asm(\"nop\" : : : \"memory\"); }\n" + around(sweep))},
		{"functions-of-knr", text("f(a, b) int a; double *b; { for (; a < 10; a++) b[a] = 1; }\n")},
		{"goto-without-end", kernel("x: a[0] += 1; goto x;\n" + sweep)},
		{"redefined", text(around(sweep) + around(sweep))},
	}
	var all []Case
	for _, f := range files {
		all = append(all, predicted("text/"+f.name, "a.c", either, f.make))
	}
	return all
}
