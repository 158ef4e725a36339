// Package sass reads the disassembly of GPU code that cuobjdump -sass prints: kernels, basic blocks, instructions by kind, issue
// control.
//
// A [Listing] is a file: what cuobjdump -sass or nvdisasm prints, for one or more architectures, with what cuobjdump -res-usage prints
// before or after it. A [Kernel] is a function of it. Its [Flow] is the basic blocks and natural loops, and from a choice of these a
// [Workload] is counted: Z and E of the X-model.
//
// Sources. The listing's form and the names of instructions: NVIDIA, CUDA Binary Utilities, "cuobjdump", "nvdisasm" and "Instruction
// Set Reference". Control words: of Kepler, envytools, "Fermi CUDA ISA", notes about scheduling data and dual-issue; of Maxwell and Pascal,
// Gray, maxas, wiki page "Control Codes"; of Volta and later, Jia, Maggioni, Staiger and Scarpazza, "Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking", section 2.1. What Z and E count: Li et al., "X: A Comprehensive Analytic Model for Parallel Machines",
// section V.
package sass
