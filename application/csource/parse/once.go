package parse

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// guarded is the text of a header with guards in place of #pragma once, which the parser does not know. Each line keeps its number: what is defined inside the
// guard stands where a line is empty or a comment, and at the end where none is.
func guarded(text string) string {
	if !strings.Contains(text, "once") {
		return text
	}
	lines := strings.Split(text, "\n")
	guard := fmt.Sprintf("FORESEE_ONCE_%x", sha256.Sum256([]byte(text)))[:40]
	begun, defined, comment := false, false, false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch rest, directive := strings.CutPrefix(line, "#"); {
		case comment:
			comment = !strings.Contains(line, "*/")
		case strings.LastIndex(line, "/*") > strings.LastIndex(line, "*/"):
			comment = true
		case !begun && directive && strings.Join(strings.Fields(rest), " ") == "pragma once":
			lines[i], begun = "#ifndef "+guard, true
		case begun && !defined && free(lines, i):
			lines[i], defined = "#define "+guard, true
		}
	}
	if !begun {
		return text
	}
	if !defined {
		lines = append(lines, "#define "+guard)
	}
	return strings.Join(append(lines, "#endif", ""), "\n")
}

// free tells whether a directive can take a line, which nothing continues.
func free(lines []string, i int) bool {
	line := strings.TrimSpace(lines[i])
	if i > 0 && strings.HasSuffix(strings.TrimSpace(lines[i-1]), `\`) || strings.HasSuffix(line, `\`) {
		return false
	}
	return line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") && strings.Index(line, "*/") == len(line)-2
}
