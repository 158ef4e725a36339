package portable_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/application/nest/portable"
	"foresee/internal/oracle/kernels"
)

// TestPortable writes every kernel and reads it again.
func TestPortable(t *testing.T) {
	err := kernels.With("SMALL", nil, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			data, err := portable.Marshal(k.Program)
			if err != nil {
				return err
			}
			got, err := portable.Unmarshal(data)
			if err != nil {
				return err
			}
			body := cmpopts.IgnoreFields(nest.Program{}, "Entry", "Exit", "Alone") // of the source, which is not kept
			if d := cmp.Diff(k.Program, got, cmpopts.IgnoreUnexported(nest.Access{}, expr.Expr{}), body); d != "" {
				t.Errorf("%s: %.600s", k.Name, d)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPortableDamaged(t *testing.T) {
	for _, text := range []string{
		``, `{`, `[]`, `{"body":[{"kind":"loop"}]}`, `{"body":[{"kind":"goto"}]}`, `{"body":[{"kind":"if"}]}`,
		`{"body":[{"kind":"statement","accesses":[{"object":3,"offset":1,"size":8}]}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":["**",1,2],"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":{"v":7},"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":9,"step":0}]}`,
		`{"body":[{"kind":"statement","flow":[{"Kind":1,"Type":3,"Args":[{"Kind":2,"N":0}]}]}]}`,
		`{"body":[{"kind":"statement","flow":[{"Kind":9,"Type":3,"From":7,"Args":[{"Kind":1,"N":0}]}]}]}`,
		`{"body":{}}`, `{"body":[7]}`, `{"body":[{"kind":"barrier"}`, `{"body":[{"kind":"barrier"}]} x`, `{"body":[{"kind":"loop","body":8}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":[7,1,2],"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":["+",1,2,3],"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":["?",1,2,3,4],"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":["+",1],"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":["+",1,null],"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":1e400,"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":0.5,"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":{"w":0},"step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":"9","step":1}]}`,
		`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":` + nestedText(`["neg",`, "1", "]", 202) + `,"step":1}]}`,
		`{"body":[` + nestedText(`{"kind":"parallel","body":[`, "", "]}", 203) + `]}`,
	} {
		if p, err := portable.Unmarshal([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", text, p)
		}
	}
}

func nestedText(open, middle, end string, n int) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// TestPortableOrder reads fields in another order, unknown ones, and nothing for lists; the last of equal keys counts.
func TestPortableOrder(t *testing.T) {
	p, err := portable.Unmarshal([]byte(`{"new":{"a":[1,{}]},"body":[{"body":[{"new":[[]],"accesses":[{"text":"a[i]","size":8,"offset":["*",{"v":0},8],"object":0}],"kind":"statement","flow":null}],
		"else":null,"step":1,"lo":3,"hi":7,"lo":0,"var":0,"kind":"loop"}],"vars":["i"],"objects":[{"Name":"a","Bytes":64}],"scalars":null,"warnings":["w"],"region":"k"}`))
	if err != nil {
		t.Fatal(err)
	}
	loop := p.Body[0].(*nest.Loop)
	access := loop.Body[0].(*nest.Stmt).Accesses[0]
	if loop.Lo.Op != expr.OpConst || loop.Lo.K != 0 || access.Object != p.Objects[0] || access.Text != "a[i]" || p.Region != "k" || len(p.Warnings) != 1 {
		t.Errorf("%+v, %+v, %+v", p, loop, access)
	}
}

// TestPortableOnce reads an expression that is deep and wide without going through it again at each depth, which would take a minute.
func TestPortableOnce(t *testing.T) {
	wide := "1"
	for range 20 {
		wide = `["+",` + wide + `,` + wide + `]`
	}
	begin := time.Now()
	if _, err := portable.Unmarshal([]byte(`{"vars":["i"],"body":[{"kind":"loop","lo":0,"hi":` + nestedText(`["neg",`, wide, "]", 180) + `,"step":1}]}`)); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("an expression takes %v", took)
	}
}

// FuzzUnmarshal reads anything, and analyses what it takes for a program.
func FuzzUnmarshal(f *testing.F) {
	err := kernels.With("MINI", []string{"gemm", "lu"}, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			data, err := portable.Marshal(k.Program)
			if err != nil {
				return err
			}
			f.Add(data)
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := portable.Unmarshal(data)
		if err != nil {
			return
		}
		again, err := portable.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := portable.Unmarshal(again); err != nil {
			t.Fatalf("written and not read again: %v", err)
		}
	})
}
