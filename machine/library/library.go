// Package library holds the machine files that foresee ships.
package library

import "embed"

// Files are the machine files, one for each machine, named after it.
//
//go:embed *.yaml
var Files embed.FS
