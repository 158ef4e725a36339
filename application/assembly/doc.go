// Package assembly reads the text that compilers write with -S: functions, basic blocks, instructions with their operands, the source
// lines that they come from, and the data beside them. It reads x86-64 as GNU as and clang take it, in AT&T and Intel syntax, with the
// directives of ELF.
//
// Instructions come in one form whatever the syntax: the destination first, the mnemonic without the suffix of a size and without the v
// of AVX, and the size of every operand in bytes. So addl $1, %eax and add eax, 1 are equal, as are vaddsd and addsd but for Vex.
package assembly
