package csource

import ("testing";"os";"strings";"fmt")

func TestShow(t *testing.T) {
	f := os.Getenv("SHOW")
	if f == "" { t.Skip() }
	debugPanics = true
	u, err := Load(f, nil, Options{Defines: strings.Fields(os.Getenv("DEFS"))})
	if err != nil { t.Fatal(err) }
	for _, p := range u.Programs { fmt.Print(dump(p)) }
	fmt.Println(u.Skipped)
}
