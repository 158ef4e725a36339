package xmodel

import (
	"math"
	"testing"
	"time"
)

// TestSupplyWithoutEnd comes to an end where memory gives more than any number of threads could ask for.
func TestSupplyWithoutEnd(t *testing.T) {
	p := &Params{N: 100, Z: 1, E: 0.003, M: 0.35, R: math.MaxFloat64, L: 600, Cache: &Cache{Size: 16384, Latency: 20, Alpha: 10, Beta: 3072}}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	done := make(chan Points, 1)
	go func() { done <- p.Points() }()
	select {
	case at := <-done:
		if !(at.Pi > 0) {
			t.Errorf("%+v", at)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}
