// Package syntax holds the statements of C source as pieces of its text, so that a change moves text as it was written, with its macros,
// comments and spaces.
//
// Only what changes need is told apart: functions, blocks, loops with their heads, ifs, directives, and other statements. It reads the text
// before the preprocessor; what macros hide is not seen, and package dependence works on what the compiler sees. Places are offsets in
// bytes, lines and columns count from 1 as in package nest.
package syntax
