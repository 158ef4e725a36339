// Package report shows results: as text for a terminal, JSON, CSV, SVG and PNG plots, and one self-contained HTML
// page. It computes nothing about programs or machines.
//
// This package holds what all forms share: JSON, the results that are made for showing alone (machines, messages of
// MPI ranks, drift), how numbers print, and how predictions are grouped. Package text writes tables and CSV, package
// figure draws, and package page writes HTML with the figures inside.
//
// Equal results give equal bytes: no clock, no random numbers, no order of maps.
//
// Units: sizes print as KiB, MiB and GiB (1024); bandwidth in GB/s = 1e9 B/s; times as s, ms, µs or ns; hit rates in
// percent, miss ratios as numbers between 0 and 1.
package report
