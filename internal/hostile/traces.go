package hostile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// traceVerbs are the verbs that read traces.
var traceVerbs = []string{"mrc", "profile", "simulate"}

// traced is a trace given to one verb.
func traced(verb, name, says string, exit []int, content Text, args ...string) Case {
	return Case{
		Name: verb + "/trace/" + name, Args: append([]string{verb, machineFlag, "t"}, args...), Files: map[string]Text{"t": content}, Exit: exit, Says: says,
	}
}

// tracedByAll is a trace given to all verbs that read traces.
func tracedByAll(name, says string, exit []int, content Text, args ...string) (all []Case) {
	for _, verb := range traceVerbs {
		all = append(all, traced(verb, name, says, exit, content, args...))
	}
	return all
}

// traceLines are an access in each format of text: the two %s are address, which all write in base 16, and size.
var traceLines = []struct {
	name, line string
	sized      bool // it writes sizes at all
	hex        bool // in base 16
}{
	{"text", "r 0x%s %s\n", true, false},
	{"lackey", " L %s,%s\n", true, false},
	{"drmemtrace", "1 1: 7 read %[2]s byte(s) @ 0x%[1]s by PC 0x0000000000404a7e\n", true, false},
	{"xdin", "r %s %s\n", true, true},
	{"din", "0 %s\n", false, true},
}

// traceCases are traces of text with numbers that cannot be, or very many of one thing.
func traceCases() []Case {
	var all []Case
	line := func(i int, address, size string) string {
		t := traceLines[i]
		if !t.sized {
			return fmt.Sprintf(t.line, address)
		}
		return fmt.Sprintf(t.line, address, size)
	}
	for i, t := range traceLines {
		format := "--trace-format=" + t.name
		ordinary := line(i, "1000", "8")
		for _, size := range []string{"0", "-1", "4294967295", "4294967296", "18446744073709551616", "1e9", ""} {
			if t.hex && size == "4294967295" {
				size = "ffffffff"
			}
			if t.sized {
				all = append(all, tracedByAll(t.name+"-size-"+size, "", either, text(ordinary+line(i, "0", size)+ordinary), format)...)
			}
		}
		for _, address := range []string{"ffffffffffffffff", "fffffffffffffff8", "8000000000000000", "10000000000000000", "-1", "zz", strings.Repeat("f", 100_000)} {
			all = append(all, traced("simulate", t.name+"-address-"+address[:min(len(address), 20)], "", either, text(ordinary+line(i, address, "8")+ordinary), format))
		}
		all = append(all,
			traced("mrc", t.name+"-line-of-4-MiB", "", wrong, repeat(ordinary+"r ", "1", 4<<20, "\n"), format),
			traced("mrc", t.name+"-zeros", "", wrong, repeat(ordinary, "\x00", 1<<20, "\n"), format),
			traced("mrc", t.name+"-1e5-lines", "", either, repeat("", ordinary, 100_000, ""), format),
			traced("mrc", t.name+"-one-byte", "", wrong, text("r"), format),
			traced("mrc", t.name+"-empty-lines", "", wrong, repeat("", "\n", 1<<20, ""), format),
			traced("mrc", t.name+"-largest-accesses-1000-times", "", either, repeat("", line(i, "0", map[bool]string{false: "4294967295", true: "ffffffff"}[t.hex]), 1000, ""), format),
			traced("mrc", t.name+"-accesses-of-1-MiB-1000-times", "", either, repeat("", line(i, "0", map[bool]string{false: "1048576", true: "100000"}[t.hex]), 1000, ""), format),
			traced("simulate", t.name+"-accesses-of-1-MiB-1000-places", "", either, numbered("", 1000, func(n int) string {
				return line(i, fmt.Sprintf("%x", n<<20), map[bool]string{false: "1048576", true: "100000"}[t.hex])
			}, ""), format),
			traced("simulate", t.name+"-strides-of-2^32", "", either, numbered("", 30_000, func(n int) string { return line(i, fmt.Sprintf("%x", uint64(n)<<32), "8") }, ""), format),
		)
	}
	all = append(all, tracedByAll("thread-65535", "", either, text("65535 r 0x1000 8\n0 r 0x1000 8\n"))...)
	all = append(all, tracedByAll("thread-65536", "line 1", refused, text("65536 r 0x1000 8\n"), "--trace-format=text")...)
	all = append(all, tracedByAll("65536-threads", "", either, numbered("", 65_536, func(i int) string { return fmt.Sprintf("%d r %d 8\n", i, 64*i) }, ""))...)
	all = append(all, tracedByAll("100000-regions", "", either, numbered("", 100_000, func(i int) string { return fmt.Sprintf("region r%d\nr %d 8\nend\n", i, 64*i) }, ""))...)
	all = append(all, tracedByAll("100000-nested-regions", "", either, numbered("", 100_000, func(i int) string { return fmt.Sprintf("region r%d\nr 64 8\n", i) }, ""))...)
	all = append(all, tracedByAll("100000-objects", "", either, numbered("r 0x1000 8\n", 100_000, func(i int) string { return fmt.Sprintf("object o%d %d 4096\nr %d 8\n", i, 64*i, 64*i) }, ""))...)
	all = append(all, tracedByAll("regions-of-all-threads", "", either, numbered("", 4096, func(i int) string { return fmt.Sprintf("%d region r%d\n%d r %d 8\n", i, i, i, 64*i) }, ""))...)
	all = append(all, tracedByAll("region-name-of-1-MiB", "", either, repeat("r 0x1000 8\nregion ", "x", 1<<20, "\nr 0x1000 8\n"))...)
	all = append(all, tracedByAll("object-of-2^64-1-bytes", "line 2", refused, text("r 0x1000 8\nobject a 0x10 18446744073709551615\n"))...)
	all = append(all, tracedByAll("ends-without-regions", "", either, repeat("r 0x1000 8\n", "end\n", 100_000, ""))...)
	all = append(all, tracedByAll("barriers", "", either, repeat("r 0x1000 8\n", "0 barrier\n", 100_000, ""))...)
	all = append(all, traced("simulate", "1-access-arrays-and-causes", "", either, text("r 0 4294967295\n"), "--arrays", "--causes"))
	return all
}

