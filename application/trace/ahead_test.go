package trace_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/application/trace"
)

// A trace that is read ahead gives what it gives otherwise: the same events in the same batches, the names that are known then, and the same error.
func TestAheadGivesTheSame(t *testing.T) {
	content := []byte(namedText(100_000))
	for _, broken := range []bool{false, true} {
		if broken {
			content = append(content, "0 r nonsense\n0 r 0x10\n"...)
		}
		open := func() *trace.Reader {
			r, err := trace.Open(bytes.NewReader(content), trace.Options{Format: "text"})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		plain, ahead := open(), trace.NewAhead(open())
		batch := make([]trace.Event, 8192)
		for {
			n, err := plain.Read(batch)
			got, failed := ahead.Next()
			if !reflect.DeepEqual(got, batch[:n]) || !reflect.DeepEqual(*ahead.Names(), *plain.Names()) {
				t.Fatalf("%d events and %d names, want %d and %d", len(got), len(ahead.Names().Objects), n, len(plain.Names().Objects))
			}
			if (err == nil) != (failed == nil) || err != nil && err.Error() != failed.Error() {
				t.Fatalf("%v, want %v", failed, err)
			}
			if err != nil {
				if errors.Is(err, io.EOF) == broken {
					t.Fatal(err)
				}
				break
			}
		}
		ahead.Close()
	}
}

// Read gives the same in pieces of any length, and Close may come at any time.
func TestAheadInPieces(t *testing.T) {
	r, err := trace.Open(bytes.NewReader([]byte(namedText(30_000))), trace.Options{Format: "text"})
	if err != nil {
		t.Fatal(err)
	}
	ahead, rng, total := trace.NewAhead(r), rand.New(rand.NewPCG(1, 1)), 0
	for {
		n, err := ahead.Read(make([]trace.Event, 1+rng.IntN(20_000)))
		total += n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ahead.Close()
	if total != 30_000 {
		t.Errorf("%d events, want 30000", total)
	}
	again, err := trace.Open(bytes.NewReader([]byte(namedText(30_000))), trace.Options{Format: "text"})
	if err != nil {
		t.Fatal(err)
	}
	early := trace.NewAhead(again)
	if _, err := early.Next(); err != nil {
		t.Fatal(err)
	}
	early.Close()
}

// namedText is a trace of so many accesses, with an object before every thousandth.
func namedText(accesses int) string {
	var b bytes.Buffer
	for i := range accesses {
		if i%1000 == 0 {
			b.WriteString("object a 0x1000 64\n")
		}
		b.WriteString([]string{"0 r 0x1000\n", "1 w 0x2000 4\n"}[i%2])
	}
	return b.String()
}
