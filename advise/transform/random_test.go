package transform_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"foresee/advise/transform"
	"foresee/application/csource"
	"foresee/application/nest"
)

// writer makes random nests: loops with bounds that may depend on one another, elements of few small arrays with linear subscripts, variables.
type writer struct {
	*rand.Rand
	b      strings.Builder
	vars   []string
	scalar bool
	loops  int
}

const extent = 40 // of each dimension; loops stay within 8 … 16, and subscripts add at most twice that

func (w *writer) pick(all ...string) string { return all[w.IntN(len(all))] }

// subscript is a linear form of the loops' variables within the arrays.
func (w *writer) subscript() string {
	if len(w.vars) == 0 || w.IntN(12) == 0 {
		return strconv.Itoa(w.IntN(20))
	}
	v := w.vars[w.IntN(len(w.vars))]
	switch w.IntN(9) {
	case 0:
		return v + " + " + strconv.Itoa(1+w.IntN(3))
	case 1, 2:
		return v + " - " + strconv.Itoa(1+w.IntN(3))
	case 3:
		return v + " + " + w.vars[w.IntN(len(w.vars))]
	case 4:
		return strconv.Itoa(extent-9) + " - " + v
	}
	return v
}

func (w *writer) element() string {
	switch name := w.pick("A", "B", "X", "Y"); name {
	case "A", "B":
		return name + "[" + w.subscript() + "][" + w.subscript() + "]"
	default:
		return name + "[" + w.subscript() + "]"
	}
}

func (w *writer) value() string {
	v := w.element()
	for range w.IntN(3) {
		v += w.pick(" + ", " * ", " - ") + w.element()
	}
	if w.scalar && w.IntN(3) == 0 {
		v += " + t"
	}
	return v
}

func (w *writer) statement(indent string) {
	switch k := w.IntN(10); {
	case k < 4:
		fmt.Fprintf(&w.b, "%s%s %s %s;\n", indent, w.element(), w.pick("+=", "+=", "-=", "*="), w.value())
	case k == 4 && len(w.vars) > 0:
		fmt.Fprintf(&w.b, "%st = %s;\n%s%s = t + %s;\n", indent, w.value(), indent, w.element(), w.value())
	case k == 5 && len(w.vars) > 0:
		fmt.Fprintf(&w.b, "%sif (%s < %d)\n%s    %s = %s;\n", indent, w.vars[w.IntN(len(w.vars))], 9+w.IntN(6), indent, w.element(), w.value())
	case k == 6 && len(w.vars) > 0:
		fmt.Fprintf(&w.b, "%st += %s;\n", indent, w.value())
	default:
		fmt.Fprintf(&w.b, "%s%s = %s;\n", indent, w.element(), w.value())
	}
}

func (w *writer) loop(indent string, depth int) {
	v := "i" + strconv.Itoa(len(w.vars))
	low, high := strconv.Itoa(8+w.IntN(2)), strconv.Itoa(13+w.IntN(4))
	if len(w.vars) > 0 && w.IntN(4) == 0 {
		o := w.vars[w.IntN(len(w.vars))]
		switch w.IntN(3) {
		case 0:
			low = o
		case 1:
			low = o + " + 1"
		default:
			high = o
		}
	}
	head := fmt.Sprintf("for (int %s = %s; %s < %s; %s++)", v, low, v, high, v)
	switch w.IntN(8) {
	case 0:
		head = fmt.Sprintf("for (%s = %s; %s <= %s; %s++)", "g"+v, low, "g"+v, high, "g"+v)
		v = "g" + v
	case 1:
		head = fmt.Sprintf("for (int %s = %s - 1; %s >= %s; %s--)", v, high, v, low, v)
	case 2:
		head = fmt.Sprintf("for (int %s = %s; %s < %s; %s += 2)", v, low, v, high, v)
	}
	w.loops++
	w.vars = append(w.vars, v)
	w.b.WriteString(indent + head)
	if depth > 1 && w.IntN(2) == 0 { // perfectly nested
		w.b.WriteString("\n")
		w.loop(indent+"    ", depth-1)
	} else {
		w.b.WriteString(" {\n")
		for range 1 + w.IntN(3) {
			if depth > 1 && w.IntN(2) == 0 {
				w.loop(indent+"    ", depth-1)
			} else {
				w.statement(indent + "    ")
			}
		}
		w.b.WriteString(indent + "}\n")
	}
	w.vars = w.vars[:len(w.vars)-1]
}

