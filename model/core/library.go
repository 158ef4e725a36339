package core

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"foresee/application/assembly"
)

// services are cycles of calls of functions of the C library that are no mathematics: as they were timed on a Zen 4 with glibc 2.36, 256 calls in a row,
// with words of 8 to 24 letters, numbers of up to five digits and blocks of 16 to 256 bytes. A machine's own measurement of a name counts before.
var services = map[string]float64{
	"malloc": 32, "free": 27, "calloc": 44, "realloc": 112, "strdup": 33,
	"rand": 21, "random": 17, "drand48": 19, "time": 9, "clock": 2039, "clock_gettime": 81,
	"fprintf": 121, "snprintf": 135, "fputs": 38, "fwrite": 29, "fputc": 11, "fgets": 58, "fread": 29, "fgetc": 9, "sscanf": 232, "strtol": 37, "strtod": 91,
	"strlen": 9, "strcmp": 11, "strcpy": 13, "strcat": 17, "strchr": 12, "strstr": 18, "strtok": 40, "strspn": 20, "strcasecmp": 25, "memcmp": 9, "memchr": 9, "toupper": 1,
	"__errno_location": 1, "setjmp": 12, "longjmp": 15, "__cxa_guard_acquire": 10,
	// With what the frame is found by that catches, and each frame on the way that has something to clean: 0.8 and 0.5 µs of 20,000 exceptions.
	"__cxa_throw": 2400, "_Unwind_Resume": 1500,
}

// alike are functions by those that cost as much.
var alike = map[string]string{
	"_Znwm": "malloc", "_Znam": "malloc", "_ZdlPv": "free", "_ZdlPvm": "free", "_ZdaPv": "free", "_ZdaPvm": "free",
	"erand48": "drand48", "lrand48": "drand48", "mrand48": "drand48", "gettimeofday": "clock_gettime",
	"printf": "fprintf", "vfprintf": "fprintf", "vprintf": "fprintf", "sprintf": "snprintf", "vsnprintf": "snprintf", "vsprintf": "snprintf",
	"puts": "fputs", "putchar": "fputc", "putc": "fputc", "getchar": "fgetc", "getc": "fgetc", "ungetc": "fgetc", "getline": "fgets", "scanf": "sscanf", "fscanf": "sscanf",
	"strtoul": "strtol", "strtoll": "strtol", "strtoull": "strtol", "atoi": "strtol", "atol": "strtol", "atoll": "strtol", "atof": "strtod", "strtof": "strtod",
	"strnlen": "strlen", "strncmp": "strcmp", "stpcpy": "strcpy", "strncpy": "strcpy", "strncat": "strcat", "strrchr": "strchr", "strcspn": "strspn", "strpbrk": "strspn",
	"bcmp": "memcmp", "rawmemchr": "memchr", "tolower": "toupper", "__ctype_b_loc": "__errno_location", "__ctype_tolower_loc": "__errno_location", "__ctype_toupper_loc": "__errno_location",
	"_setjmp": "setjmp", "__sigsetjmp": "setjmp", "__cxa_guard_release": "__cxa_guard_acquire",
	"__cxa_rethrow": "__cxa_throw", "_longjmp": "longjmp", "siglongjmp": "longjmp",
}

// families are the same of functions of C++ (libstdc++ 12) and Fortran whose names begin so. Of several, the longest counts.
var families = map[string]float64{
	"_ZSt29_Rb_tree_insert_and_rebalance": 45, "_ZSt28_Rb_tree_rebalance_for_erase": 45, "_ZSt18_Rb_tree_increment": 14, "_ZSt18_Rb_tree_decrement": 14,
	"_ZNKSt8__detail20_Prime_rehash_policy": 8, "_ZSt11_Hash_bytes": 20, "_ZNSt8__detail15_List_node_base": 5,
	"_ZNSt7__cxx1112basic_string": 30, "_ZNKSt7__cxx1112basic_string": 12, "_ZNSs": 30,
	"_ZNSolsE": 84, "_ZNSo9_M_insertI": 84, "_ZNSo9_M_insertId": 670, "_ZNSo9_M_insertIe": 700, "_ZNSolsEd": 670, "_ZNSolsEf": 670,
	"_ZSt16__ostream_insert": 58, "_ZStlsISt11char_traits": 58, "_ZNSo3put": 22, "_ZNSo5write": 30, "_ZNSo5flush": 20, "_ZSt4endl": 45,
	"_ZNSirsE": 110, "_ZNSi10_M_extractI": 110, "_ZNSi10_M_extractId": 295, "_ZNSi10_M_extractIf": 295, "_ZNSirsERd": 295, "_ZNSirsERf": 295,
	"_ZStrsI": 110, "_ZSt7getline": 60, "_ZNSi3get": 12, "_ZNSi4read": 30,
	"_gfortran_st_write": 1100, "_gfortran_st_write_done": 20, "_gfortran_st_read": 900, "_gfortran_st_read_done": 20, "_gfortran_transfer_real": 500, "_gfortran_transfer_real_write": 1600,
	"_gfortran_transfer_integer": 300, "_gfortran_transfer_integer_write": 250, "_gfortran_transfer_character": 100, "_gfortran_transfer_array": 2000,
	"_gfortran_compare_string": 12, "_gfortran_pow_": 20, "_gfortran_random": 25, "_gfortran_arandom": 25, "_gfortran_string_": 25,
}

// rust are the same of functions of Rust's library, by the last part of their names, and ofRust finds it in the names of either mangling.
var rust = map[string]float64{"rust_alloc": 32, "rust_dealloc": 27, "rust_realloc": 112, "rust_alloc_zeroed": 44, "rust_no_alloc_shim_is_unstable_v2": 1, "format_inner": 150, "_print": 200}

