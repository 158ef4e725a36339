package fit

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/internal/synthetic"
)

// Each parameter says what it is, in which unit and from where, and its usual value lies between its bounds on machines of one to four
// levels.
func TestTable(t *testing.T) {
	for levels := 1; levels <= 4; levels++ {
		h, form := synthetic.Caches(levels), synthetic.Form(levels)
		s := newSetting(h, synthetic.Sweep(form, h, 0, rand.New(rand.NewPCG(1, 2))))
		all := Instances(levels)
		if want := len(Global) + len(OfPages) + levels*(len(OfSource)+len(OfCapacity)); len(all) != want || levels == 3 && want != 48 {
			t.Fatalf("%d levels: %d parameters, want %d", levels, len(all), want)
		}
		for _, in := range all {
			if in.Unit == "" || in.Meaning == "" || in.Source == "" {
				t.Errorf("%s has no unit, meaning or source", in.Path)
			}
			low, usual, high := in.Low.at(s, in.Level), in.Usual.at(s, in.Level), in.High.at(s, in.Level)
			if !(0 < low && low < usual && usual < high) || in.SD < 0 {
				t.Errorf("%d levels: %s from %g over %g to %g", levels, in.Path, low, usual, high)
			}
			if v := in.Of(form, in.Level); !(low < v && v < high) {
				t.Errorf("%d levels: %s of a usual machine is %g, which is not between %g and %g", levels, in.Path, v, low, high)
			}
			if l := in.limits(s, in.Level); l.low != low || l.high != high || l.usual < low || l.usual > high {
				t.Errorf("%s has limits %+v", in.Path, l)
			}
		}
	}
}

// The table has every number of a form, by its name in machine files, once; what is written is read again.
func TestTableIsWhole(t *testing.T) {
	const levels = 3
	f := &bandwidth.Extended{Sources: make([]bandwidth.Source, levels), Capacities: make([]bandwidth.Capacity, levels)}
	want := map[string]*float64{}
	numbers(reflect.ValueOf(f).Elem(), "", want)
	for i, in := range Instances(levels) {
		value := 1 + float64(i)
		in.Set(f, in.Level, value)
		if got := in.Of(f, in.Level); math.Abs(got-value) > 1e-9*value {
			t.Errorf("%s: %g was written, %g is read", in.Path, value, got)
		}
		if want[in.Path] != in.Field(f, in.Level) {
			t.Errorf("%s is not the field of that name", in.Path)
		}
		delete(want, in.Path)
	}
	for path := range want {
		t.Errorf("the table lacks %s", path)
	}
}

// numbers finds the numbers of a form by their names in machine files.
func numbers(v reflect.Value, path string, out map[string]*float64) {
	switch v.Kind() {
	case reflect.Float64:
		out[path] = v.Addr().Interface().(*float64)
	case reflect.Slice:
		for i := range v.Len() {
			numbers(v.Index(i), path+"["+string(rune('0'+i))+"]", out)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			numbers(v.Field(i), strings.TrimPrefix(path+"."+name, "."), out)
		}
	}
}

// Parameters that no point tells of stay at next to nothing, and so change no time.
func TestUntold(t *testing.T) {
	h, form := synthetic.Caches(2), synthetic.Form(2)
	var plain []bandwidth.Point
	for _, p := range synthetic.Sweep(form, h, 0, rand.New(rand.NewPCG(1, 2))) {
		if p.Run == 0 && !(p.Columns && p.CoreNs > 0) {
			plain = append(plain, p)
		}
	}
	s, untolds := newSetting(h, plain), 0
	for _, in := range Instances(2) {
		if l := in.limits(s, in.Level); l == untold {
			untolds++
		}
	}
	if untolds != 8 { // far_exposed_ns, far_exposed_share, start_ns and start_line_ns of two sources
		t.Errorf("%d parameters are not told of", untolds)
	}
	without, with := synthetic.Form(2), synthetic.Form(2)
	for _, in := range Instances(2) {
		if in.limits(s, in.Level) == untold {
			in.Set(without, in.Level, 0)
			in.Set(with, in.Level, untold.high)
		}
	}
	for _, p := range plain {
		if a, b := without.PointNs(p, 64, 4096), with.PointNs(p, 64, 4096); math.Abs(a/b-1) > 1e-6 {
			t.Errorf("%+v takes %g ns, with them %g", p, a, b)
		}
	}
}

func TestBoundsPrint(t *testing.T) {
	for want, b := range map[string]Bound{"0.5": number(0.5), "shortest / 3": over(shortest, 3), "longest × 8": times(longest, 8), "described": times(described, 1)} {
		if got := b.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Where latencies are known, no run of lines begins later than a load that nothing overlaps allows, however slow a disturbed sweep was.
func TestStartsWithinLatency(t *testing.T) {
	h, form := synthetic.Caches(3), synthetic.Form(3)
	h.Levels[1].LatencyNs, h.Levels[2].LatencyNs, h.MemoryLatencyNs = 4, 12, 90
	points := synthetic.Sweep(form, h, 0, rand.New(rand.NewPCG(1, 2)))
	s := newSetting(h, points)
	s.longest = 60 // of a disturbed burst
	for _, in := range Instances(3) {
		if in.Name == "start_ns" {
			s.runs = true
			if high, latency := in.limits(s, in.Level).high, [...]float64{4, 12, 90}[in.Level]; high > 1.5*max(latency, even.of(s, in.Level)) || in.Level == 2 && high != 1.5*latency {
				t.Errorf("%s up to %g ns, a load takes %g", in.Path, high, latency)
			}
		}
	}
}
