package trace

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"foresee/internal/encoding"
)

// containerStart is how many bytes tell a container.
const containerStart = 4

// container gives the name of the container that begins so, empty where it is none.
func container(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b, 8}):
		return "gzip"
	case bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

// Detect gives the format of a trace that begins so, empty where it is none. A few kilobytes tell more surely than a
// few lines: lines of accesses must not be fewer than others, and others must not look like C.
func Detect(start []byte) string {
	for range 2 {
		inner := decompressed(start)
		if inner == nil {
			break
		}
		start = inner
	}
	return detect(encoding.WithoutMark(start))
}

// decompressed gives the start of what is in a container, nil where there is none.
func decompressed(start []byte) []byte {
	var inner io.Reader
	switch container(start) {
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(start))
		if err != nil {
			return nil
		}
		inner = z
	case "zstd":
		z, err := zstd.NewReader(bytes.NewReader(start), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil
		}
		defer z.Close()
		inner = z
	default:
		return nil
	}
	// The start of a container ends in the middle of it.
	content, _ := io.ReadAll(io.LimitReader(inner, window))
	return content
}

// detect tells the format of what is not compressed.
func detect(start []byte) string {
	if bytes.HasPrefix(start, []byte(nativeMagic)) {
		return "native"
	}
	all := wholeLines(start[:min(len(start), window)])
	if format := byHeader(all); format != "" {
		return format
	}
	if isXdin(all) {
		return "xdin"
	}
	for _, format := range []string{"lackey", "drmemtrace", "text", "din"} {
		if votes(format, all) {
			return format
		}
	}
	return ""
}

// wholeLines splits at newlines, which stay, and leaves out a last line that may not be whole, unless it is the only one.
func wholeLines(start []byte) [][]byte {
	all := bytes.SplitAfter(start, []byte{'\n'})
	last := len(all) - 1
	if last > 0 {
		return all[:last]
	}
	return [][]byte{append(bytes.Clone(all[0]), '\n')}
}

// byHeader knows tools by what they print before the accesses.
func byHeader(all [][]byte) string {
	first := true
	for _, line := range all {
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			continue
		}
		if first && !bytes.HasPrefix(trimmed, []byte("==")) && !bytes.HasPrefix(trimmed, []byte("Output format:")) &&
			!bytes.HasPrefix(trimmed, []byte(viewHeader)) {
			return ""
		}
		first = false
		switch {
		case bytes.HasPrefix(line, []byte("==")) && bytes.Contains(line, []byte("== Lackey,")):
			return "lackey"
		case bytes.HasPrefix(line, []byte(viewHeader)):
			return "drmemtrace"
		}
	}
	return ""
}

const viewHeader = "<--record#->"

// votes says whether the lines are of a format: whether at least one is an access, as many as others that the format
// does not know, and none of those looks like C. Lines of the right shape that cannot be count for neither.
func votes(format string, all [][]byte) bool {
	p := map[string]parser{"lackey": &lackey{}, "drmemtrace": &drmemtrace{}, "text": &text{}, "din": &din{}}[format]
	var events [2]Event
	accesses, others := 0, 0
	for _, line := range all {
		before := p.state().ignored
		_, made, f := p.parse(line, events[:])
		switch {
		case made > 0 && events[0].Kind <= Fetch:
			accesses++
		case f != nil && f.unlike, p.state().ignored > before:
			if looksLikeC(line) {
				return false
			}
			if !isChatter(line) {
				others++
			}
		}
	}
	return accesses > 0 && accesses >= others
}

// isChatter knows lines that valgrind and DynamoRIO put between the accesses.
func isChatter(line []byte) bool {
	return bytes.HasPrefix(line, []byte("==")) || bytes.HasPrefix(line, []byte("--")) || bytes.Contains(line, []byte("<marker:"))
}

// looksLikeC says whether a line ends or begins as most of C does.
func looksLikeC(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	if bytes.IndexByte([]byte(";{},"), line[len(line)-1]) >= 0 || bytes.HasSuffix(line, []byte("*/")) {
		return true
	}
	for _, start := range []string{"/*", "//", "#include", "#define", "#if", "#pragma", "int ", "void ", "static "} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// isXdin tells Dinero's extended input from the text format, which looks the same where no hexadecimal digit and no
// letter of Dinero's own occurs.
func isXdin(all [][]byte) bool {
	var p xdin
	var events [1]Event
	lines, own := 0, 0
	for _, line := range all {
		_, _, f := p.parse(line, events[:])
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if f != nil {
			return false
		}
		lines++
		fields := bytes.Fields(line)
		if bytes.IndexByte([]byte("imcvIMCV"), fields[0][0]) >= 0 ||
			!bytes.HasPrefix(fields[1], []byte("0x")) && bytes.ContainsAny(fields[1], "abcdefABCDEF") ||
			!bytes.HasPrefix(fields[2], []byte("0x")) && bytes.ContainsAny(fields[2], "abcdefABCDEF") {
			own++
		}
	}
	return lines > 0 && own > 0
}
