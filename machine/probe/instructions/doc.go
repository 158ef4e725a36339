// Package instructions measures what each form of instruction costs the core that it runs on: its latency, by chains of it; what it needs
// of the core's resources, by how much it slows down operations that use nothing but one of them (blocking); and how the core forwards
// stores, crosses lines, jumps and guesses branches.
//
// No name of a port and no vendor's table goes in. The instructions are written as text, which the user's compiler assembles.
package instructions
