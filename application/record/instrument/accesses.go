package instrument

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// instruction is one line of a function's body.
type instruction struct {
	result, opcode, rest string
	location             int // of !dbg; −1 where there is none
}

// parseInstruction splits a line of LLVM's text into the result, the opcode, and the rest.
func parseInstruction(line string) instruction {
	in := instruction{location: -1}
	s := strings.TrimSpace(line)
	if strings.HasPrefix(s, "%") {
		if name, after, ok := strings.Cut(s, " = "); ok && !strings.ContainsAny(name, " (") {
			in.result, s = name, after
		}
	}
	in.opcode, in.rest, _ = strings.Cut(s, " ")
	for in.opcode == "tail" || in.opcode == "musttail" || in.opcode == "notail" {
		in.opcode, in.rest, _ = strings.Cut(in.rest, " ")
	}
	if i := strings.LastIndex(s, "!dbg !"); i >= 0 {
		digits := s[i+len("!dbg !"):]
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end]
		}
		in.location = parseNumber(digits)
	}
	return in
}

// Access is what a segment does to memory at one place.
type Access struct {
	Write bool
	Size  int64 // bytes; 0: a block, whose length is recorded with its address
	Line  int   // of the source; 0 where it is not known
}

// found is an access with the way to compute its address.
type found struct {
	Access
	pointer string // typed: "ptr %4"
	length  string // typed, of blocks: "i64 %n"
	offset  int64  // bytes from the pointer
	lane    int    // of vectors of pointers; −1: one pointer
	pointed string // typed vector of pointers
	mask    string // typed vector of i1, or empty: the access happens where it is set
	lanes   int
	word    int // in its segment
}

// mostAccess is the most bytes of an access that is recorded, as of one in a trace. Compilers copy what is larger as blocks.
const mostAccess = 1 << 20

// accesses finds what an instruction does to memory. Unseen is true where it does what cannot be recorded.
func (m *module) accesses(in instruction) (all []found, unseen bool) {
	rest := in.rest
	for _, word := range []string{"atomic ", "weak ", "volatile "} {
		rest = strings.TrimPrefix(rest, word)
	}
	switch in.opcode {
	case "load":
		parts := splitList(rest)
		if len(parts) >= 2 {
			all = append(all, m.plain(false, parts[0], parts[1]))
		}
	case "store":
		parts := splitList(rest)
		if len(parts) >= 2 {
			typ, _ := takeType(parts[0])
			all = append(all, m.plain(true, typ, parts[1]))
		}
	case "atomicrmw":
		_, operands, _ := strings.Cut(rest, " ")
		parts := splitList(operands)
		if len(parts) >= 2 {
			typ, _ := takeType(parts[1])
			all = append(all, m.plain(false, typ, parts[0]), m.plain(true, typ, parts[0]))
		}
	case "cmpxchg":
		parts := splitList(rest)
		if len(parts) >= 2 {
			typ, _ := takeType(parts[1])
			all = append(all, m.plain(false, typ, parts[0]), m.plain(true, typ, parts[0]))
		}
	case "call", "invoke":
		name, arguments := callee(rest)
		all, unseen = m.callAccesses(name, arguments)
	}
	if slices.ContainsFunc(all, func(f found) bool { return f.Size > mostAccess }) {
		return nil, true
	}
	for i := range all {
		if in.location >= 0 {
			all[i].Line = m.debug.place(in.location).Line
		}
	}
	return all, unseen
}

func (m *module) plain(write bool, typ, pointer string) found {
	t, v, _ := takeTyped(pointer)
	return found{Access: Access{Write: write, Size: max(m.types.size(typ), 1)}, pointer: t + " " + v, lane: -1}
}

// callee gives the name of the called function without @ and quotation marks, empty of an indirect call, and the text
// of the arguments.
func callee(rest string) (name, arguments string) {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '@', '%':
			v, after := takeValue(rest[i:])
			if strings.HasPrefix(after, "(") {
				n := balanced(after)
				if n < 2 {
					return "", ""
				}
				if rest[i] == '%' {
					return "", after[1 : n-1]
				}
				return strings.Trim(v[1:], `"`), after[1 : n-1]
			}
			i += len(v) - 1
		case '"':
			i += max(strings.IndexByte(rest[i+1:], '"'), 0) + 1
		}
	}
	return "", ""
}

