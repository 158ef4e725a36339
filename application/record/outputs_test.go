package record

import (
	"io"
	"testing"
)

func TestCompareOutputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, got, want, unlike string
		anyOrder                bool
		line                    int // of the difference; 0: none
	}{
		{"alike", "a 1\nb 2\n", "a 1\nb 2\n", "", false, 0},
		{"blanks count once", "energy =   1.5\n", "energy = 1.5", "", false, 0},
		{"a whole number", "n 100\n", "n 101\n", "", false, 1},
		{"a word", "a\nVERIFICATION FAILED", "a\nVERIFICATION SUCCESSFUL", "", false, 2},
		{"a sum in another order", "s 1.23456789012345e+10", "s 1.23456789012399e+10", "", false, 0},
		{"one in the last digit", "s 0.13", "s 0.12", "", false, 0},
		{"two in the last digit", "s 0.14", "s 0.12", "", false, 1},
		{"what remains", "residual 1e-16", "residual 8.3e-17", "", false, 0},
		{"LULESH at the largest number of threads", "Final Origin Energy = 2.218664e+05", "Final Origin Energy = 1.673685e+05", "", false, 1},
		{"a missing line", "a\n", "a\nb\n", "", false, 2},
		{"another line", "a\nb\n", "a\n", "", false, 2},
		{"a time", "time 3.2 s\nn 1\n", "time 0.1 s\nn 1\n", "time 100.4 s\nn 1\n", false, 0},
		{"beside a time", "time 3.2 s n 1\n", "time 0.1 s n 2\n", "time 100.4 s n 2\n", false, 1},
		{"after a date", "Sun Nov 22\nn 1\n", "Mon Nov 23\nn 2\n", "Tue Dec 24\nn 2\n", false, 2},
		{"as often as time allows", "a\na\n", "a\na\na\na\n", "a\n", false, 0},
		{"an address", "at 0x7f01\n", "at 0x7f02\n", "at 0x7f03\n", false, 0},
		{"not a number", "x nan\n", "x 0.5\n", "x 0.5\n", false, 1},
		{"order", "t 1\nt 0\n", "t 0\nt 1\n", "", true, 0},
		{"order of one thread", "t 1\nt 0\n", "t 0\nt 1\n", "", false, 1},
		{"nothing", "", "", "", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := CompareOutputs(c.got, c.want, c.unlike, c.anyOrder)
			line := 0
			if d != nil {
				line = d.Line
			}
			if line != c.line {
				t.Errorf("a difference in line %d (%v), want %d", line, d, c.line)
			}
		})
	}
}

// What is kept of an output has a bound, also where it is copied from a reader at once.
func TestKept(t *testing.T) {
	k := NewKept()
	n, err := io.Copy(k, io.LimitReader(zeros{}, MostOutput+1000))
	if err != nil || n != MostOutput+1000 || len(k.String()) != MostOutput || k.Whole {
		t.Errorf("%d bytes copied, %d kept, whole: %v, %v", n, len(k.String()), k.Whole, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
