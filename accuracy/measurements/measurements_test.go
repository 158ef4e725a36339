package measurements

import (
	"bytes"
	"os"
	"testing"
)

// The halo exchange is an example for users too, at a short path; accuracy is measured on the same values.
func TestHaloIsTheExample(t *testing.T) {
	carried, err := folder.ReadFile("smpi/smpi_halo3d.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../examples/measurements/halo3d.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(carried, example) {
		t.Error("smpi/smpi_halo3d.jsonl differs from examples/measurements/halo3d.jsonl; copy the one over the other")
	}
}
