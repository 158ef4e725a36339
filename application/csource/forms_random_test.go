package csource

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// formWriter writes functions of nested loops with counters, drawn at random.
type formWriter struct {
	*rand.Rand
	loops int
}

func (w *formWriter) of(all ...string) string { return all[w.IntN(len(all))] }

// atom is a number, a counter or a loop variable.
func (w *formWriter) atom(vars []string) string {
	return w.of(append([]string{"a", "b", fmt.Sprint(w.IntN(9)), "t[" + w.of(append(slices.Clone(vars), "a", "1")...) + " & 3]"}, vars...)...)
}

// index is a subscript between -8000 and 8000.
func (w *formWriter) index(vars []string) string {
	x, y, v := w.atom(vars), w.atom(vars), w.of(vars...)
	return w.of(x, x+" + "+y, x+" - "+y, "3 * "+x, v+" * ("+v+" + 1) / 2 + "+x, v+" * "+w.of(vars...), "("+x+" + "+y+") % 7", "("+x+" - "+y+") % 5", "(int)(p - A) % 9")
}

// step changes a counter, or the pointer.
func (w *formWriter) step(vars []string) string {
	k, v, m := w.of("a", "b"), w.of(vars...), 2+w.IntN(9)
	return w.of(k+"++;", k+" += "+w.atom(vars)+";", k+"--;", fmt.Sprintf("%s = (%s + %d) %% %d;", k, k, 1+w.IntN(4), m), fmt.Sprintf("if (++%s >= %d) %s = 0;", k, m, k),
		k+" ^= 1;", fmt.Sprintf("%s = %d - %s;", k, m, k), "a += b;", "{ int c = a; a = b; b = c; }", fmt.Sprintf("if (%s %% %d == 0) %s++;", v, m, k), "p++;", "*p++ = 1;", "p += "+v+";",
		fmt.Sprintf("if (++p == A + 9000 + %d) p = A + 9000;", m), k+" = "+v+";")
}

// twice is the head of a loop that ends by either of two counters.
func (w *formWriter) twice(v, lo, hi string, vars []string) string {
	from, to := w.of(append(slices.Clone(vars), "0", "2")...), 2+w.IntN(30)
	head := w.of(fmt.Sprintf("V = %s, Vb = %s; V < %s && Vb < %d; V += %d, Vb += %d", lo, from, hi, to, 1+w.IntN(3), 1+w.IntN(3)),
		fmt.Sprintf("V = %s, Vb = %d; V < %s && Vb >= %s; V += %d, Vb -= %d", lo, to, hi, from, 1+w.IntN(3), 1+w.IntN(3)),
		fmt.Sprintf("V = %s, Vb = 0; V < %s && Vb != %d; V += %d, Vb++", lo, hi, to, 1+w.IntN(3)))
	return "for (int " + strings.ReplaceAll(head, "V", v) + ")"
}

// loop is one with all that is in it.
func (w *formWriter) loop(vars []string, depth int) string {
	v, end := fmt.Sprintf("i%d", w.loops), fmt.Sprint(3+w.IntN(40/depth/depth))
	w.loops++
	within := append(slices.Clone(vars), v)
	var body strings.Builder
	for range 1 + w.IntN(3) {
		switch {
		case depth < 3 && w.IntN(3) == 0:
			body.WriteString(w.loop(within, depth+1))
		case w.IntN(2) == 0:
			body.WriteString(w.step(within) + " ")
		}
		body.WriteString(w.of("A[9000 + "+w.index(within)+"] = 1; ", "*p += 1; "))
	}
	lo, hi := w.of(append(slices.Clone(vars), "0", "1")...), w.of(append(slices.Clone(vars), end, end)...)
	by := w.of(append(slices.Clone(vars), "1", "2")...)
	head := w.of(fmt.Sprintf("for (int %[1]s = %[2]s; %[1]s < %[3]s; %[1]s++)", v, lo, hi), fmt.Sprintf("for (int %[1]s = %[2]s; %[1]s <= %[3]s; %[1]s += 3)", v, lo, hi),
		fmt.Sprintf("for (int %[1]s = %[3]s; %[1]s >= %[2]s; %[1]s--)", v, lo, hi), fmt.Sprintf("for (int %[1]s = %[2]s; %[1]s < %[3]s; %[1]s += %[4]s + 1)", v, lo, end, by),
		fmt.Sprintf("for (int %[1]s = 1; %[1]s * %[1]s < %[2]s; %[1]s++)", v, end), fmt.Sprintf("for (int %[1]s = 1; %[1]s < %[2]s; %[1]s *= 2)", v, end), w.twice(v, lo, hi, vars))
	return head + " { " + body.String() + "} "
}

// TestRandomForms compares the accesses of such functions, where they are read as a whole, with those that they make when they run.
func TestRandomForms(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a compiler")
	}
	gcc, rt := compilerAndRuntime(t)
	const most = 60
	read := 0
	for seed := range uint64(most) {
		w := &formWriter{Rand: rand.New(rand.NewPCG(seed, 7))}
		text := "double A[18000];\nstatic const int t[4] = { 3, -1, 4, 2 };\nvoid f(void) { int a = 2, b = 5; double *p = A + 9000; " + w.loop(nil, 1) + "}\n"
		u, err := Load("f.c", []byte(text), Options{Regions: []string{"f"}})
		if err != nil || len(u.Programs[0].Left)+len(u.Programs[0].Warnings) > 0 {
			continue
		}
		read++
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			got := slices.DeleteFunc(run(u.Programs[0]), func(a touch) bool { return a.object == "t" }) // gcc does not tell of constants
			checkOrder(t, got, runForm(t, gcc, []byte(text), rt, map[string]int64{"A": 18000 * 8}))
			if t.Failed() {
				t.Log(text)
			}
		})
	}
	if read < most/3 {
		t.Errorf("only %d of %d are read", read, most)
	}
}