// callAccesses are the accesses of a call that is known to make some; unseen says that it makes others as well.
func (m *module) callAccesses(name, arguments string) (all []found, unseen bool) {
	args := splitList(arguments)
	block := func(write bool, arg int) {
		t, v, _ := takeTyped(args[arg])
		lt, lv, _ := takeTyped(args[2])
		if lt != "i64" && lt != "i32" {
			return
		}
		if n, err := strconv.ParseInt(lv, 10, 64); err == nil && n >= 0 && n <= expandedBlock {
			all = append(all, expanded(write, t+" "+v, n)...)
			return
		}
		all = append(all, found{Access: Access{Write: write}, pointer: t + " " + v, length: lt + " " + lv, lane: -1})
	}
	switch {
	case len(args) >= 3 && blockCopy(name):
		block(false, 1)
		block(true, 0)
	case len(args) >= 3 && blockSet(name):
		block(true, 0)
	case strings.HasPrefix(name, "llvm.masked.load."), strings.HasPrefix(name, "llvm.masked.store."):
		return m.masked(strings.HasPrefix(name, "llvm.masked.store."), args), false
	case strings.HasPrefix(name, "llvm.masked.gather."), strings.HasPrefix(name, "llvm.masked.scatter."):
		return m.gathered(strings.HasPrefix(name, "llvm.masked.scatter."), args), false
	case strings.HasPrefix(name, "llvm.masked.expandload"), strings.HasPrefix(name, "llvm.masked.compressstore"),
		strings.HasPrefix(name, "llvm.x86.") && (strings.Contains(name, "gather") || strings.Contains(name, "scatter") || strings.Contains(name, "maskload") || strings.Contains(name, "maskstore")):
		return nil, true
	}
	return all, false
}

// expandedBlock is the length, in bytes, up to which compilers put moves in the place of a block copy; expandedPiece is that of
// a move, without the user's flags for a processor.
const (
	expandedBlock = 128
	expandedPiece = 16
)

// expanded splits an access of many bytes into pieces.
func expanded(write bool, pointer string, bytes int64) (all []found) {
	for at := int64(0); at < bytes; at += expandedPiece {
		size := min(bytes-at, expandedPiece)
		all = append(all, found{Access: Access{Write: write, Size: size}, pointer: pointer, offset: at, lane: -1})
	}
	return all
}

func blockCopy(name string) bool {
	return strings.HasPrefix(name, "llvm.memcpy.") || strings.HasPrefix(name, "llvm.memmove.") || name == "memcpy" || name == "memmove"
}

func blockSet(name string) bool {
	return strings.HasPrefix(name, "llvm.memset.") || name == "memset"
}

// operands of masked accesses: the value comes first where they write.
func maskedOperands(write bool, args []string) (value, pointer, mask string, ok bool) {
	if write {
		if len(args) < 4 {
			return "", "", "", false
		}
		return args[0], args[1], args[3], true
	}
	if len(args) < 4 {
		return "", "", "", false
	}
	return args[3], args[0], args[2], true
}

// masked are the accesses of a load or store of a vector under a mask: one for each lane.
func (m *module) masked(write bool, args []string) []found {
	value, pointer, mask, ok := maskedOperands(write, args)
	if !ok {
		return nil
	}
	typ, _ := takeType(value)
	t, v, _ := takeTyped(pointer)
	mt, mv, _ := takeTyped(mask)
	n, _ := lanes(typ)
	return []found{{
		Access: Access{Write: write, Size: max(m.types.size(typ), 1)}, pointer: t + " " + v, lane: -1, mask: mt + " " + mv, lanes: int(n),
	}}
}

// gathered are those of a load or store of lanes that lie apart.
func (m *module) gathered(write bool, args []string) []found {
	value, pointers, mask, ok := maskedOperands(write, args)
	if !ok {
		return nil
	}
	typ, _ := takeType(value)
	t, v, _ := takeTyped(pointers)
	mt, mv, _ := takeTyped(mask)
	n, element := lanes(typ)
	var all []found
	for lane := range int(n) {
		all = append(all, found{
			Access: Access{Write: write, Size: max(m.types.size(element), 1)}, pointed: t + " " + v, mask: mt + " " + mv, lane: lane, lanes: int(n),
		})
	}
	return all
}

// String gives the access as it stands in the text of a module: r or w, size (0 of a block), line.
func (a Access) String() string {
	kind := "r"
	if a.Write {
		kind = "w"
	}
	return fmt.Sprintf("%s%d:%d", kind, a.Size, a.Line)
}

// parseAccess reads one as the table of a program writes it.
func parseAccess(s string) (a Access, err error) {
	size, line, ok := strings.Cut(s, ":")
	if !ok || len(size) < 2 || (size[0] != 'r' && size[0] != 'w') {
		return a, fmt.Errorf("access %q: want r8:12 or w8:12", s)
	}
	a.Write = size[0] == 'w'
	if a.Size, err = strconv.ParseInt(size[1:], 10, 32); err != nil || a.Size < 0 {
		return a, fmt.Errorf("access %q: size", s)
	}
	if a.Line, err = strconv.Atoi(line); err != nil || a.Line < 0 {
		return a, fmt.Errorf("access %q: line", s)
	}
	return a, nil
}
