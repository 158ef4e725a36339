// Package mpi runs MPI programs as they are and records their messages: calls, bytes and seconds of every rank, by
// function, communicator size and size of the message, and who sends to whom.
//
// The recorder is a shared library, written in C and embedded (folder recorder). It is compiled on first use, needs no
// MPI headers, and is loaded before the MPI library of a dynamically linked program. Programs in C, C++, Fortran (all
// three bindings) and Python, under OpenMPI, MPICH and what is made from MPICH, are recorded alike.
//
// The method is that of the profiling interface of the MPI standard (MPI 4.0, chapter 15), with its second names
// (PMPI) taken as well, through which the Fortran bindings call.
//
// Record leaves a folder, which counters.ReadRun reads: run.json, a file of text for each rank, and the counters of
// callgrind or perf where they were asked for.
package mpi