// compressedCases are small files that unpack to much, or do not unpack.
func compressedCases() []Case {
	var all []Case
	bombs := []struct {
		name    string
		content Text
		exit    []int
	}{
		{"gzip-of-256-MiB-of-zeros", zipBomb("", "\x00", 256, ""), refused},
		{"gzip-of-256-MiB-of-empty-lines", zipBomb("r 0x1000 8\n", "\n", 256, ""), either},
		{"gzip-of-one-line-of-256-MiB", zipBomb("r 0x1000 8\nr ", "1", 256, ""), refused},
		{"gzip-of-gzip-of-gzip", zipped(zipped(zipped(repeat("", "r 0x1000 8\n", 1000, "")))), refused},
		{"gzip-cut-off", cut(zipped(repeat("", "r 0x1000 8\n", 10_000, "")), 40), refused},
		{"gzip-with-a-wrong-checksum", damaged(zipped(repeat("", "r 0x1000 8\n", 1000, "")), -8), refused},
		{"zstd-of-1-GiB-of-zeros", packBomb("", "\x00", 1024), refused},
		{"zstd-of-256-MiB-of-empty-lines", packBomb("r 0x1000 8\n", "\n", 256), either},
		{"zstd-of-zstd-of-zstd", packed(packed(packed(repeat("", "r 0x1000 8\n", 1000, "")))), refused},
		{"zstd-with-a-window-of-2-GiB", text("\x28\xb5\x2f\xfd\x00\xa8" + strings.Repeat("\x00", 100)), refused},
		{"zstd-of-2^63-1-bytes-said", text("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x00\x00"), refused},
		{"zstd-cut-off", cut(packed(repeat("", "r 0x1000 8\n", 10_000, "")), 20), refused},
		{"zstd-of-100000-empty-frames", repeat("", "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00", 100_000, ""), refused},
	}
	for _, b := range bombs {
		all = append(all, traced("mrc", b.name, "", b.exit, b.content), traced("simulate", b.name, "", b.exit, b.content))
	}
	scales := []struct {
		name    string
		content Text
	}{
		{"gzip-of-1-GiB-of-zeros", zipBomb("", "\x00", 1024, "")},
		{"gzip-of-json-of-512-MiB", zipBomb("{\"parameters\":[\"p\"],\"measurements\":{\"", "x", 512, "\":{}}}")},
		{"gzip-of-an-array-of-256-MiB", zipBomb("{\"parameters\":[\"p\"],\"measurements\":", "[", 256, "")},
		{"gzip-of-papi-of-512-MiB", zipBomb("{\"papi_version\":\"", "x", 512, "\"}")},
		{"gzip-of-one-line-of-256-MiB", zipBomb("PARAMETER p\nPOINTS ", "1 ", 256, "")},
		{"gzip-of-gzip", zipped(zipped(zeros(1 << 20)))},
		{"gzip-cut-off", cut(zipped(text(series)), 30)},
	}
	for _, b := range scales {
		all = append(all, scaled("compressed/"+b.name, "m", refused, b.content))
	}
	return all
}

