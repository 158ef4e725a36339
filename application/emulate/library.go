package emulate

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/assembly"
)

// mathOne are the functions of the C library with one number, by their names for doubles; with an f for floats.
var mathOne = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"erf": math.Erf, "erfc": math.Erfc, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round, "rint": math.RoundToEven,
	"nearbyint": math.RoundToEven, "fabs": math.Abs, "cbrt": math.Cbrt, "tgamma": math.Gamma,
}

// mathTwo are those with two.
var mathTwo = map[string]func(a, b float64) float64{
	"pow": math.Pow, "fmod": math.Mod, "atan2": math.Atan2, "hypot": math.Hypot, "fmax": fmax, "fmin": fmin, "copysign": math.Copysign, "fdim": math.Dim,
}

// fmax and fmin take the number where the other is none.
func fmax(a, b float64) float64 {
	if a != a || b > a {
		return b
	}
	return a
}

func fmin(a, b float64) float64 {
	if a != a || b < a {
		return b
	}
	return a
}

// library carries out a function that the program has no code for. Of what is not known, the result is zero, and it is noted.
func (t *thread) library(name string) {
	name = strings.TrimPrefix(name, "__builtin_")
	if strings.HasSuffix(name, "_finite") && strings.HasPrefix(name, "__") { // of -ffast-math
		name = strings.TrimSuffix(strings.TrimPrefix(name, "__"), "_finite")
	}
	if t.mathematics(name) || t.vectorMathematics(name) || t.parallel(name) {
		return
	}
	if t.cxx(name) || t.fortran(name) {
		return
	}
	if f, ok := libraryFunctions[name]; ok {
		t.r[assembly.RAX] = f(t)
		return
	}
	t.unknown[name] = true
	t.r[assembly.RAX] = 0
}

// mathematics carries out a function of numbers; false where it is none.
func (t *thread) mathematics(name string) bool {
	double := name
	single := strings.HasSuffix(name, "f") && name != "erf"
	if single {
		double = name[:len(name)-1]
	}
	if double == "sincos" {
		return t.sincos(single)
	}
	one, ok := mathOne[double]
	two, okTwo := mathTwo[double]
	if !ok && !okTwo {
		return false
	}
	value := func(i int) float64 {
		if single {
			return float64(f32(t.v[i][0]))
		}
		return f64(t.v[i][0])
	}
	result := 0.0
	if ok {
		result = one(value(0))
	} else {
		result = two(value(0), value(1))
	}
	if single {
		t.v[0] = vector{b32(float32(result))}
	} else {
		t.v[0] = vector{b64(result)}
	}
	return true
}

// sincos stores the sine and the cosine of a number, as compilers ask for both at once.
func (t *thread) sincos(single bool) bool {
	value, bytes, bitsOf := f64(t.v[0][0]), 8, b64
	if single {
		value, bytes, bitsOf = float64(f32(t.v[0][0])), 4, func(f float64) uint64 { return b32(float32(f)) }
	}
	t.memory.store(t.argument(0), bytes, bitsOf(math.Sin(value)))
	t.memory.store(t.argument(1), bytes, bitsOf(math.Cos(value)))
	return true
}

// vectorVariant is a function of the C library for vectors, as the vector function ABI names it: so many lanes, an argument for each v.
var vectorVariant = regexp.MustCompile(`^_ZGV[bcde]N(\d+)(vv?)_(\w+)$`)

// vectorMathematics carries out a function of numbers on each lane of vectors; false where it is none.
func (t *thread) vectorMathematics(name string) bool {
	m := vectorVariant.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	lanes, _ := strconv.Atoi(m[1])
	bytes := 8
	if strings.HasSuffix(m[3], "f") && m[3] != "erf" {
		bytes = 4
	}
	if lanes*bytes > 64 {
		return false
	}
	a, b := t.v[0], t.v[1]
	var result vector
	for i := range lanes {
		t.v[0], t.v[1] = vector{a.element(i, bytes)}, vector{b.element(i, bytes)}
		if !t.mathematics(m[3]) {
			t.v[0], t.v[1] = a, b
			return false
		}
		result.setElement(i, bytes, t.v[0].element(0, bytes))
	}
	t.v[0], t.v[1] = result, b
	return true
}

// argument is the i-th integer that a function is given.
func (t *thread) argument(i int) uint64 { return t.r[argumentRegisters[i]] }

// errEnded ends a program that calls exit.
var errEnded = errors.New("the program ended itself")

