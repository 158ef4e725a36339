package csource

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime/pprof"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*.c")
	var seeds []string
	for _, f := range files {
		b, _ := os.ReadFile(f)
		seeds = append(seeds, string(b))
	}
	for _, c := range wrong {
		if c.name != "too many" {
			seeds = append(seeds, c.src)
		}
	}
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	end := time.Now().Add(150 * time.Second)
	debugPanics = true
	n := 0
	for time.Now().Before(end) {
		s := []byte(seeds[r.Intn(len(seeds))])
		for k := 0; k < 1+r.Intn(4); k++ {
			i := r.Intn(len(s))
			j := i + r.Intn(min(len(s)-i, 30))
			switch r.Intn(5) {
			case 0:
				s = append(s[:i:i], s[j:]...)
			case 1:
				s[i] = "(){}[];,*&+-=<>?:#ia09.\"'"[r.Intn(25)]
			case 2:
				o := []byte(seeds[r.Intn(len(seeds))])
				a := r.Intn(len(o))
				b := a + r.Intn(min(len(o)-a, 40))
				s = append(append(append([]byte{}, s[:i]...), o[a:b]...), s[i:]...)
			case 3:
				s = append(append(append([]byte{}, s[:i]...), s[i:j]...), s[i:]...)
			case 4:
				k := r.Intn(len(s))
				if k > j {
					s = append(append(append([]byte{}, s[:i]...), s[j:k]...), append(s[i:j:j], s[k:]...)...)
				}
			}
			if len(s) == 0 {
				break
			}
		}
		done := make(chan any, 1)
		go func() {
			defer func() {
				if x := recover(); x != nil {
					done <- x
				} else {
					done <- nil
				}
			}()
			u, err := Load("f.c", s, Options{Defines: []string{"n=8"}, Includes: []string{"testdata/include"}})
			if err == nil {
				for _, p := range u.Programs {
					checkProgram(t, p)
				}
				if t.Failed() {
					panic("malformed")
				}
			}
		}()
		select {
		case x := <-done:
			if x != nil {
				fmt.Printf("PANIC %v\n----\n%s\n----\n", x, s)
				os.Exit(1)
			}
		case <-time.After(5 * time.Second):
			fmt.Printf("HANG\n----\n%s\n----\n", s)
			pprof.Lookup("goroutine").WriteTo(os.Stdout, 2)
			os.Exit(1)
		}
		n++
	}
	fmt.Println(n, "runs")
}
