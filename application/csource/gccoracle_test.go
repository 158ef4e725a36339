package csource

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

func TestGccOracle(t *testing.T) {
	files, _ := filepath.Glob("../../examples/kernels/*.c")
	for _, f := range files {
		b := strings.TrimSuffix(filepath.Base(f), ".c")
		u, err := Load(f, nil, Options{Defines: []string{"MINI"}})
		if err != nil {
			t.Error(err)
			continue
		}
		syms := map[string]uint64{}
		nm, _ := os.Open("/tmp/orc/" + b + ".nm")
		sc := bufio.NewScanner(nm)
		for sc.Scan() {
			w := strings.Fields(sc.Text())
			if len(w) == 2 {
				var a uint64
				fmt.Sscanf(w[0], "%x", &a)
				syms[w[1]] = a
			}
		}
		rec, _ := os.ReadFile("/tmp/orc/" + b + ".rec")
		var all []touch
		for _, p := range u.Programs {
			all = append(all, run(p)...)
		}
		want := map[string][]touch{}
		ext := map[string]int64{}
		for _, p := range u.Programs {
			for _, o := range p.Objects {
				ext[o.Name] = o.Bytes
			}
		}
		var names []string
		for n := range ext {
			if _, ok := syms[n]; ok {
				names = append(names, n)
			}
		}
		sort.Strings(names)
		other := 0
		for i := 0; i+16 <= len(rec); i += 16 {
			a := binary.LittleEndian.Uint64(rec[i:])
			s := binary.LittleEndian.Uint64(rec[i+8:])
			found := false
			for _, n := range names {
				if base := syms[n]; a >= base && a < base+uint64(ext[n]) {
					want[n] = append(want[n], touch{n, int64(a - base), int64(s >> 1), s&1 == 1})
					found = true
					break
				}
			}
			if !found {
				other++
			}
		}
		got := map[string][]touch{}
		otherGot := 0
		for _, x := range all {
			if _, ok := syms[x.object]; ok {
				got[x.object] = append(got[x.object], x)
			} else {
				otherGot++
			}
		}
		status := "ok"
		for _, n := range names {
			if err := sameTouches(got[n], want[n]); err != nil {
				status = fmt.Sprintf("%s: %v", n, err)
				break
			}
		}
		if len(u.Programs[0].Warnings) > 0 { status += " (warnings)" }
		fmt.Println(b, len(all), len(rec)/16, "other", otherGot, other, status)
	}
}
