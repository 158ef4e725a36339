package core

import (
	"cmp"
	"regexp"
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
	"__errno_location": 1, "setjmp": 12, "longjmp": 15, "__cxa_guard_acquire": 10, "__cxa_throw": 3000,
}

// alike are functions by those that cost as much.
var alike = map[string]string{
	"_Znwm": "malloc", "_Znam": "malloc", "_ZdlPv": "free", "_ZdlPvm": "free", "_ZdaPv": "free", "_ZdaPvm": "free", "__rust_alloc": "malloc", "__rust_dealloc": "free", "__rust_realloc": "realloc",
	"erand48": "drand48", "lrand48": "drand48", "mrand48": "drand48", "gettimeofday": "clock_gettime",
	"printf": "fprintf", "vfprintf": "fprintf", "vprintf": "fprintf", "sprintf": "snprintf", "vsnprintf": "snprintf", "vsprintf": "snprintf",
	"puts": "fputs", "putchar": "fputc", "putc": "fputc", "getchar": "fgetc", "getc": "fgetc", "ungetc": "fgetc", "getline": "fgets", "scanf": "sscanf", "fscanf": "sscanf",
	"strtoul": "strtol", "strtoll": "strtol", "strtoull": "strtol", "atoi": "strtol", "atol": "strtol", "atoll": "strtol", "atof": "strtod", "strtof": "strtod",
	"strnlen": "strlen", "strncmp": "strcmp", "stpcpy": "strcpy", "strncpy": "strcpy", "strncat": "strcat", "strrchr": "strchr", "strcspn": "strspn", "strpbrk": "strspn",
	"bcmp": "memcmp", "rawmemchr": "memchr", "tolower": "toupper", "__ctype_b_loc": "__errno_location", "__ctype_tolower_loc": "__errno_location", "__ctype_toupper_loc": "__errno_location",
	"_setjmp": "setjmp", "__sigsetjmp": "setjmp", "__cxa_guard_release": "__cxa_guard_acquire",
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
	"_gfortran_transfer_real": 700, "_gfortran_transfer_integer": 150, "_gfortran_transfer_character": 80, "_gfortran_st_write": 250, "_gfortran_st_read": 250,
	"_gfortran_compare_string": 12, "_gfortran_pow_": 20, "_gfortran_random": 25, "_gfortran_arandom": 25, "_gfortran_string_": 25,
}

// longestFamily bounds how much of a name is compared.
const longestFamily = 48

// Further costs of calls, in cycles, of the same machine.
const (
	printedFloat = 400 // a number of floating point that a function prints: between the 300 of "%.2f" and the 640 of "%.15e"
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

// service is the cycles of a call of a function of a library that is no mathematics, with so many numbers of floating point given; false where nothing
// is known of it.
func (c Costs) service(function string, floats int) (cycles float64, ok bool) {
	function = otherNames.ReplaceAllString(function, "")
	if checked, is := strings.CutSuffix(function, "_chk"); is {
		function = strings.TrimPrefix(checked, "__")
	}
	function = strings.TrimSuffix(function, "_unlocked")
	function = cmp.Or(alike[function], function)
	if usual, known := services[function]; known {
		cycles, ok = usual, true
		if own, measured := c[called+function]; measured {
			cycles = own.Latency
		}
		if strings.HasSuffix(function, "printf") {
			cycles += printedFloat * float64(floats)
		}
		return cycles, true
	}
	for n := min(len(function), longestFamily); n > 0; n-- {
		if cycles, ok = families[function[:n]]; ok {
			return cycles, true
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
	return x
}

// FloatsGiven is how many numbers of floating point a call is given that takes any number of arguments: RAX has it there (System V ABI for x86-64, 3.5.7).
// The instructions are those before the call, in order.
func FloatsGiven(before []*assembly.Instruction) int {
	for i := len(before) - 1; i >= 0; i-- {
		x := before[i]
		if len(x.Operands) == 0 || x.Operands[0].Kind != assembly.InRegister || x.Operands[0].Register != assembly.RAX {
			continue
		}
		if x.Mnemonic == "mov" && x.Operands[1].Kind == assembly.Immediate {
			return min(int(x.Operands[1].Value), mostFloats)
		}
		return 0
	}
	return 0
}

// mostFloats is how many registers hold arguments of floating point.
const mostFloats = 8
