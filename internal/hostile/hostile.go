// Package hostile holds inputs that are made to bring foresee down: small files and command lines that ask for endless work, more memory
// than there is, recursion without bottom, or numbers that do not exist. For each it says how the command must end.
//
// [Cases] gives all of them, of every verb and reader. [Case.Run] runs one with a given program, in a folder of its own, under [Most]
// of time and memory, or the bound of time that the case states with its reason. The test of this package runs those that are quick; a script runs all and writes the table of docs/reliability.md.
package hostile

import (
	"slices"
	"strings"
	"time"
)

// Case is one hostile input, and how foresee must end on it.
type Case struct {
	Name  string          // area/reader/what is wrong with it; unique
	Args  []string        // the command line; files are named as in Files
	Files map[string]Text // what lies in the folder where the command runs, by name; folders are made
	Stdin Text            // nil: empty
	Exit  []int           // the exit codes that are right; in all others it has failed
	Says  string          // what standard error must contain where the exit code is not 0, such as the place; "": nothing in particular
	// Why is, of a case that may take longer than Most, the reason. It has a bound of its own: the time of Ends, or where that is 0 it is told
	// to stop after a while, and must do so soon, with a part of its result.
	Why  string
	Ends time.Duration
}

// Text makes the content of a file; it is made when it is needed, as some are megabytes.
type Text func() []byte

// Area is the first part of the name: what of foresee is attacked.
func (c Case) Area() string {
	area, _, _ := strings.Cut(c.Name, "/")
	return area
}

// Exit codes of foresee that a case may end with.
var (
	refused = []int{1}    // the input cannot be
	usage   = []int{2}    // the command line cannot be
	taken   = []int{0}    // it is unusual, and done within the bounds
	either  = []int{0, 1} // what is right depends on more than one limit: bounded is all that matters
	wrong   = []int{1, 2} // refused, by its value or by its form
)

// Cases are all hostile inputs, in a fixed order.
func Cases() []Case {
	return slices.Concat(
		preprocessorCases(), nestingCases(), boundsCases(), sizeCases(), lexicalCases(),
		traceCases(), compressedCases(), nativeCases(),
		machineCases(), kerncraftCases(),
		measurementCases(), runFolderCases(), eventsCases(),
		flagCases(), xgraphCases(), sassCases(),
		signatureCases(), recordingCases(),
	)
}

// text is a content that is there already.
func text(s string) Text { return func() []byte { return []byte(s) } }

// repeat is a content that repeats one piece between two others.
func repeat(before, piece string, n int, after string) Text {
	return func() []byte {
		var b strings.Builder
		b.Grow(len(before) + n*len(piece) + len(after))
		b.WriteString(before)
		for range n {
			b.WriteString(piece)
		}
		b.WriteString(after)
		return []byte(b.String())
	}
}

// numbered is a content of n pieces, each made from its number.
func numbered(before string, n int, piece func(i int) string, after string) Text {
	return func() []byte {
		var b strings.Builder
		b.WriteString(before)
		for i := range n {
			b.WriteString(piece(i))
		}
		b.WriteString(after)
		return []byte(b.String())
	}
}

// odd are numbers that few readers expect.
var odd = []string{
	"-1", "0", "-0", "1e308", "1e999", "-1e308", "NaN", "Inf", "-Inf", "5e-324",
	"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1_000", "0x10", "1e18", "''",
}
