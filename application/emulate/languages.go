package emulate

import (
	"errors"
	"strings"

	"foresee/application/assembly"
)

// cxx carries out a function of C++'s library, by its name as the Itanium ABI makes it; false where it is none that is known.
func (t *thread) cxx(name string) bool {
	switch {
	case strings.HasPrefix(name, "_Znwm"), strings.HasPrefix(name, "_Znam"): // new, new[]
		t.r[assembly.RAX] = t.heap.forNew(t.argument(0))
	case strings.HasPrefix(name, "_ZdlPv"), strings.HasPrefix(name, "_ZdaPv"): // delete, delete[]
		t.heap.free(t.argument(0))
	case strings.HasPrefix(name, "_ZSt") && strings.Contains(name, "__throw_"), name == "__cxa_throw", name == "__cxa_rethrow", name == "_ZSt9terminatev", name == "__cxa_throw_bad_array_new_length":
		panic(stop{errors.New("the program throws an exception (" + name + ")")})
	case name == "__cxa_guard_acquire":
		t.r[assembly.RAX] = one(t.memory.load(t.argument(0), 1) == 0)
	case name == "__cxa_guard_release":
		t.memory.store(t.argument(0), 1, 1)
	case name == "__cxa_atexit", strings.HasPrefix(name, "_ZNSt8ios_base4Init"):
		t.r[assembly.RAX] = 0
	case strings.HasPrefix(name, "_ZNSt6chrono") && strings.HasSuffix(name, "3nowEv"):
		t.r[assembly.RAX] = uint64(t.Program.done)
	case strings.HasPrefix(name, "_ZNSo"), strings.HasPrefix(name, "_ZStls"), strings.HasPrefix(name, "_ZSt16__ostream_insert"), strings.HasPrefix(name, "_ZSt4endl"): // output gives its stream
		t.r[assembly.RAX] = t.argument(0)
	case strings.HasSuffix(name, "9_M_createERmm"): // space of a string: for so many characters and an end
		t.r[assembly.RAX] = t.heap.allocate(t.memory.load(t.argument(1), 8) + 1)
	default:
		return false
	}
	return true
}

// fortran carries out a function of gfortran's or flang's library; false where it is none that is known. What is printed is not.
func (t *thread) fortran(name string) bool {
	gnu, isGNU := strings.CutPrefix(name, "_gfortran_")
	llvm, isLLVM := strings.CutPrefix(name, "_FortranA")
	switch {
	case isGNU && (strings.HasPrefix(gnu, "st_") || strings.HasPrefix(gnu, "transfer_") || strings.HasPrefix(gnu, "set_")),
		isLLVM && (strings.HasPrefix(llvm, "io") || strings.HasPrefix(llvm, "Program")):
		t.r[assembly.RAX] = 1
	case isGNU && (strings.HasPrefix(gnu, "stop_") || strings.HasPrefix(gnu, "error_stop")), isLLVM && strings.HasPrefix(llvm, "Stop"):
		panic(stop{errEnded})
	case isGNU && (strings.HasPrefix(gnu, "runtime_error") || strings.HasPrefix(gnu, "os_error")), isLLVM && strings.HasPrefix(llvm, "ReportFatal"):
		panic(stop{errors.New("the program ends with an error of Fortran's library")})
	case gnu == "cpu_time_8", gnu == "random_r8":
		v := float64(t.Program.done) * 1e-9
		if gnu == "random_r8" {
			v = float64(t.next()>>11) / (1 << 53)
		}
		t.memory.store(t.argument(0), 8, b64(v))
	case strings.HasPrefix(gnu, "system_clock"), llvm == "CpuTime", strings.HasPrefix(llvm, "SystemClock"):
		t.r[assembly.RAX] = uint64(t.Program.done)
	default:
		return false
	}
	return true
}

// streams are the objects of C++'s library that programs print to and read from.
var streams = map[string]bool{"_ZSt4cout": true, "_ZSt4cerr": true, "_ZSt4clog": true, "_ZSt3cin": true}

const (
	streamBytes = 512 // enough for libstdc++'s std::ostream, which has 272
	streamFacet = 240 // where its table of characters is named, which std::endl looks at
)

// stream lays a stream of C++'s library out: its virtual table, which says that its base begins where it does, and a table of characters that is
// taken as ready.
func (p *Program) stream() uint64 {
	at, table, facet := p.allocate(streamBytes), p.allocate(64)+32, p.allocate(streamBytes)
	p.memory.store(at, 8, table)
	p.memory.store(at+streamFacet, 8, facet)
	for i := range uint64(streamBytes) {
		p.memory.store(facet+i, 1, 1)
	}
	return at
}
