package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
)

// TestBundle runs modules that were put into one script: Node has what the modules would have.
func TestBundle(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node: apt-get install nodejs")
	}
	files := fstest.MapFS{
		"a.js": {Data: []byte("// First.\nimport { twice as double, word } from \"./b.js\";\nimport { one } from \"./c.js\";\nconsole.log(double(one), word);\n")},
		"b.js": {Data: []byte("import { one } from \"./c.js\";\nexport function twice(x) {\n  return 2 * x;\n}\nconst w = `export ${one}`;\nexport { w as word };\n")},
	}
	b := &bundle{files: files, added: map[string]string{"c.js": "export const one = 21;\n"}}
	script, err := b.script("a.js")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "-")
	run.Stdin = strings.NewReader(script)
	if out, err := run.CombinedOutput(); err != nil || string(out) != "42 export 21\n" {
		t.Errorf("%v: %s of\n%s", err, out, script)
	}
}

// TestBundleRefuses finds what would become another program.
func TestBundleRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, says string }{
		{"circle", "import { b } from \"./b.js\";\n", "imports itself"},
		{"default", "export default 3;\n", "export default 3"},
		{"bare", "import \"./b.js\";\n", "cannot be put"},
		{"missing", "import { x } from \"./nowhere.js\";\n", "nowhere.js"},
	} {
		files := fstest.MapFS{"a.js": {Data: []byte(tt.text)}, "b.js": {Data: []byte("import { a } from \"./a.js\";\nexport const b = 1;\n")}}
		if _, err := (&bundle{files: files}).script("a.js"); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestSaid reads the bytes of the engine back out of its script, as the page does: every byte, and those that a string of a script cannot hold.
func TestSaid(t *testing.T) {
	var all []byte
	for i := range 1 << 16 {
		all = append(all, byte(i>>8), byte(i))
	}
	text, ok := bytes.CutPrefix(said(all), []byte(before))
	text, also := bytes.CutSuffix(text, []byte(behind))
	if !ok || !also {
		t.Fatal("the script has another beginning or end")
	}
	var got []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' || c == '\r' || c == '"':
			t.Fatalf("byte %d is %q", i, c)
		case c == '\\':
			i++
			got = append(got, bytes.Replace(bytes.Replace(text[i:i+1], []byte("n"), []byte("\n"), 1), []byte("r"), []byte("\r"), 1)...)
		default:
			got = append(got, c)
		}
	}
	if !bytes.Equal(got, all) {
		t.Errorf("%d bytes became %d others", len(all), len(got))
	}
}
