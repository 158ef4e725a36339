package main

import "testing"

// The engine answers what the page asks of each kernel that is timed, and takes time for it.
func TestNative(t *testing.T) {
	if ms, err := native(request("gemm", first)); err != nil || ms <= 0 {
		t.Errorf("%v ms, %v", ms, err)
	}
	if _, err := native(request("no-kernel", first)); err == nil {
		t.Error("what is no kernel has a time")
	}
}
