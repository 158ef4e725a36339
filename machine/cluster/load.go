package cluster

import (
	"fmt"
	"io"

	"foresee/internal/claims"
	"foresee/machine"
)

// Load reads a cluster file.
func Load(path string) (*Cluster, error) {
	f, err := claims.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such cluster file: %w", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, machine.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}
