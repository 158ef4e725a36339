package instructions

import (
	"context"
	"encoding/json"
	"os"
	"sort"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	b := time.Now()
	m, err := Measure(context.Background(), []string{"gcc"}, t.TempDir(), true, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(b))
	c := m.Costs()
	var ks []string
	for k := range c {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	for _, k := range ks {
		t.Log(k, c[k].Latency, c[k].Slots, c[k].Uses)
	}
	t.Logf("%+v", m.Values())
	for k, v := range m.Cycles {
		if len(k) < 5 || k[:5] == "base|" {
			t.Log(k, 24/v)
		}
	}
	j, _ := json.Marshal(map[string]any{"costs": c, "values": m.Values()})
	os.WriteFile("/tmp/t1/core.json", j, 0o644)
}