// zipBomb is a gzip file of so many MiB of one piece, between two others; it is never unpacked here.
func zipBomb(before, piece string, mib int, after string) Text {
	return func() []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		fill(z, before, piece, mib)
		io.WriteString(z, after)
		z.Close()
		return b.Bytes()
	}
}

// packBomb is the same of zstd.
func packBomb(before, piece string, mib int) Text {
	return func() []byte {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			panic(err)
		}
		fill(z, before, piece, mib)
		z.Close()
		return b.Bytes()
	}
}

// fill writes so many MiB of one piece behind another one.
func fill(w io.Writer, before, piece string, mib int) {
	io.WriteString(w, before)
	some := []byte(strings.Repeat(piece, (1<<20)/len(piece)))
	for range mib {
		w.Write(some)
	}
}

func zeros(n int) Text { return func() []byte { return make([]byte, n) } }

func zipped(content Text) Text {
	return func() []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		z.Write(content())
		z.Close()
		return b.Bytes()
	}
}

func packed(content Text) Text {
	return func() []byte {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err)
		}
		defer z.Close()
		return z.EncodeAll(content(), nil)
	}
}

// cut keeps the first bytes.
func cut(content Text, n int) Text {
	return func() []byte { b := content(); return b[:min(n, len(b))] }
}

// damaged changes a byte; at counts from the end where it is negative.
func damaged(content Text, at int) Text {
	return func() []byte {
		b := content()
		if at < 0 {
			at += len(b)
		}
		b[at] ^= 0x55
		return b
	}
}

// native makes traces of foresee's own format, as docs/formats.md describes it, by hand, so that they may be wrong.
type native struct{ data []byte }

// nativeHead begins such a file: its magic number, version 1, and 0.
const nativeHead = "\x89FTR\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00"

func newNative() *native {
	n := &native{[]byte(nativeHead)}
	return n.block('M', 0, 0, 0, nil)
}

// block adds a block whose head says count and raw bytes.
func (n *native) block(kind, flags byte, raw, count uint32, content []byte) *native {
	head := []byte{kind, flags, 0, 0}
	head = binary.LittleEndian.AppendUint32(head, uint32(len(content)))
	head = binary.LittleEndian.AppendUint32(head, raw)
	head = binary.LittleEndian.AppendUint32(head, count)
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(crc32.Checksum(head, table), table, content)
	n.data = append(append(n.data, binary.LittleEndian.AppendUint32(head, sum)...), content...)
	return n
}

