package nest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
)

// TestPortable writes every kernel and reads it again.
func TestPortable(t *testing.T) {
	err := kernels.With("SMALL", nil, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			data, err := nest.MarshalProgram(k.Program)
			if err != nil {
				return err
			}
			got, err := nest.UnmarshalProgram(data)
			if err != nil {
				return err
			}
			if d := cmp.Diff(k.Program, got, cmpopts.IgnoreUnexported(nest.Access{})); d != "" {
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
	} {
		if p, err := nest.UnmarshalProgram([]byte(text)); err == nil {
			t.Errorf("%s: read as %+v", text, p)
		}
	}
}

// FuzzUnmarshalProgram reads anything, and analyses what it takes for a program.
func FuzzUnmarshalProgram(f *testing.F) {
	err := kernels.With("MINI", []string{"gemm", "lu"}, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			data, err := nest.MarshalProgram(k.Program)
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
		p, err := nest.UnmarshalProgram(data)
		if err != nil {
			return
		}
		again, err := nest.MarshalProgram(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := nest.UnmarshalProgram(again); err != nil {
			t.Fatalf("written and not read again: %v", err)
		}
	})
}
