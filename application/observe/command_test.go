package observe

import "testing"

// TestCommands: the program stands for the first word that is no assignment; what follows it stays, and a shell runs more than one command. By hand.
func TestCommands(t *testing.T) {
	for command, want := range map[string]string{
		"./app 100 <in":          "exec '/p/app' 100 <in",
		"A=1 B='x y' ./app":      "A=1 B='x y' exec '/p/app'",
		"./app 1; ./app 2":       "'/p/app' 1; ./app 2",
		"./app|sort":             "'/p/app'|sort",
		"./app 1 && cat out.txt": "'/p/app' 1 && cat out.txt",
	} {
		if got := CommandOf(command, "/p/app"); got != want {
			t.Errorf("%s becomes %s, not %s", command, got, want)
		}
	}
	for command, ok := range map[string]bool{
		"./app": true, "build/app 1": true, "A=1 no-such-app-of-the-system 3": true,
		"env A=1 ./app": false, "cd .. && ./app": false, "time ./app": false, "(cd x; ./app)": false,
	} {
		if err := Check(command); (err == nil) != ok {
			t.Errorf("%s: %v", command, err)
		}
	}
}