// end adds the last block, which says how many events there are.
func (n *native) end(events uint64) Text {
	n.block('Z', 0, 8, 0, binary.LittleEndian.AppendUint64(nil, events))
	return func() []byte { return n.data }
}

func uvarints(numbers ...uint64) (b []byte) {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// nativeCases are traces of foresee's own format whose numbers cannot be.
func nativeCases() []Case {
	// The content of a block of events: operations, of which \xc0 is one in full into slot 0, and their arguments, for it thread × 8 + kind, size
	// and address.
	events := func(operations string, arguments ...uint64) []byte {
		return append(append(uvarints(uint64(len(operations))), operations...), uvarints(arguments...)...)
	}
	// A file with such a block that says so many events.
	whole := func(count uint32, content []byte) Text {
		return newNative().block('E', 0, uint32(len(content)), count, content).end(uint64(count))
	}
	max := ^uint64(0)
	list := []struct {
		name    string
		content Text
	}{
		{"size-2^32-1", whole(1, events("\xc0", 0, 1<<32-1, 0))},
		{"size-2^64-1", whole(1, events("\xc0", 0, max, 0))},
		{"thread-2^61-1", whole(1, events("\xc0", max&^7, 8, 0))},
		{"thread-65535", whole(1, events("\xc0", 65535*8, 8, 0))},
		{"region-2^63", whole(1, events("\xc0", 3, 0, 1<<63))},
		{"operations-2^63-of-2-bytes", whole(1, uvarints(1<<63, 0))},
		{"varint-that-does-not-end", whole(1, bytes.Repeat([]byte{0xff}, 100))},
		{"count-2^32-1", whole(1<<32-1, events("\xc0", 0, 8, 0))},
		{"count-65536-of-1", whole(65536, events("\xc0", 0, 8, 0))},
		{"raw-of-4-GiB", newNative().block('E', 2, 1<<32-1, 1, []byte("\x28\xb5\x2f\xfd")).end(1)},
		{"raw-of-2-MiB-from-10-bytes", newNative().block('E', 2, 2<<20, 1, []byte("\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00")).end(1)},
		{"zstd-bomb-in-a-block", newNative().block('E', 2, 2<<20, 1, packed(zeros(64<<20))()).end(1)},
		{"2^32-1-regions", newNative().block('R', 0, 1, 1<<32-1, []byte{0}).end(0)},
		{"region-name-of-2^60-bytes", newNative().block('R', 0, 9, 1, uvarints(1<<60)).end(0)},
		{"object-name-of-2^60-bytes", newNative().block('O', 0, 9, 1, uvarints(1<<60)).end(0)},
		{"object-of-2^64-1-bytes", newNative().block('O', 0, 9, 1, append([]byte("\x01a"), uvarints(max, max)...)).end(0)},
		{"unknown-block-of-4-GiB", func() []byte {
			b := newNative().block('Q', 1, 0, 0, nil).data
			binary.LittleEndian.PutUint32(b[len(b)-16:], 1<<32-1)
			return b
		}},
		{"block-of-4-GiB", func() []byte {
			b := newNative().block('E', 0, 0, 0, nil).data
			binary.LittleEndian.PutUint32(b[len(b)-16:], 1<<32-1)
			return b
		}},
		{"end-after-2^64-1-events", newNative().end(max)},
		{"100000-empty-blocks", func() []byte {
			n := newNative()
			for range 100_000 {
				n.block('E', 0, 1, 0, []byte{0})
			}
			return n.end(0)()
		}},
		{"no-blocks", text(nativeHead)},
		{"version-2^32-1", text("\x89FTR\r\n\x1a\n\xff\xff\xff\xff\x00\x00\x00\x00")},
		{"two-beginnings", func() []byte { return append(newNative().end(0)(), newNative().end(0)()...) }},
	}
	var all []Case
	for _, l := range list {
		all = append(all, traced("mrc", "native-"+l.name, "", either, l.content), traced("simulate", "native-"+l.name, "", either, l.content, "--partial"))
	}
	return all
}
