package main

import (
	"os"
	"testing"
)

// The page has the tables of today.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../models/bandwidth.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := replaced(string(page))
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != want {
		t.Error("docs/models/bandwidth.md is out of date: go generate ./docs/parameters")
	}
	if _, err := replaced("nothing"); err == nil {
		t.Error("a page without a place for the tables is taken")
	}
}
