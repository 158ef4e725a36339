// Package text reads the textual form of LLVM's intermediate representation (.ll) as versions 14 to 19 print it, with pointers that name what
// they point at and with those that do not: types with their sizes, globals, functions with their basic blocks and instructions, and the debug
// information that tells source lines and names.
//
// What it does not know of an instruction is left out, and the instruction keeps its name and its result: whoever reads the module takes such a
// value as unknown. Sizes and alignments are those of 64-bit systems with natural alignment, as the data layouts of x86-64 and AArch64 have them.
package text
