package csource

import (
	"errors"
	"strings"
	"testing"
)

// wrong are inputs that cannot be read, and what is said about them. Each source is in a.c unless it is a
// statement, which stands in a function on line 2 with some arrays and variables.
var wrong = []struct{ name, src, want string }{
	{
		"indirect",
		`for (int i = 0; i < n; i++) A[P[i]] = 0;`,
		"a.c:4:29: subscript A[P[i]] depends on data; let a run tell what it is, or run and trace it instead",
	},
	{
		"indirect flat",
		`for (int i = 0; i < n; i++) A[i + 2 * P[i]] = B[i][0];`,
		"a.c:4:29: subscript A[i + 2 * P[i]] depends on data; let a run tell what it is, or run and trace it instead",
	},
	{
		"indirect pointer",
		`for (int i = 0; i < n; i++) *(A + P[i]) = 0;`,
		"a.c:4:31: subscript A + P[i] depends on data; let a run tell what it is, or run and trace it instead",
	},
	{
		"data scalar subscript",
		`for (int i = 0; i < n; i++) { int m = P[i]; A[m] = 0; }`,
		"a.c:4:45: subscript A[m] depends on data; let a run tell what it is, or run and trace it instead",
	},
	{
		"counted subscript",
		`int c = 0; for (int i = 0; i < n; i++) if (A[i] > 0) A[c++] = 0;`,
		"a.c:4:54: subscript A[c++] changes a variable; compute it from the loop variables, or run and trace it instead",
	},
	{
		"data bound",
		`for (int i = 0; i < P[0]; i++) A[i] = 0;`,
		"a.c:4:21: the value of P[0] is not known; define it, such as P[0]=1000",
	},
	{
		"data start",
		`for (int i = P[3]; i < 5; i++) A[i] = 0;`,
		"a.c:4:14: the value of P[3] is not known; define it, such as P[3]=1000",
	},
	{
		"negative dimension",
		`int m = -2; double v[m]; for (int i = 0; i < n; i++) v[i] = 0;`,
		"a.c:4:54: an array of type array of double has a dimension of -2 elements; check the definitions given",
	},
	{
		"negative inner dimension",
		`int m = -2; double v[n][m]; for (int i = 0; i < n; i++) v[i][0] = 0;`,
		"a.c:4:57: an array of type array of array of double has a dimension of -2 elements; check the definitions given",
	},
	{
		"unknown parameter",
		`for (int i = 0; i < k; i++) A[i] = 0;`,
		"a.c:4:21: the value of k is not known; define it, such as k=1000",
	},
	{
		"unknown global",
		`int m; void h(void) { extern double A[]; for (int i = 0; i < m; i++) A[i] = 0; }`,
		"a.c:1:62: the value of m is not known; define it, such as m=1000",
	},
	{
		"no condition",
		`for (int i = 0; ; i++) A[i] = 0;`,
		"a.c:4:1: how often this for loop runs is not known; step one integer or pointer by a constant up to a bound, or run and trace it instead",
	},
	{
		"float loop",
		`for (double y = 0; y < 3; y *= 1) A[0] = y;`,
		"a.c:4:1: how often this for loop runs is not known; step one integer or pointer by a constant up to a bound, or run and trace it instead",
	},
	{
		"two steps",
		`int j; for (int i = j = 0; i < n; i++, j++) A[j] = 0;`,
		"a.c:4:8: how often this for loop runs is not known; step one integer or pointer by a constant up to a bound, or run and trace it instead",
	},
	{
		"variable step",
		`for (int i = 0; i < n; i += k) A[i] = 0;`,
		"a.c:4:29: the value of k is not known; define it, such as k=1000",
	},
	{
		"changed variable",
		`for (int i = 0; i < n; i++) { A[i] = 0; if (A[i] > 1) i++; }`,
		"a.c:4:1: how often this for loop runs is not known; step one integer or pointer by a constant up to a bound, or run and trace it instead",
	},
	{
		"wrong direction",
		`for (int i = 0; i > -1; i++) A[i] = 0;`,
		"a.c:4:1: the condition i > -1 does not end the loop; bound the loop variable in the direction of its step",
	},
	{
		"unsigned",
		`for (unsigned i = 8; i >= 0; i--) A[i] = 0;`,
		"a.c:4:1: i >= 0 always holds: i is unsigned; count with a signed type",
	},
	{
		"skips its end",
		`for (int i = 0; i != 7; i += 2) A[i] = 0;`,
		"a.c:4:1: i != 7 may step over its end; use < or >",
	},
	{
		"ring of threads",
		"int h = 0;\n#pragma omp parallel for firstprivate(h)\nfor (int i = 0; i < n; i++) { A[h] = 0; h = (h + 1) % 7; }",
		"a.c:6:33: the value of h is not known here: it changes while the program runs; compute it from the loop variables, or run and trace it instead",
	},
	{
		"counter of each thread",
		"int h = 0;\n#pragma omp parallel for firstprivate(h)\nfor (int i = 0; i < n; i++) { p[h] = 0; h++; }",
		"a.c:6:33: the value of h is not known here: it changes while the program runs; compute it from the loop variables, or run and trace it instead",
	},
	{
		"pointer of each thread",
		"double *r = A;\n#pragma omp parallel for firstprivate(r)\nfor (int i = 0; i < n; i++) *r++ = 0;",
		"a.c:6:30: the pointer r changes (stepped, or swapped with another); work on one array with one more dimension, or run and trace it instead",
	},
	{
		"break in what a goto repeats",
		`for (int k = 0; k < 4; k++) { int j = 0; again: A[j] = 0; if (j == 3) break; j++; if (j < 9) goto again; }`,
		"a.c:4:94: goto again jumps back; write it as a loop, or run and trace it instead",
	},
	{
		"strange condition",
		`for (int i = 0; i * (i - 70) < n; i++) A[i] = 0;`,
		"a.c:4:1: the loop condition i * (i - 70) < n is not understood; compare the loop variable with its last value",
	},
	{
		"or condition",
		`for (int i = 0; i < 4 || i % 7; i++) A[i] = 0;`,
		"a.c:4:1: the loop condition i < 4 || i % 7 is not understood; compare the loop variable with its last value",
	},
	{
		"loops by the hundred",
		`double A[9]; void f(void) { int i = 0; ` + strings.Repeat("do { A[0] = 1; i++; ", 100) + strings.Repeat("} while (i < 90);", 100) + " }",
		"a.c:1:43: loops and calls nest so that following them takes too long; run and trace it instead",
	},
	{
		"goto",
		`for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { A[j] = 0; if (j == i) goto end; } end: ;`,
		"a.c:4:81: goto in a loop: exits from loops are not read where they depend on loop variables or on nothing; run and trace it instead",
	},
	{
		"return by a loop variable",
		`for (int i = 0; i < n; i++) { A[i] = 0; if (i == 3) return; } A[0] = 1;`,
		"a.c:4:53: return in a loop: exits from loops are not read where they depend on loop variables or on nothing; run and trace it instead",
	},
	{
		"array of pointers",
		`double **R, X[9], Y[9]; void h(void) { R[0] = X; R[1] = Y; for (int i = 0; i < 9; i++) R[i][0] = 0; }`,
		"a.c:1:88: where R[i] points is not known: it is a pointer kept in memory; keep the rows in one block: double (*A)[n], or run and trace it instead",
	},
	{
		"chosen pointer",
		`double *r = x > 0 ? p : q; for (int i = 0; i < n; i++) r[i] = 0;`,
		"a.c:4:13: where x > 0 ? p : q points is not known before the run; use two loops, or run and trace it instead",
	},
	{
		"unknown function",
		`for (int i = 0; i < n; i++) f2(A, i);`,
		"a.c:3:6: g makes no accesses to arrays in loops; choose another region",
	},
	{
		"recursion",
		`double A[9]; void r(int d) { for (int i = 0; i < 9; i++) A[i] = 0; r(d - 1); }`,
		"a.c:1:68: r calls itself; run and trace it instead",
	},
	{
		"mutual recursion",
		`double A[9]; void s(int d); void r(int d) { s(d); } void s(int d) { for (int i = 0; i < 9; i++) { A[i] = 0; r(i); } }`,
		"a.c:1:45: s calls itself; run and trace it instead",
	},
	{
		"thread number",
		`#include <omp.h>
double A[9];
void h(void) {
#pragma omp parallel
 { int t = omp_get_thread_num(); A[t] = 0; for (int i = t; i < 9; i += 2) A[i] = 0; } }`,
		"a.c:5:44: omp_get_thread_num or omp_get_num_threads decides which iterations each thread does; let omp for deal the iterations, or run and trace it instead",
	},
	{
		"number of threads",
		`#include <omp.h>
double A[9];
void h(void) {
#pragma omp parallel
 for (int i = 0; i < omp_get_num_threads(); i++) A[i] = 0; }`,
		"a.c:5:2: omp_get_thread_num or omp_get_num_threads decides which iterations each thread does; let omp for deal the iterations, or run and trace it instead",
	},
	{
		"directive that is not understood",
		`double A[9];
void h(void) {
#pragma omp dispatch
 for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:9: omp dispatch is not understood; write it with omp for, or run and trace it instead",
	},
	{
		"section by itself",
		`double A[9];
void h(void) {
#pragma omp parallel
{
#pragma omp section
 for (int i = 0; i < 9; i++) A[i] = 0; } }`,
		"a.c:5:9: omp section by itself; put it into omp sections",
	},
	{
		"sections without a block",
		`double A[9];
void h(void) {
#pragma omp parallel sections
 for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:9: omp parallel sections is not before a block; put it before a block",
	},
	{
		"sections in a loop that is dealt",
		`double A[9];
void h(void) {
#pragma omp parallel for
 for (int i = 0; i < 9; i++) {
#pragma omp sections
 { A[i] = 0; } } }`,
		"a.c:5:9: omp sections within a worksharing loop; close the loop's construct first",
	},
	{
		"not before a loop",
		`double A[9];
void h(void) {
#pragma omp parallel for
 A[0] = 0; for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:9: omp parallel for is not before a loop; put it before a for loop",
	},
	{
		"before a brace",
		`double A[9];
void h(void) { for (int i = 0; i < 9; i++) A[i] = 0;
#pragma omp parallel for
}`,
		"a.c:3:9: omp parallel for without a statement; put it before a statement",
	},
	{
		"collapse imperfect",
		`double A[9][9];
void h(void) {
#pragma omp parallel for collapse(2)
 for (int i = 0; i < 9; i++) { A[i][0] = 1; for (int j = 0; j < 9; j++) A[i][j] = 0; } }`,
		"a.c:3:9: collapse(2) needs as many perfectly nested loops; collapse fewer loops",
	},
	{
		"collapse triangular",
		`double A[9][9];
void h(void) {
#pragma omp parallel for collapse(2)
 for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) A[i][j] = 0; }`,
		"a.c:3:9: collapse(2) over bounds that depend on i; collapse fewer loops",
	},
	{
		"collapse unknown",
		`double A[9][9];
void h(int c) {
#pragma omp parallel for collapse(c)
 for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) A[i][j] = 0; }`,
		"a.c:3:9: collapse(c) is not known; give a number",
	},
	{
		"schedule unknown",
		`double A[9];
void h(void) {
#pragma omp parallel for schedule(fast)
 for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:9: schedule(fast) is not known; use static, dynamic or guided",
	},
	{
		"chunk unknown",
		`double A[9];
void h(int c) {
#pragma omp parallel for schedule(static, c)
 for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:9: the chunk c is not known; give a number or a macro",
	},
	{
		"for in for",
		`double A[9][9];
void h(void) {
#pragma omp parallel for
 for (int i = 0; i < 9; i++)
#pragma omp for
 for (int j = 0; j < 9; j++) A[i][j] = 0; }`,
		"a.c:5:9: omp for within a worksharing loop; close the inner loop's construct first",
	},
	{
		"barrier in for",
		`double A[9];
void h(void) {
#pragma omp parallel for
 for (int i = 0; i < 9; i++) {
#pragma omp barrier
 A[i] = 0; } }`,
		"a.c:5:9: a barrier in a worksharing loop; move it out of the loop",
	},
	{
		"pragma in a macro",
		`#define PAR _Pragma("omp parallel for")
double A[9];
void h(int x) { if (x) PAR for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:24: a _Pragma in a macro that is not before a statement of a block; put braces around the two, or write it as #pragma on a line of its own",
	},
	{
		"unknown directive",
		`double A[9];
void h(void) {
#pragma omp paralel for
 for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:3:9: omp paralel is not understood; write it with omp for, or run and trace it instead",
	},
	{
		"missing include",
		`#include "none.h"
void h(void) { }`,
		"a.c:1:10: include file none.h not found; name the folder that holds it",
	},
	{
		"header that is not there, and a type of it",
		"#include <stdio.h>\n#include <solver.h>\nvoid h(solver_t *s) { for (int i = 0; i < 9; i++) s->x[i] = 0; }",
		"a.c:2:10: include file solver.h not found; name the folder that holds it\na.c:3:17: unexpected '*', expected ')'",
	},
	{
		"intrinsics of ARM",
		`#include <arm_neon.h>
void h(void) { }`,
		"a.c:1:1: arm_neon.h is not read from source (vector intrinsics); write plain loops, or run and trace it instead",
	},
	{
		"syntax",
		`void h(void) { for (int i = 0; i < 9; i++ A[i] = 0; }`,
		"a.c:1:20: ( is not closed",
	},
	{
		"undeclared",
		`void h(void) { for (int i = 0; i < 9; i++) Z[i] = 0; }`,
		"a.c:1:44: Z is not declared; define it, such as Z=1000, or declare it",
	},
	{
		"file that ends in a declaration",
		"void f(void) {}\ndouble b =",
		"a.c: the file ends before a declaration or statement does",
	},
	{
		"nothing",
		`void h(void) { }`,
		"a.c: no function holds loops over arrays; give the file with the loops, or, where functions that call themselves or jumps (goto) repeat the work, run and trace it instead",
	},
	{
		"empty",
		`int main;`,
		"a.c: no function holds loops over arrays; give the file with the loops, or, where functions that call themselves or jumps (goto) repeat the work, run and trace it instead",
	},
	{
		"overflow",
		`for (long i = 0; i < 4000000000L * 4000000000L; i++) A[0] = 0;`,
		"a.c:4:22: the integer 4000000000L * 4000000000L overflows; use smaller sizes",
	},
	{
		"division by zero",
		`int z = 0; for (int i = 0; i < n / z; i++) A[i] = 0;`,
		"a.c:4:32: division by zero in n / z",
	},
	{
		"large constant",
		`for (unsigned long i = 0; i < 18446744073709551615UL; i++) A[0] = 0;`,
		"a.c:4:31: the constant 18446744073709551615UL is too large; use smaller numbers",
	},
	{
		"memcpy size",
		`#include <string.h>
double A[9];
void h(int m) { for (int i = 0; i < 9; i++) memcpy(A, A + 1, m * sizeof(double)); }`,
		"a.c:3:62: the value of m is not known; define it, such as m=1000",
	},
	{
		"struct result",
		`struct s { double x[2]; } ; struct s mk(int i) { struct s r; r.x[0] = i; return r; }
double A[9];
void h(void) { for (int i = 0; i < 9; i++) A[i] = mk(i).x[0]; }`,
		"a.c:3:51: mk(i) is no array element that can be followed; run and trace it instead",
	},
	{
		"inner function",
		`void h(void) { double A[9]; void in(void) { } for (int i = 0; i < 9; i++) A[i] = 0; }`,
		"a.c:1:29: a function within a function; move it to the file's level",
	},
	{
		"assembler that sets a number",
		`for (int i = 0; i < n; i++) { int k; __asm__("" : "=r"(k)); A[k] = 0; }`,
		"a.c:4:38: assembler; run and trace it instead",
	},
	{
		"assembler",
		`for (int i = 0; i < n; i++) { A[i] = 0; __asm__("nop"); }`,
		"a.c:4:41: assembler; run and trace it instead",
	},
	{
		"too many",
		`double A[99]; void f0(int n) { for (int i = 0; i < n; i++) { A[i] = 0; } }
void f1(int n) { for (int i = 0; i < n; i++) { f0(9); f0(9); f0(9); f0(9); f0(9); f0(9); f0(9); f0(9); f0(9); } }
void f2(int n) { for (int i = 0; i < n; i++) { f1(9); f1(9); f1(9); f1(9); f1(9); f1(9); f1(9); f1(9); f1(9); } }
void f3(int n) { for (int i = 0; i < n; i++) { f2(9); f2(9); f2(9); f2(9); f2(9); f2(9); f2(9); f2(9); f2(9); } }
void f4(int n) { for (int i = 0; i < n; i++) { f3(9); f3(9); f3(9); f3(9); f3(9); f3(9); f3(9); f3(9); f3(9); } }
void f5(int n) { for (int i = 0; i < n; i++) { f4(9); f4(9); f4(9); f4(9); f4(9); f4(9); f4(9); f4(9); f4(9); } }
void f6(int n) { for (int i = 0; i < n; i++) { f5(9); f5(9); f5(9); f5(9); f5(9); f5(9); f5(9); f5(9); f5(9); } }
void kernel_x(void) { f6(9); }`,
		"a.c:8:6: more than 5000 statements after inlining; run and trace it instead",
	},
}

const around = "#include <math.h>\ndouble A[9999], B[9][9]; int P[9]; double f(double);\nvoid g(double *p, double *q, int n, int k, double x) {\n%\n}\n"

func TestErrors(t *testing.T) {
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			src := c.src
			if !strings.Contains(src, "void ") && !strings.Contains(src, "main") {
				src = strings.Replace(around, "%", src, 1)
			}
			_, err := Load("a.c", []byte(src), Options{Defines: []string{"n=8"}})
			if err == nil {
				t.Fatalf("no error; want %s", c.want)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("not an *Error: %T", err)
			}
		})
	}
}
