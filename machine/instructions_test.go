package machine

import (
	"reflect"
	"strings"
	"testing"
)

// TestInstructions writes and reads what instructions cost, and refuses what cannot be.
func TestInstructions(t *testing.T) {
	m, err := Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	if m.Instructions == nil || len(m.Instructions.Forms) < 300 {
		t.Fatal("zen4 has no instructions")
	}
	data, err := m.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "- {form: 'vaddsd x,x,x', latency: 3, slots: 1, uses: [") {
		t.Error("a form is not written in one line, or an addition does not take three cycles")
	}
	again, err := Parse("again.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Instructions, m.Instructions) {
		t.Error("what was written is not what is read")
	}
	for _, wrong := range []struct{ from, to, says string }{
		{"width: 6.28", "width: 0", "width"},
		{"load_cycles: 4\n", "load_cycles: -4\n", "load_cycles"},
		{"load_use: [0.34, ", "load_use: [", "load_use"},
		{"fetch_bytes: 64", "fetch_bytes: 48", "fetch_bytes"},
		{"copied_bytes: ", "copied_bytes: -", "copied_bytes"},
		{"reorder: 320", "reorder: -1", "windows.reorder"},
		{"{name: exp, latency: ", "{name: '', latency: ", "name"},
		{"{name: exp, latency: ", "{name: exp, latency: -", "latency"},
		{"{form: 'add r1,i', latency: 1,", "{form: '', latency: 1,", "form"},
		{"{form: 'add r1,i', latency: 1,", "{form: 'add r1,i', latency: .nan,", "latency"},
		{"uses: [0, 0, 0.41, 0, 0, 0.24]", "uses: [0, 0, 0.41, 0, 0, 0.24, 0, 0, 0, 0, 0]", "uses"},
		{"uses: [0, 0, 0.41, 0, 0, 0.24]", "uses: [1e99]", "uses"},
	} {
		text := strings.Replace(string(data), wrong.from, wrong.to, 1)
		if text == string(data) {
			t.Fatalf("nothing to replace: %s", wrong.from)
		}
		if _, err := Parse("wrong.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%s: %v", wrong.to, err)
		}
	}
}
