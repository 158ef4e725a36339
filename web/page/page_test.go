package page_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"foresee/web/page"
)

// others are scripts that whoever serves the page adds.
var others = map[string]string{"engine.js": page.NativeEngine, "xmodel.js": page.XModel(), "foresee.wasm.js": ""}

var (
	imports = regexp.MustCompile(`import\s+(?:\{([^}]*)\}\s+from\s+)?"\./([^"]+)"`)
	exports = regexp.MustCompile(`export\s+(?:async\s+)?(?:class|const|function)\s+(\w+)|export\s*\{([^}]*)\}`)
	loads   = regexp.MustCompile(`(?:src|href)="([^"#]+)"|(?:fetch|Worker)\("([^"]+)"`)
)

// texts are the page's own scripts and its text, without the editor's bundle.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(page.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(page.Files(), name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestImports finds every script that another imports, and in it every name.
func TestImports(t *testing.T) {
	all := texts(t)
	for name, text := range others {
		all[name] = text
	}
	found := 0
	for name, text := range all {
		if path.Ext(name) != ".js" || name == "editor.js" || others[name] != "" {
			continue
		}
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			of, ok := all[m[2]]
			if !ok {
				t.Errorf("%s imports %s, which is not there", name, m[2])
				continue
			}
			given := map[string]bool{}
			for _, e := range exports.FindAllStringSubmatch(of, -1) {
				given[e[1]] = true
				for _, as := range strings.Split(e[2], ",") {
					words := strings.Fields(as)
					if len(words) > 0 {
						given[words[len(words)-1]] = true
					}
				}
			}
			for _, wanted := range strings.Split(m[1], ",") {
				found++
				if wanted = strings.TrimSpace(wanted); wanted != "" && !given[wanted] {
					t.Errorf("%s imports %s of %s, which has it not", name, wanted, m[2])
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("%d imports only", found)
	}
}

// TestPolicy holds the page to its policy, under which browsers refuse what stands here: it loads its own files alone, and takes no text for HTML or a script.
func TestPolicy(t *testing.T) {
	for name, text := range texts(t) {
		if name == "editor.js" || name == "NOTICE.txt" {
			continue
		}
		for _, never := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "javascript:", "onclick="} {
			if strings.Contains(text, never) {
				t.Errorf("%s has %s", name, never)
			}
		}
		if path.Ext(name) != ".html" && path.Ext(name) != ".js" {
			continue
		}
		for _, m := range loads.FindAllStringSubmatch(text, -1) {
			to := m[1] + m[2]
			if _, ok := texts(t)[to]; !ok && !strings.HasPrefix(to, "api/") {
				if _, ok := others[to]; !ok {
					t.Errorf("%s loads %s, which is no file of the page", name, to)
				}
			}
		}
	}
}
