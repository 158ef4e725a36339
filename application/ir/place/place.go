// Package place says what a run tells of a function in LLVM's IR: values by their names there, and what pointers lead to.
package place

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/csource"
	"foresee/application/nest/expr"
)

// Of is where a run tells the value that an instruction or parameter of a function of a module has, by its name in the IR.
func Of(function, name string) csource.Place {
	return csource.Place{Function: function, Text: "%" + name}
}

// SpanOf is where a run tells how many bytes are in front of the end of a vector that is loaded.
func SpanOf(function, name string) csource.Place {
	return csource.Place{Function: function, Text: spanned + "%" + name}
}

// IterationsOf is where a run tells how often control comes to a block, the header of a loop, from when it is entered until it is left.
func IterationsOf(function, header string) csource.Place {
	return csource.Place{Function: function, Text: counted + "%" + header}
}

// Beginnings of the texts of places that are no values by themselves.
const (
	spanned = "bytes before "
	counted = "iterations from "
	phased  = "bytes into a line of "
	where   = "foresee_where("
	inOrder = "foresee_in_order("
)

// LineBytes is how long a line is that a pointer leads into: those of most caches, and half of those of others.
const LineBytes = 64

// PhaseOf is where a run tells how many bytes a pointer of a function leads behind the begin of a line, by its name.
func PhaseOf(function, pointer string) csource.Place {
	return csource.Place{Function: function, Text: phased + pointer}
}

// IsPhase tells a place that PhaseOf made.
func IsPhase(p csource.Place) bool {
	_, form := ValueAt(p)
	return form == Phase
}

// TableOf is where a run tells the array of integers, of so many bytes each, with a sign or not, that a pointer leads to, by the name of the pointer.
func TableOf(function, pointer string, size int64, signed bool) csource.Place {
	return csource.Place{Function: function, Text: fmt.Sprintf(tableForm, pointer, size, expr.Truth(signed))}
}

// tableForm is how C asks for an array whose length the run finds.
const tableForm = "foresee_table(%s, %d, 0, %d)"

// MembersOf is where a run tells integers that lie apart behind a pointer of a function: at the bytes first, first + step and so on.
func MembersOf(function, pointer string, first, step, size int64, signed bool) csource.Place {
	return spreadOf(function, "members", pointer, first, step, size, signed)
}

// RowsOf is where a run tells the integers in rows, by a pointer of a function to where the addresses of those stand: every step words, from the first on.
func RowsOf(function, pointer string, first, step, size int64, signed bool) csource.Place {
	return spreadOf(function, "rows", pointer, first, step, size, signed)
}

func spreadOf(function, how, pointer string, first, step, size int64, signed bool) csource.Place {
	return csource.Place{Function: function, Text: fmt.Sprintf("foresee_%s(%s, %d, %d, %d, %d)", how, pointer, first, step, size, expr.Truth(signed))}
}

// WhereOf is where a run tells which block of memory a pointer of a function leads to, by the name of the pointer.
func WhereOf(function, pointer string) csource.Place {
	return csource.Place{Function: function, Text: where + pointer + ")"}
}

// InOrderOf is where a run tells the numbers that an instruction of a function gives, one after the other, by its name.
func InOrderOf(function, name string) csource.Place {
	return csource.Place{Function: function, Text: inOrder + "%" + name + ")"}
}

// Array is an array of integers that a place is of: those that a pointer leads to, or those in rows.
type Array struct {
	Pointer string // with its sigil
	Rows    bool
	// First and Step say where the addresses of the rows stand, in words behind the pointer, or where integers lie that lie apart, in bytes: at First,
	// First + Step and so on. Step is 0 where integers lie one after the other.
	First, Step int64
	Size        int64 // bytes of an integer
	Signed      bool
}

// ArrayAt is the array that a place is of; false of other places.
func ArrayAt(p csource.Place) (a Array, ok bool) {
	if m := inTableForm.FindStringSubmatch(p.Text); m != nil {
		a = Array{Pointer: m[1], Size: number(m[2]), Signed: m[3] == "1"}
	} else if m := spreadForm.FindStringSubmatch(p.Text); m != nil {
		a = Array{Rows: m[1] == "rows", Pointer: m[2], First: number(m[3]), Step: number(m[4]), Size: number(m[5]), Signed: m[6] == "1"}
	}
	return a, a.Size > 0
}

// number is what digits mean; 0 of too many.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 32)
	return n
}

var (
	inTableForm = regexp.MustCompile(`^foresee_table\((.*), (\d+), 0, ([01])\)$`)
	spreadForm  = regexp.MustCompile(`^foresee_(rows|members)\((.*), (\d+), (\d+), (\d+), ([01])\)$`)
)

// Form tells what a place is of.
type Form uint8

// Forms of places: a value; how far a value is from the address that lies in front of it in memory; how often control comes to a block, from when it comes
// there from outside the loop that the block begins; which block of memory a pointer leads to; the numbers that
// an instruction gives, one after the other; how far behind the begin of a line a pointer leads.
const (
	Value Form = iota
	Span
	Iterations
	Where
	InOrder
	Phase
)

// begins are the beginnings of the texts of all forms but values.
var begins = [...]string{Span: spanned, Iterations: counted, Where: where, InOrder: inOrder, Phase: phased}

// ValueAt is the value or block of the IR that a place is of; of a global variable the name has its sigil.
func ValueAt(p csource.Place) (name string, form Form) {
	name = p.Text
	for f, begin := range begins {
		if rest, ok := strings.CutPrefix(p.Text, begin); ok && begin != "" {
			name, form = rest, Form(f)
		}
	}
	if form == Where || form == InOrder {
		name = strings.TrimSuffix(name, ")")
	}
	return strings.TrimPrefix(name, "%"), form
}