func program(seed uint64) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 26))}
	w.scalar = w.IntN(2) == 0
	fmt.Fprintf(&w.b, "double A[%d][%d], B[%d][%d], X[%d], Y[%d];\n\nvoid kernel_random(double t)\n{\n    int gi0, gi1, gi2;\n", extent, extent, extent, extent, extent, extent)
	for range 1 + w.IntN(3) {
		w.loop("    ", 1+w.IntN(3))
	}
	w.b.WriteString("}\n")
	return w.b.String()
}

func loaded(name, text string) (*nest.Program, error) {
	u, err := csource.Load(name, []byte(text), csource.Options{})
	if err != nil {
		return nil, err
	}
	return u.Programs[0], nil
}

// TestWavefronts runs two loops of recurrences along diagonals, also with the iterations of each backwards; a dependence that goes back in the inner loop forbids it.
func TestWavefronts(t *testing.T) {
	for statement, legal := range map[string]bool{
		"A[i][j] = A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]": true,
		"A[i][j] = A[i - 1][j - 1] + A[i - 2][j] + A[i][j - 3]":           true,
		"A[i][j] = A[i - 1][j + 1] + A[i][j - 1]":                         false, // to the diagonal that it comes from
		"A[i][j] = A[i - 1][j] + X[j]":                                    false, // the inner loop is parallel as it stands
	} {
		text := "double A[20][20], X[20];\n\nvoid kernel_wave(void)\n{\n    int i, j;\n    for (i = 3; i < 17; i++)\n        for (j = 4; j <= 15; j++)\n            " + statement + ";\n}\n"
		p, err := loaded("wave.c", text)
		if err != nil {
			t.Fatal(err)
		}
		want, found := computed(p, false), false
		for _, c := range every(t, "wave.c", text, nil, 3) {
			if c.Kind != transform.Skewing {
				continue
			}
			found = true
			q, err := loaded("wave.c", c.Text)
			if err != nil {
				t.Fatal(err)
			}
			for _, backward := range []bool{false, true} {
				if !maps.Equal(computed(q, backward), want) {
					t.Errorf("%s computes otherwise (backwards: %v)\n%s", statement, backward, c.Text)
				}
			}
		}
		if found != legal {
			t.Errorf("%s: skewed %v, want %v", statement, found, legal)
		}
	}
}

// TestRandomNests makes every change that is called legal of random nests, and runs both: what they compute is the same, also where the iterations
// that are dealt to threads run backwards. FORESEE_NESTS is how many.
func TestRandomNests(t *testing.T) {
	nests := 60
	if n, err := strconv.Atoi(os.Getenv("FORESEE_NESTS")); err == nil {
		nests = n
	}
	kinds := map[transform.Kind]int{}
	for seed := range uint64(nests) {
		text := program(seed)
		if seed%2 == 1 {
			text = joined(text)
		}
		p, err := loaded("random.c", text)
		if err != nil {
			continue
		}
		want := computed(p, false)
		for _, c := range every(t, "random.c", text, nil, 3) {
			q, err := loaded("random.c", c.Text)
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s\n%s", seed, c.Title, err, text, c.Text)
			}
			kinds[c.Kind]++
			for _, backward := range []bool{false, true} {
				if got := computed(q, backward); !maps.Equal(got, want) {
					t.Fatalf("seed %d: %s at line %d computes otherwise (backwards: %v)\n%s\n%s", seed, c.Title, c.Line, backward, text, c.Text)
				}
			}
		}
	}
	t.Log(kinds)
	for _, k := range []transform.Kind{transform.Interchange, transform.Distribution, transform.Fusion, transform.Tiling, transform.Temporary, transform.Parallel, transform.UnrollJam} {
		if kinds[k] == 0 {
			t.Errorf("%s was tried %d times", k, kinds[k])
		}
	}
}

// joined is a program with all on one line that may be: directives keep theirs.
func joined(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString("\n" + line)
			continue
		}
		b.WriteString(strings.TrimSpace(line) + " ")
	}
	return b.String() + "\n"
}
