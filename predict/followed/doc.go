// Package followed tells what the machine code of a recorded program takes on the core of a machine: the instructions that ran are followed
// through it (package model/core), with the branches that were taken and the addresses that were accessed, all data being in the first cache. What
// comes from farther away is added by package model/timing; of that, this package tells how much of it waits for what came before.
//
// What ran is handed over in batches, which are followed while more is read; whoever asks for a result waits for them.
//
// Long runs are followed in windows, the farther apart the longer a region has run; each stretch of code takes on average what it took in them.
//
// Units: cycles of the core, instructions.
package followed
