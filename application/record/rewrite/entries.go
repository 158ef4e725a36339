package rewrite

import (
	"strings"

	"foresee/application/assembly"
)

// entries are the names that a file's code and data speak of, descriptions for debuggers aside: labels that are not among them are places that code
// does not jump to.
func entries(text string) map[string]bool {
	spoken := map[string]bool{}
	described := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '.' {
			word, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
			switch word {
			case ".section", ".pushsection":
				described = strings.HasPrefix(strings.TrimSpace(rest), ".debug")
			case ".text", ".data", ".bss", ".previous", ".popsection", ".subsection":
				described = false
			case ".loc":
				continue
			}
		}
		if !described {
			speaks(line, spoken)
		}
	}
	return spoken
}

// speaks notes the names in a line that are not labels there.
func speaks(line string, spoken map[string]bool) {
	for i := 0; i < len(line); {
		if !inName(line[i]) {
			i++
			continue
		}
		begin := i
		for i < len(line) && inName(line[i]) {
			i++
		}
		if i == len(line) || line[i] != ':' {
			spoken[line[begin:i]] = true
		}
	}
}

func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '$'
}

// join makes one block of those that code only comes to by going on.
func join(fn *assembly.Function, spoken map[string]bool) {
	var all []*assembly.Block
	for _, b := range fn.Blocks {
		if n := len(all); n > 0 && goesOn(all[n-1]) && !entered(b, spoken) {
			all[n-1].Labels = append(all[n-1].Labels, b.Labels...)
			all[n-1].Instructions = append(all[n-1].Instructions, b.Instructions...)
			continue
		}
		all = append(all, b)
	}
	fn.Blocks = all
}

// goesOn says whether a block ends without a jump. One without code may be where data or another section begins.
func goesOn(b *assembly.Block) bool {
	if len(b.Instructions) == 0 {
		return false
	}
	x := b.Instructions[len(b.Instructions)-1]
	return !x.Opaque && !x.Inline && x.Mnemonic != "j" && x.Mnemonic != "jmp" && x.Mnemonic != "ret" && !near[x.Mnemonic]
}

// entered says whether code may come to a block otherwise: by a label that is spoken of, or that others may know.
func entered(b *assembly.Block, spoken map[string]bool) bool {
	if len(b.Labels) == 0 || len(b.Instructions) == 0 || b.Instructions[0].Inline || b.Instructions[0].Mnemonic == "endbr64" {
		return true
	}
	for _, name := range b.Labels {
		if !strings.HasPrefix(name, ".L") || spoken[name] {
			return true
		}
	}
	return false
}