var ofRust = regexp.MustCompile(`^(?:_R|_ZN|__)\w*?\d*_*(rust_(?:alloc_zeroed|alloc|dealloc|realloc|no_alloc_shim_is_unstable_v2)|format_inner|_print)(?:17h[0-9a-f]{16}E)?$`)

// longestFamily bounds how much of a name is compared.
const longestFamily = 48

// amongOthers is how much longer calls take among other code, which takes their place in branch predictors and caches, than one after the other, as they
// are timed. Chosen by twelve programs that call much, written for it (none was held back): without it, they were told from 0.65 to 0.92 of the clock's time.
const amongOthers = 1.25

// Further costs of calls, in cycles, of the same machine.
const (
	printedWord  = 55  // another number or word that a function prints
	printedFloat = 440 // a number of floating point that it does: between the 350 of "%.2f" and the 700 of "%.15e"
	scannedValue = 170 // another value that it reads
	copyingCall  = 9   // a copy or a setting of a few bytes
	answering    = 8   // more than between calls, from what a function is given to its result: a load, a comparison of vectors and what finds its place overlap between calls
	callbackName = "qsort"
	// usualCallback is what a library does between two calls of a program's own function, as qsort of 2048 numbers in no order does, with the branches on its
	// results that are guessed wrongly.
	usualCallback = 20
)

// Where functions of the C library are given pointers, and where they give their result (System V ABI for x86-64, 3.2.3).
var pointersGiven, answered = []assembly.Register{assembly.RDI, assembly.RSI}, []assembly.Register{assembly.RAX}

// otherNames are the names under which compilers call functions: with checks, of another standard, or older.
var otherNames = regexp.MustCompile(`^(?:__isoc(?:99|23)_|_IO_|__GI_|__libc_)`)

// service is the cycles of a call of a function of a library that is no mathematics; false where nothing is known of it.
func (c Costs) service(function string, given Given) (cycles float64, ok bool) {
	function = otherNames.ReplaceAllString(function, "")
	more := conversions(function, given)
	if checked, is := strings.CutSuffix(function, "_chk"); is {
		function = strings.TrimPrefix(checked, "__")
	}
	function = strings.TrimSuffix(function, "_unlocked")
	function = cmp.Or(alike[function], function)
	if cycles, ok = services[function]; ok {
		if own, measured := c[called+function]; measured {
			cycles = own.Latency
		}
		if function == "malloc" || function == "free" { // short ways, that stay learnt
			return cycles, true
		}
		return amongOthers * (cycles + more), true
	}
	if inner := ofRust.FindStringSubmatch(function); inner != nil {
		return amongOthers * rust[inner[1]], true
	}
	for n := min(len(function), longestFamily); n > 0; n-- {
		if cycles, ok = families[function[:n]]; ok {
			return amongOthers * cycles, true
		}
	}
	return 0, false
}

// Callback is what a library does between two calls of a program's own function, such as one that compares for qsort.
func (c Costs) Callback() Instruction {
	x := Instruction{Form: Form{Latency: usualLatency, Slots: 1}, Branch: Measured, PerCall: usualCallback}
	if own, ok := c[called+callbackName]; ok {
		x.PerCall = own.Latency
	}
	x.PerCall *= amongOthers
	return x
}

// Given is what a call is given: how many registers of arguments are set before it, as far as the block shows, and how many numbers of floating point a
// function gets that takes any number of arguments.
type Given struct{ Integers, Floats int }

// argumentRegisters are set in this order, and RAX says how many hold numbers of floating point (System V ABI for x86-64, 3.2.3 and 3.5.7).
var argumentRegisters = []assembly.Register{assembly.RDI, assembly.RSI, assembly.RDX, assembly.RCX, assembly.R8, assembly.R9}

// GivenBy is what a call is given behind the instructions of its block, in order.
func GivenBy(before []*assembly.Instruction) (g Given) {
	counted, pushed := false, 0
	for i := len(before) - 1; i >= 0 && before[i].Mnemonic != "call"; i-- {
		x := before[i]
		if x.Mnemonic == "push" {
			pushed++
		}
		if len(x.Operands) == 0 || x.Operands[0].Kind != assembly.InRegister {
			continue
		}
		to := x.Operands[0].Register
		if at := slices.Index(argumentRegisters, to); at >= 0 && x.Mnemonic != "cmp" && x.Mnemonic != "test" {
			g.Integers = max(g.Integers, at+1)
		}
		if to == assembly.RAX && !counted {
			counted = true
			if x.Mnemonic == "mov" && x.Operands[1].Kind == assembly.Immediate {
				g.Floats = min(int(x.Operands[1].Value), mostFloats)
			}
		}
	}
	if g.Integers == len(argumentRegisters) { // the others are on the stack
		g.Integers += pushed
	}
	return g
}

// mostFloats is how many registers hold arguments of floating point.
const mostFloats = 8

// converting are functions that convert as many values as they are given behind so many other arguments.
var converting = map[string]int{
	"printf": 1, "fprintf": 2, "sprintf": 2, "snprintf": 3, "dprintf": 2, "__printf_chk": 2, "__fprintf_chk": 3, "__sprintf_chk": 4, "__snprintf_chk": 5,
	"scanf": 1, "fscanf": 2, "sscanf": 2,
}

// conversions is what the values cost that a function converts, beyond the one of usual calls.
func conversions(function string, g Given) float64 {
	fixed, ok := converting[function]
	switch n := float64(max(0, g.Integers-fixed)); {
	case !ok:
		return 0
	case strings.HasSuffix(function, "scanf"):
		return scannedValue * max(0, n-1)
	default:
		return printedWord*(n-1) + printedFloat*float64(g.Floats)
	}
}
