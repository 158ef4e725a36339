package nest_test

import (
	"fmt"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// TestManyReferences finds the next use of every access by walking, and compares: of more references to one array than candidates are
// listed for, of many at one place, and of more nests than there is a table for.
func TestManyReferences(t *testing.T) {
	var places, nests, shapes strings.Builder
	for k := range 600 {
		fmt.Fprintf(&places, "A[%d * i + %d] += A[%d];\n", 1+k%3, k*37%600, k)
	}
	for k := range 2100 {
		fmt.Fprintf(&nests, "for (int j = 0; j < 2; j++) A[%d * j + %d] = i;\n", k%5, k*11%700)
	}
	for _, nest := range []string{"for (int j = i; j < 6; j++) {\n", "for (int j = 0; j < 4; j++) {\n", "for (int j = 1; j < 3; j++) for (int l = 0; l < j; l++) {\n"} {
		shapes.WriteString(nest)
		for k := range 25 {
			fmt.Fprintf(&shapes, "A[%d * i - %d * j + %d] += A[%d * j + %d];\n", 20*(k%2), k%4, 100+k*9, 1+k%3, k*17)
			if k%5 == 0 {
				fmt.Fprintf(&shapes, "if (j > %d) A[(7 * j + %d) / 3] = 1;\n", k%3, k)
			}
		}
		shapes.WriteString("}\n")
	}
	for name, body := range map[string]string{
		"shapes":      shapes.String(),
		"many places": places.String(), "one place": strings.Repeat("A[i] += A[8];\nA[2 * i] = 1;\n", 150), "many nests": nests.String(),
	} {
		text := "double A[3000];\nvoid f(void)\n{\n    for (int i = 0; i < 3; i++) {\n" + body + "    }\n}\n"
		unit, err := csource.Load("k.c", []byte(text), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := nest.NewStream(unit.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		var lines []int64
		s.Each(func(p nest.Place) bool {
			lines = append(lines, p.Line)
			return true
		})
		next, last := make([]int64, len(lines)), map[int64]int64{}
		for i := len(lines) - 1; i >= 0; i-- {
			next[i] = nest.Never
			if at, ok := last[lines[i]]; ok {
				next[i] = at
			}
			last[lines[i]] = int64(i)
		}
		k := s.Cursor()
		for i := 0; i < len(lines); i += 7 {
			k.At(int64(i))
			use, err := k.Next()
			if err != nil || use.Position != next[i] {
				t.Fatalf("%s: after access %d of %d: %d, %v, by walking %d", name, i, len(lines), use.Position, err, next[i])
			}
		}
	}
}
