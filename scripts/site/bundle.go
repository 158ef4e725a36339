package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// The forms of imports and exports that the page's modules have; a test of package page holds them to these.
var (
	imported = regexp.MustCompile(`(?m)^import\s+\{([^}]*)\}\s+from\s+"\./([^"]+)";\n`)
	exported = regexp.MustCompile(`(?m)^export\s+((?:async\s+)?(?:class|const|function)\s+)(\w+)`)
	listed   = regexp.MustCompile(`export\s*\{([^}]*)\};?\s*$`)
	renamed  = regexp.MustCompile(`(\w+)\s+as\s+(\w+)`)
)

// bundle makes one plain script of a module and all that it imports: browsers load no modules from files, only from servers.
type bundle struct {
	files fs.FS
	added map[string]string // beside the files, by name
	done  map[string]bool   // false: it is being put in
	text  strings.Builder
}

// script is the text of the script.
func (b *bundle) script(name string) (string, error) {
	b.done = map[string]bool{}
	b.text.WriteString("(() => {\n\"use strict\";\nconst modules = {};\n")
	if err := b.put(name); err != nil {
		return "", err
	}
	b.text.WriteString("})();\n")
	return b.text.String(), nil
}

// put writes a module as a function that is called once, behind those that it imports.
func (b *bundle) put(name string) error {
	if whole, met := b.done[name]; whole {
		return nil
	} else if met {
		return fmt.Errorf("%s imports itself by way of others", name)
	}
	b.done[name] = false
	text, ok := b.added[name]
	if !ok {
		read, err := fs.ReadFile(b.files, name)
		if err != nil {
			return err
		}
		text = string(read)
	}
	for _, m := range imported.FindAllStringSubmatch(text, -1) {
		if err := b.put(m[2]); err != nil {
			return err
		}
	}
	body, err := plain(name, text)
	if err != nil {
		return err
	}
	b.text.WriteString(body)
	b.done[name] = true
	return nil
}

// plain is a module as a statement of a script.
func plain(name, text string) (string, error) {
	var given []string
	text = imported.ReplaceAllStringFunc(text, func(s string) string {
		m := imported.FindStringSubmatch(s)
		return fmt.Sprintf("const {%s} = modules[%q];\n", renamed.ReplaceAllString(m[1], "$1: $2"), m[2])
	})
	for _, m := range exported.FindAllStringSubmatch(text, -1) {
		given = append(given, m[2])
	}
	text = exported.ReplaceAllString(text, "$1$2")
	if m := listed.FindStringSubmatch(text); m != nil {
		given = append(given, strings.TrimSpace(renamed.ReplaceAllString(m[1], "$2: $1")))
		text = listed.ReplaceAllString(text, ";")
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ") {
			return "", fmt.Errorf("%s has %q, which cannot be put into one script", name, strings.TrimSpace(line))
		}
	}
	return fmt.Sprintf("modules[%q] = (() => {\n%s\nreturn { %s };\n})();\n", name, text, strings.Join(given, ", ")), nil
}
