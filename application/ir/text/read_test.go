package text

import (
	"fmt"
	"os"
	"testing"
)

func TestTmp(t *testing.T) {
	for _, f := range []string{"/tmp/t/opt.ll", "/tmp/t/raw.ll"} {
		b, _ := os.ReadFile(f)
		m, err := Read(string(b))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Functions {
			if f.Name != "main" && f.Name != "_Z5triadRSt6vectorIdSaIdEERKS1_S4_d" {
				continue
			}
			fmt.Println(f.Name, len(f.Params))
			for _, b := range f.Blocks {
				fmt.Println(b.Name)
				for _, in := range b.Insts {
					fmt.Printf("   %s = %s", in.Name, in.Op)
					for _, a := range in.Args {
						fmt.Printf(" %d:%s:%d", a.Kind, a.Name, a.Int)
					}
					fmt.Println(in.Blocks, in.Callee.Name, m.Place(in.Debug))
				}
			}
		}
	}
}
