// Package library holds the files of described clusters. What nobody has published of them is chosen, and its source says so.
package library

import "embed"

// Files are NAME.yaml.
//
//go:embed *.yaml
var Files embed.FS
