package instrument

import "strings"

// lastBlocks finds the blocks of a function that only the thread which ran the last iteration of a worksharing loop runs:
// those that copy lastprivate variables out. clang tests the variable that __kmpc_dispatch_next sets for this.
func lastBlocks(lines []string) map[string]bool {
	flags := map[string]bool{}
	for _, l := range lines {
		if !strings.Contains(l, "@__kmpc_dispatch_next_") {
			continue
		}
		name, arguments := callee(l)
		if args := splitList(arguments); strings.HasPrefix(name, "__kmpc_dispatch_next_") && len(args) > 2 {
			_, v, _ := takeTyped(args[2])
			flags[v] = true
		}
	}
	if len(flags) == 0 {
		return nil
	}
	blocks := map[string]bool{}
	values := map[string]bool{}  // loaded from a flag
	tests := map[string]string{} // comparisons of these with 0: eq or ne
	for _, l := range lines {
		if !isInstruction(l) {
			continue
		}
		in := parseInstruction(l)
		switch in.opcode {
		case "load":
			if parts := splitList(in.rest); len(parts) > 1 {
				_, v, _ := takeTyped(parts[1])
				values[in.result] = values[in.result] || flags[v]
			}
		case "icmp":
			if parts := splitList(in.rest); len(parts) > 1 && strings.HasPrefix(parts[1], "0") {
				how, operand, _ := strings.Cut(parts[0], " ")
				_, v, _ := takeTyped(operand)
				if values[v] {
					tests[in.result] = how
				}
			}
		case "br":
			parts := splitList(in.rest)
			if len(parts) < 3 {
				continue
			}
			_, v, _ := takeTyped(parts[0])
			switch tests[v] {
			case "eq":
				blocks[labelOf(parts[2])] = true
			case "ne":
				blocks[labelOf(parts[1])] = true
			}
		}
	}
	return blocks
}

// labelOf gives the name in "label %24".
func labelOf(operand string) string {
	name, _ := takeValue(strings.TrimPrefix(strings.TrimSpace(operand), "label "))
	return strings.TrimPrefix(name, "%")
}
