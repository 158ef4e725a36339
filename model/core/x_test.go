package core_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"foresee/application/assembly"
	"foresee/application/emulate"
	"foresee/model/core"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

type cost struct {
	Latency, Slots float64
	Uses           map[string]float64
}
type vals struct {
	Width, LoadCycles, VectorLoad, Forward, ForwardSame, VectorForward, ForwardBlocked float64
	LoadUse, StoreUse                                                                  [4]float64
	CrossUse, Mispredicted, Taken, Call                                                float64
}

func P(n string, d float64) float64 {
	if s := os.Getenv(n); s != "" {
		v, _ := strconv.ParseFloat(s, 64)
		return v
	}
	return d
}
func TestX(t *testing.T) {
	var in struct {
		Costs  map[string]cost
		Values vals
	}
	b, _ := os.ReadFile(os.Getenv("CORE"))
	json.Unmarshal(b, &in)
	v := in.Values
	c := core.Core{Width: math.Round(v.Width), Reorder: int(P("ROB", 320)), IntegerQueue: int(P("QI", 96)), AddressQueue: int(P("QA", 72)), VectorQueue: int(P("QV", 128)), LoadCycles: v.LoadCycles, VectorLoad: P("VL", v.VectorLoad+1), Forward: P("FI", 7), VectorForward: P("FV", v.VectorForward-3), ForwardBlocked: P("FB", v.ForwardBlocked-6), LoadUse: v.LoadUse, StoreUse: v.StoreUse, CrossUse: v.CrossUse, Mispredicted: P("MP", v.Mispredicted), Taken: P("TK", 1), Call: P("CALL", 20), Levels: []core.Level{{Sets: 64, Ways: 8}, {Sets: 2048, Ways: 8, Cycles: P("L2", 10), PerLine: P("L2P", 2)}}, HistoryTables: int(P("HT", 6))}
	meas := map[string]float64{}
	mf, _ := os.Open("/tmp/t1/k/cycles.txt")
	for s := bufio.NewScanner(mf); s.Scan(); {
		var k string
		var x float64
		fmt.Sscan(s.Text(), &k, &x)
		meas[k] = x
	}
	missing := map[string]int{}
	names, _ := filepath.Glob("/tmp/t1/k/*.s")
	type row struct {
		k string
		e float64
	}
	var rows []row
	var total int64
	for _, n := range names {
		k := strings.TrimSuffix(filepath.Base(n), ".s")
		kernel := k[:len(k)-2]
		h := fnv.New32()
		h.Write([]byte(kernel))
		half := "A"
		if h.Sum32()%2 == 1 {
			half = "B"
		}
		if w := os.Getenv("HALF"); w != "" && w != half {
			continue
		}
		if w := os.Getenv("PAT"); w != "" && !strings.Contains(k, w) {
			continue
		}
		if meas[k] == 0 {
			continue
		}
		f, _ := os.Open(n)
		a, err := assembly.Read(n, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		p, err := emulate.Load(1, a)
		if err != nil {
			t.Fatal(err)
		}
		prog := make([]core.Instruction, p.Operations())
		for i := range prog {
			prog[i] = convert(p.Instruction(int32(i)), in.Costs, missing)
		}
		sim := core.New(c, prog)
		calls := 0
		on := false
		begun := 0.0
		cyc := 0.0
		p.Observe = func(th int, at int32, addr uint64, j bool) {
			x := p.Instruction(at)
			if x.Mnemonic == "call" && strings.HasPrefix(x.Operands[0].Symbol, "omp_get_wtime") {
				calls++
				on = calls%2 == 1
				if on {
					sim.Reset()
					begun = sim.Cycles()
				} else {
					cyc = sim.Cycles() - begun
				}
				return
			}
			if on {
				sim.Step(at, addr, j)
			}
		}
		_, err = p.Run("main")
		if err != nil {
			t.Log(k, err)
		}
		total += sim.Instructions
		e := cyc/meas[k] - 1
		rows = append(rows, row{k, e})
		if os.Getenv("V") != "" {
			t.Logf("%-32s %s predicted %9.0f measured %9.0f  %+.1f%%  IPC %.2f  mis %d/%d", k, half, cyc, meas[k], 100*e, float64(sim.Instructions)/3/meas[k], sim.Mispredicted, sim.Branches)
		}
	}
	for _, cc := range []string{"1", "2", "3", ""} {
		var es []float64
		for _, r := range rows {
			if strings.HasSuffix(r.k, cc) {
				es = append(es, math.Abs(r.e))
			}
		}
		if len(es) == 0 {
			continue
		}
		sort.Float64s(es)
		m := 0.0
		for _, e := range es {
			m += e
		}
		fmt.Printf("compiler %s n %d mean %.1f median %.1f p90 %.1f worst %.1f\n", cc, len(es), 100*m/float64(len(es)), 100*es[len(es)/2], 100*es[len(es)*9/10], 100*es[len(es)-1])
	}
	sort.Slice(rows, func(i, j int) bool { return math.Abs(rows[i].e) > math.Abs(rows[j].e) })
	if len(rows) > 14 {
		rows = rows[:14]
	}
	for _, r := range rows {
		fmt.Printf("%s %+.0f%%; ", r.k, 100*r.e)
	}
	fmt.Println()
	if os.Getenv("V") != "" {
		fmt.Println(missing)
	}
}
func convert(x *assembly.Instruction, costs map[string]cost, missing map[string]int) core.Instruction {
	e := x.Effects()
	var o core.Instruction
	for _, r := range e.Reads {
		o.Reads = append(o.Reads, uint8(r))
	}
	for _, r := range e.Address {
		o.Address = append(o.Address, uint8(r))
	}
	for _, r := range e.Writes {
		o.Writes = append(o.Writes, uint8(r))
	}
	o.Load, o.Store = e.Load, e.Store
	o.Slots = 1
	for _, op := range x.Operands {
		if op.Kind == assembly.InRegister && !op.Register.Integer() {
			o.Vector = true
		}
	}
	switch x.Mnemonic {
	case "j":
		o.Branch = core.Conditional
	case "jmp":
		o.Branch = core.Jump
	case "call":
		o.Branch = core.Call
	case "ret":
		o.Branch = core.Return
	case "cmp", "test", "add", "sub", "and", "or", "xor", "inc", "dec":
		o.Fuses = true
	}
	if o.Branch == core.Call && len(x.Operands) > 0 { /* own function or library */
	}
	if e.Zero || e.Move {
		return o
	}
	pure := e.Load > 0 || e.Store > 0
	if pure && (strings.HasPrefix(x.Mnemonic, "mov") || strings.HasPrefix(x.Mnemonic, "broadcast") || strings.HasPrefix(x.Mnemonic, "pbroadcast") || x.Mnemonic == "push" || x.Mnemonic == "pop") && !strings.HasPrefix(x.Mnemonic, "movh") && !strings.HasPrefix(x.Mnemonic, "movl") {
		return o
	}
	form := x.Form()
	k, ok := costs[form]
	if !ok {
		for _, alt := range []string{strings.Replace(form, ",r1", ",i", 1), strings.Replace(form, ",i", ",r8", 1), "v" + form} {
			if k, ok = costs[alt]; ok {
				break
			}
		}
	}
	if !ok && o.Branch == core.NoBranch {
		missing[form]++
		o.Latency = 1
		if o.Vector {
			o.Latency = 3
			o.Uses[core.VectorInteger] = .25
		} else {
			o.Uses[core.Integer] = .25
		}
		return o
	}
	if o.Branch != core.NoBranch {
		o.Latency = 1
		o.Uses[core.Integer] = .25
		return o
	}
	o.Latency, o.Slots = k.Latency, k.Slots
	for i, n := range core.Names {
		if core.Resource(i) != core.Transfer || o.Vector {
			o.Uses[i] = k.Uses[n]
		}
	}
	return o
}
