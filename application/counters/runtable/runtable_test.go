package runtable_test

import (
	"fmt"
	"strings"
	"testing"

	"foresee/application/counters/input"
	"foresee/application/counters/runtable"
)

// read reads a table and writes down its measurements.
func read(text string) (string, error) {
	set, err := runtable.Read(input.NewLines("t.csv", strings.NewReader(text)))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", strings.Join(set.Parameters, " "))
	for _, s := range set.Series {
		fmt.Fprintf(&b, " %s|%s", s.Callpath, s.Metric)
		for _, p := range s.Points {
			fmt.Fprintf(&b, " %v=%v", p.At, p.Values)
		}
	}
	return b.String(), nil
}

// Tables are told by their names and numbers; columns before the first time are parameters, those behind it metrics, and words name regions.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"p,time\n1,10\n2,5.5\n":                              "p: |time [1]=[10] [2]=[5.5]",
		"p;n;time [s];misses\n1;100;10;7\n2;100;5;8\n":       "p n: |time [s] [1 100]=[10] [2 100]=[5] |misses [1 100]=[7] [2 100]=[8]",
		"p\ttime\n1\t10\n1\t11\n":                            "p: |time [1]=[10 11]",
		"procs  seconds\n 4   2.5\n\n# again\n8 1.5\n":       "procs: |seconds [4]=[2.5] [8]=[1.5]",
		"region,p,time\nsolve,1,10\nio,1,2\n\"solve\",2,6\n": "p: solve|time [1]=[10] [2]=[6] io|time [1]=[2]",
		"app,kernel,p,flops\na,x,1,1e9\na,x,2,2e9\n":         "p: a/x|flops [1]=[1e+09] [2]=[2e+09]",
		"\r\nn,Wall Time (s)\r\n10,1\r\n20,2\r\n":            "n: |Wall Time (s) [10]=[1] [20]=[2]",
	} {
		if !runtable.Is([]byte(text)) {
			t.Errorf("%q is not told", text)
		}
		if got, err := read(text); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"p,time\n1,10\n2\n":           "t.csv:3: the line has 1 cells, and the first line names 2; give each run a cell of each",
		"p,time\n1,10\n2,fast\n":      "t.csv:3:",
		"p,p\n1,10\n":                 "t.csv:1: two columns are called",
		"time,p\n1,10\n":              "t.csv:2: there is no parameter before",
		"region,time\nsolve,10\n":     "t.csv:2: there is no parameter before",
		"p,time\n1,10\nNaN,4\n":       "t.csv:3:",
		"p,n,m,time\n1,2,3,4\n2,,3,5": "t.csv:3:",
	} {
		if got, err := read(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "p,time\n", "1,2\n3,4\n", "int main(void)\n{ return 0; }\n", "p,time\na,b\n", "{\"params\":1}\n1,2\n", "p time\n1 2 3\n", "a word\nand another\n"} {
		if runtable.Is([]byte(text)) {
			t.Errorf("%q is told", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("p,time\n1,10\n2,5.5\n")
	f.Add("region p time\nsolve 1 10\n")
	f.Add("p;n;time [s]\n1;1e300;10\n\n#\n2;3;nan\n")
	f.Fuzz(func(_ *testing.T, text string) {
		runtable.Is([]byte(text))
		_, _ = read(text)
	})
}
