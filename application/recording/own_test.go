package recording

import (
	"slices"
	"testing"

	"foresee/internal/tracetest"
)

// What a thread of the program's own did before it woke another one comes first, what is of one phase is mixed; the region is named after what such a
// thread runs first, not after what the initial one does meanwhile.
func TestOwnThreads(t *testing.T) {
	p := newTape(2, false)
	p.flush()
	p.record(typeEnter, 0, varints(0x401000, 2, 1))
	p.piece(0, pieceEach, 0, 1) // the initial thread, after the first one
	p.run(2, 0x9000, 0x9100)
	p.piece(1, pieceEach, 1, 0)
	p.run(1, 0x1000)
	p.run(1, 0x2000)
	p.piece(0, pieceEach, 2, 0)
	p.run(1, 0x3000)
	p.leave()
	p.end()
	r, err := NewTeam(NewScanner(p), Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := tracetest.All(r)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, e := range all {
		if e.IsAccess() {
			got = append(got, e.Address)
		}
	}
	if want := []uint64{0x3000, 0x1000, 0x2000, 0x9000, 0x9100}; !slices.Equal(got, want) {
		t.Errorf("%#x, want %#x", got, want)
	}
	place := r.Code.Segments[1].Place
	if name := r.Regions()[0].Name; len(r.Regions()) != 1 || name != ownName(place.Function, place.Line) {
		t.Errorf("the region is called %q", name)
	}
}

// Names of functions without what templates add.
func TestShortFunction(t *testing.T) {
	for name, want := range map[string]string{
		"work": "work",
		"std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#1}> > >::_M_run": "main",
		"pool::run<int>": "pool::run",
		"operator()":     "operator()",
	} {
		if got := shortFunction(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
