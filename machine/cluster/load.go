package cluster

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"go.yaml.in/yaml/v4"

	"foresee/internal/claims"
	"foresee/machine"
	"foresee/machine/cluster/library"
)

// Library returns the names of the clusters that foresee ships, sorted.
func Library() []string {
	files, err := fs.Glob(library.Files, "*.yaml")
	if err != nil {
		return nil // the pattern is constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	return files
}

// Load reads a cluster: one of the library by its name, or a file by its path.
func Load(nameOrFile string) (*Cluster, error) {
	if !machine.IsFile(nameOrFile) {
		data, err := library.Files.ReadFile(nameOrFile + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("unknown cluster %q; there are %s, and files NAME.yaml", nameOrFile, strings.Join(Library(), ", "))
		}
		return Parse(nameOrFile+".yaml", data)
	}
	f, err := claims.Open(nameOrFile)
	if err != nil {
		return nil, fmt.Errorf("%s: no such cluster file: %w", nameOrFile, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, machine.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return Parse(nameOrFile, data)
}

// YAML is the cluster's file.
func (c *Cluster) YAML() ([]byte, error) {
	out, err := yaml.Dump(c, yaml.WithLineWidth(-1))
	if err != nil {
		return nil, fmt.Errorf("cluster %s: cannot be written as YAML: %w", c.Name, err)
	}
	return out, nil
}