// libraryFunctions are further functions of the C library, by name; each gives its result.
var libraryFunctions = map[string]func(*thread) uint64{
	"malloc": func(t *thread) uint64 { return t.heap.allocate(t.argument(0)) },
	"calloc": func(t *thread) uint64 {
		n := t.argument(0) * t.argument(1)
		a := t.heap.allocate(n)
		t.fill(a, 0, n)
		return a
	},
	"realloc":       reallocate,
	"aligned_alloc": func(t *thread) uint64 { return t.heap.aligned(t.argument(0), t.argument(1)) },
	"memalign":      func(t *thread) uint64 { return t.heap.aligned(t.argument(0), t.argument(1)) },
	"posix_memalign": func(t *thread) uint64 {
		t.memory.store(t.argument(0), 8, t.heap.aligned(t.argument(1), t.argument(2)))
		return 0
	},
	"free":   func(t *thread) uint64 { t.heap.free(t.argument(0)); return 0 },
	"memset": func(t *thread) uint64 { return t.fill(t.argument(0), byte(t.argument(1)), t.argument(2)) },
	"memcpy": copyMemory, "memmove": copyMemory, "mempcpy": copyMemory, "__memcpy_chk": copyMemory, "__memmove_chk": copyMemory,
	"printf": func(t *thread) uint64 { return t.print(0) }, "__printf_chk": func(t *thread) uint64 { return t.print(1) },
	"fprintf": func(t *thread) uint64 { return t.print(1) }, "__fprintf_chk": func(t *thread) uint64 { return t.print(2) },
	"puts":    func(t *thread) uint64 { fmt.Fprintln(t.Output, t.memory.text(t.argument(0))); return 0 },
	"putchar": func(t *thread) uint64 { fmt.Fprintf(t.Output, "%c", byte(t.argument(0))); return t.argument(0) },
	"fflush":  nothingDone, "setvbuf": nothingDone, "fclose": nothingDone, "srand": nothingDone, "clock_gettime": nothingDone, "gettimeofday": nothingDone, "time": nothingDone,
	"abs":  func(t *thread) uint64 { return uint64(max(s32(t.argument(0)), -s32(t.argument(0)))) & masks[4] },
	"rand": func(t *thread) uint64 { return t.next() >> 33 },
	"strlen": func(t *thread) uint64 {
		return uint64(len(t.memory.text(t.argument(0))))
	},
	"strcmp": func(t *thread) uint64 {
		return uint64(int64(strings.Compare(t.memory.text(t.argument(0)), t.memory.text(t.argument(1)))))
	},
	"atoi": readInteger(false, true), "atol": readInteger(false, true), "atoll": readInteger(false, true), "strtol": readInteger(true, true), "strtoll": readInteger(true, true), "strtoul": readInteger(true, false), "strtoull": readInteger(true, false),
	"__isoc23_strtol": readInteger(true, true), "__isoc23_strtoll": readInteger(true, true), "__isoc23_strtoul": readInteger(true, false), "__isoc23_strtoull": readInteger(true, false),
	"atof": readNumber(false, false), "strtod": readNumber(true, false), "strtof": readNumber(true, true),
	"sscanf": scanText, "__isoc99_sscanf": scanText, "__isoc23_sscanf": scanText,
	"__errno_location": func(t *thread) uint64 {
		if t.errno == 0 {
			t.errno = t.allocate(8)
		}
		return t.errno
	},
	"MPI_Comm_size": func(t *thread) uint64 { t.memory.store(t.argument(1), 4, 1); return 0 }, // the program is followed as run by one rank
	"MPI_Comm_rank": func(t *thread) uint64 { t.memory.store(t.argument(1), 4, 0); return 0 },
	"exit":          exit,
	"abort":         func(*thread) uint64 { panic(stop{errors.New("the program aborts")}) },
	"__assert_fail": func(t *thread) uint64 {
		panic(stop{errors.New("an assertion of the program fails: " + t.memory.text(t.argument(0)))})
	},
	"__stack_chk_fail": func(*thread) uint64 { panic(stop{errors.New("the program writes beyond its stack")}) },
}

// copying are the functions whose third argument says how many bytes they write.
var copying = map[string]bool{"memset": true, "memcpy": true, "memmove": true, "mempcpy": true, "__memcpy_chk": true, "__memmove_chk": true}

// byString are the functions that repeated instructions on strings do the same as.
var byString = map[string]string{"movs": "memcpy", "stos": "memset"}

// copied is what such a function does.
type copied struct{ to, from, bytes uint64 }

