package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestSchemasAreCurrent(t *testing.T) {
	for _, k := range kinds {
		want, err := k.schema()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", k.file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/schema/%s is out of date: go generate ./docs/schema/generate", k.file)
		}
	}
}
