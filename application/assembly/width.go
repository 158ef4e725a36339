package assembly

import "strings"

// accessed is how many bytes of memory an instruction reads or writes whose vectors have width bytes.
func (x *Instruction) accessed(width int) int {
	name := x.Mnemonic
	if n, ok := fixedWidths[name]; ok {
		return n
	}
	switch {
	case strings.HasPrefix(name, "cvtss2"), strings.HasPrefix(name, "cvttss2"):
		return 4
	case strings.HasPrefix(name, "cvtsd2"), strings.HasPrefix(name, "cvttsd2"):
		return 8
	case strings.HasPrefix(name, "cvtsi2"), strings.HasPrefix(name, "cvtusi2"):
		return max(x.Bytes, 4)
	case halving(name):
		return halvedWidth(name, width)
	case name == "cvtps2pd", name == "cvtdq2pd", name == "cvtudq2pd":
		return width / 2
	case strings.HasPrefix(name, "pmovzx"), strings.HasPrefix(name, "pmovsx"), narrowing(name):
		return width / ratio(name[len(name)-2:])
	case strings.HasPrefix(name, "insert"), strings.HasPrefix(name, "extract"), strings.HasPrefix(name, "broadcast"):
		return pieceWidth(name)
	case strings.Contains(name, "gather"), strings.Contains(name, "scatter"):
		return elementWidth(name)
	case name == "movddup":
		if width <= 16 {
			return 8
		}
		return width
	case strings.HasSuffix(name, "sd") && !strings.HasPrefix(name, "p"):
		return 8
	case strings.HasSuffix(name, "ss"):
		return 4
	}
	return width
}

// fixedWidths are the bytes that an instruction accesses however wide its vectors are.
var fixedWidths = map[string]int{
	"movd": 4, "movq": 8, "movhpd": 8, "movlpd": 8, "movhps": 8, "movlps": 8, "movnti": 4,
	"pbroadcastb": 1, "pbroadcastw": 2, "pbroadcastd": 4, "pbroadcastq": 8, "broadcastss": 4, "broadcastsd": 8,
	"pinsrb": 1, "pinsrw": 2, "pinsrd": 4, "pinsrq": 8, "pextrb": 1, "pextrw": 2, "pextrd": 4, "pextrq": 8, "insertps": 4, "extractps": 4,
	"kmovb": 1, "kmovw": 2, "kmovd": 4, "kmovq": 8, "ldmxcsr": 4, "stmxcsr": 4,
	"prefetcht0": 0, "prefetcht1": 0, "prefetcht2": 0, "prefetchnta": 0, "prefetchw": 0,
}

// narrowing says whether an instruction writes its elements narrower than it reads them.
func narrowing(name string) bool {
	rest, ok := strings.CutPrefix(name, "pmov")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "u"), "s") // saturated
	return len(rest) == 2 && strings.Contains("bwdq", rest[:1]) && strings.Contains("bwdq", rest[1:])
}

// halving says whether a conversion makes of elements of eight bytes ones of four: cvttpd2dq, cvtpd2psy.
func halving(name string) bool {
	from, to, ok := strings.Cut(name, "2")
	switch from {
	case "cvtpd", "cvttpd", "cvtqq", "cvtuqq":
		to = strings.TrimRight(to, "xyz")
		return ok && (to == "ps" || to == "dq" || to == "udq")
	}
	return false
}

// halvedWidth is what a halving conversion reads: as AT&T's letter says, else twice what it writes, but for the oldest form, which fills half of its register.
func halvedWidth(name string, width int) int {
	switch name[len(name)-1] {
	case 'x':
		return 16
	case 'y':
		return 32
	case 'z':
		return 64
	}
	if width <= 16 {
		return width
	}
	return 2 * width
}

// ratio is how many times as wide the wider of two elements is, by their letters: bd is 4.
func ratio(letters string) int {
	const order = "bwdq"
	from, to := strings.IndexByte(order, letters[0]), strings.IndexByte(order, letters[1])
	if from > to {
		from, to = to, from
	}
	return 1 << (to - from)
}

// pieceWidth is the width of a part that is put into a vector, taken from it, or repeated in it: f64x4 is 32 bytes.
func pieceWidth(name string) int {
	switch {
	case strings.HasSuffix(name, "64x4"), strings.HasSuffix(name, "32x8"):
		return 32
	case strings.HasSuffix(name, "32x2"):
		return 8
	}
	return 16
}

// elementWidth is the width of what is gathered or scattered one by one.
func elementWidth(name string) int {
	if strings.HasSuffix(name, "ps") || strings.HasSuffix(name, "d") && !strings.HasSuffix(name, "pd") {
		return 4
	}
	return 8
}