// moved is what a function that copies is called to do.
func (t *thread) moved(name string) copied {
	c := copied{t.argument(0), t.argument(1), t.argument(2)}
	if name == "memset" {
		c.from = 0
	}
	return c
}

// movedByString is what a repeated instruction on strings is to do.
func (t *thread) movedByString(o *op) copied {
	c := copied{t.r[assembly.RDI], t.r[assembly.RSI], t.r[assembly.RCX] * uint64(o.bytes)}
	if o.at.Mnemonic == "stos" {
		c.from = 0
	}
	return c
}

func nothingDone(*thread) uint64 { return 0 }

func exit(t *thread) uint64 {
	t.status = int(int32(t.argument(0)))
	panic(stop{errEnded})
}

// next is the next of the numbers that rand gives: Knuth's linear congruence, MMIX.
func (p *Program) next() uint64 {
	p.random = p.random*6364136223846793005 + 1442695040888963407
	return p.random
}

func (t *thread) fill(at uint64, value byte, n uint64) uint64 {
	word := uint64(value) * 0x0101010101010101
	i := uint64(0)
	for ; i+8 <= n; i += 8 {
		t.memory.store(at+i, 8, word)
	}
	for ; i < n; i++ {
		t.memory.store(at+i, 1, uint64(value))
	}
	return at
}

func copyMemory(t *thread) uint64 {
	to, from, n := t.argument(0), t.argument(1), t.argument(2)
	if to > from && to < from+n { // backwards, as they overlap
		for i := n; i > 0; i-- {
			t.memory.store(to+i-1, 1, t.memory.load(from+i-1, 1))
		}
		return to
	}
	i := uint64(0)
	for ; i+8 <= n; i += 8 {
		t.memory.store(to+i, 8, t.memory.load(from+i, 8))
	}
	for ; i < n; i++ {
		t.memory.store(to+i, 1, t.memory.load(from+i, 1))
	}
	return to
}

func reallocate(t *thread) uint64 {
	old, n := t.argument(0), t.argument(1)
	a := t.heap.allocate(n)
	for i := uint64(0); old != 0 && i < min(t.heap.sizes[old], n); i += 8 {
		t.memory.store(a+i, 8, t.memory.load(old+i, 8))
	}
	t.heap.free(old)
	return a
}

// print prints by a format, which is the argument of this number.
func (t *thread) print(format int) uint64 {
	text := t.memory.text(t.argument(format))
	integers, floats, stack := format+1, 0, t.r[assembly.RSP]
	integer := func() uint64 {
		integers++
		if integers <= len(argumentRegisters) {
			return t.argument(integers - 1)
		}
		stack += 8
		return t.memory.load(stack-8, 8)
	}
	floating := func() float64 {
		floats++
		if floats <= 8 {
			return f64(t.v[floats-1][0])
		}
		stack += 8
		return f64(t.memory.load(stack-8, 8))
	}
	out := formatted(text, integer, floating, t.memory.text)
	_, _ = fmt.Fprint(t.Output, out)
	return uint64(len(out))
}

// formatted is C's printf.
func formatted(text string, integer func() uint64, floating func() float64, at func(uint64) string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out.WriteByte(text[i])
			continue
		}
		begin := i
		i++
		for i < len(text) && strings.IndexByte("-+ #0123456789.", text[i]) >= 0 {
			i++
		}
		flags, long := text[begin:i], false
		for i < len(text) && strings.IndexByte("lhzjt", text[i]) >= 0 {
			long = long || text[i] != 'h'
			i++
		}
		if i == len(text) {
			break
		}
		switch c := text[i]; c {
		case 'd', 'i':
			v := integer()
			if !long {
				v = uint64(s32(v))
			}
			fmt.Fprintf(&out, flags+"d", int64(v))
		case 'u', 'x', 'X', 'o':
			v := integer()
			if !long {
				v &= masks[4]
			}
			fmt.Fprintf(&out, flags+strings.ReplaceAll(string(c), "u", "d"), v)
		case 'f', 'e', 'g', 'F', 'E', 'G', 'a':
			if c == 'g' && !strings.Contains(flags, ".") {
				flags += ".6"
			}
			fmt.Fprintf(&out, flags+string(c), floating())
		case 's':
			fmt.Fprintf(&out, flags+"s", at(integer()))
		case 'c':
			fmt.Fprintf(&out, flags+"c", rune(byte(integer())))
		case 'p':
			fmt.Fprintf(&out, "%#x", integer())
		case '%':
			out.WriteByte('%')
		}
	}
	return out.String()
}
