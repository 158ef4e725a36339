// Package accuracy measures how well foresee predicts, on the kernels that it ships, against oracles: exact stack
// distances, exact simulation of the same streams, and the clock. Its tables are docs/accuracy.md. The oracles stand in
// packages below foresee/internal/oracle; tools/tune trains the prior of package foresee/model/scaling.
//
// Errors of a miss ratio are shares of all accesses; errors of a hit rate are percentage points; errors of a time
// are ratios.
package accuracy
