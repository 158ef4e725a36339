// Package compiled tells the cycles of a source's loops from the code that a compiler makes of them: it compiles the source with the
// compiler and the flags that are asked for, carries the code out on paper (package emulate) with most iterations of loops left out, and
// follows it through the core of a machine (package model/core). Nothing of the program is executed by this machine.
//
// Cycles are those of a core whose data are all in its first cache: what comes from farther away is added by package model/timing.
package compiled
