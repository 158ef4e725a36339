package parse

import "strings"

// bareFunction is what the statements of a file without functions become.
const bareFunction = "kernel"

// bare makes a function of the statements of a file that has none, as benchmarks of single loops are written: what stands behind the last #include
// is its body, on the lines where it stands.
func bare(text string) (string, bool) {
	sc := newScanner(text)
	statement, begins, directive, lineStart, include := false, true, false, true, false
	depth, from := 0, 0
	first, previous := "", ""
	for {
		t := sc.next()
		switch {
		case t.text == "":
			if !statement {
				return text, false
			}
			return text[:from] + "void " + bareFunction + "(void) { " + strings.TrimRight(text[from:], "\n") + "\n}\n", true
		case t.text == "\n":
			if include {
				from, statement = sc.at, false
			}
			directive, lineStart, include = false, true, false
			continue
		case t.text == "#" && lineStart:
			directive = true
		case directive && previous == "#":
			include = t.text == "include"
		}
		previous, lineStart = t.text, false
		if directive {
			continue
		}
		if depth == 0 && begins {
			first = t.text
			statement = statement || first == "for" || first == "while" || first == "do" || first == "if"
		}
		begins = false
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "{":
			if depth == 0 && !opensStatement[first] {
				if !strings.HasSuffix(strings.TrimRight(text[:sc.at-1], " \t\r\n"), "=") {
					return text, false // a function or a type
				}
			}
			depth++
		case "}":
			depth--
			begins = depth == 0
		case ";":
			begins = depth == 0
		}
	}
}

// opensStatement are words of statements that braces belong to.
var opensStatement = map[string]bool{"for": true, "while": true, "do": true, "if": true, "else": true, "{": true, "switch": true}
