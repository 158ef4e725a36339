package hostile

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"foresee/application/recording"
)

// signature is a saved signature of one region.
func signature(program, locality []byte) []byte {
	encode := base64.StdEncoding.EncodeToString
	l := ""
	if locality != nil {
		l = fmt.Sprintf(",\"locality\":%q", encode(locality))
	}
	return fmt.Appendf(nil, "{\"schema\":\"foresee.signature/v1\",\"version\":\"0.1.0\",\"input\":\"a.c\",\"warnings\":[],\"line_bytes\":64,\"regions\":[{\"region\":\"k\",\"accesses\":10,\"lines\":10,\"loops\":1,\"samples\":1,\"program\":%q%s}]}", encode(program), l)
}

// portable is a program in the portable form: one loop over one array.
const portable = `{"region":"k","pos":{"File":"a.c","Line":1},"vars":["i"],"scalars":[],"objects":[{"Name":"a","Size":8000}],"body":[{"kind":"loop","pos":{},"var":0,"lo":0,"hi":999,"step":1,"body":[{"kind":"statement","pos":{},"accesses":[{"object":0,"offset":["*",{"v":0},8],"size":8,"pos":{},"text":"a[i]"}]}]}],"warnings":[]}`

func signatureCases() []Case {
	var all []Case
	three := []int{0, 1, 2}
	give := func(name string, exit []int, content Text) {
		for _, verb := range []string{"predict", "mrc", "simulate"} {
			all = append(all, Case{Name: verb + "/signature/" + name, Args: []string{verb, machineFlag, "s.sig.json"}, Files: map[string]Text{"s.sig.json": content}, Exit: exit})
		}
	}
	of := func(program string) Text { return func() []byte { return signature(packed(text(program))(), nil) } }
	for _, place := range []struct{ name, old, key string }{
		{"size-of-an-array", `"Size":8000`, `"Size":`},
		{"first", `"lo":0`, `"lo":`},
		{"last", `"hi":999`, `"hi":`},
		{"step", `"step":1`, `"step":`},
		{"variable", `"var":0`, `"var":`},
		{"object", `"object":0`, `"object":`},
		{"bytes", `"size":8`, `"size":`},
		{"factor", `},8]`, `},`},
		{"reference", `{"v":0}`, `{"v":`},
	} {
		for _, n := range []string{"-1", "9223372036854775807", "-9223372036854775808", "1e308", "0", "1000000000000000000"} {
			end := strings.TrimLeft(place.old[len(place.key):], "0123456789")
			give(place.name+"-"+n, either, of(strings.Replace(portable, place.old, place.key+n+end, 1)))
		}
	}
	loop := `{"kind":"loop","pos":{},"var":0,"lo":0,"hi":1,"step":1,"body":[`
	give("ordinary", taken, of(portable))
	give("loops-nested-3000-times", refused, of(strings.Replace(portable, `"body":[{`, `"body":[`+strings.Repeat(loop, 3000)+`{`, 1)+strings.Repeat("]}", 3000)))
	give("expression-nested-3000-times", refused, of(strings.Replace(portable, `"lo":0`, `"lo":`+nested(`["+",1,`, "1", "]", 3000), 1)))
	give("expression-of-2^20-terms", either, of(strings.Replace(portable, `"lo":0`, `"lo":`+balanced(15), 1)))
	give("expression-that-divides-by-0", either, of(strings.Replace(portable, `["*",{"v":0},8]`, `["%",{"v":0},0]`, 1)))
	give("json-nested-1000000-times", refused, of(strings.Repeat("[", 1_000_000)))
	give("program-of-1-GiB", refused, func() []byte { return signature(packBomb(`{"region":"`, "x", 1024)(), nil) })
	give("program-of-60-MiB-of-nodes", either, func() []byte {
		return signature(packed(repeat(portable[:strings.Index(portable, `"body":[{`)+8], `{"kind":"barrier","pos":{}},`, 2_000_000, `{"kind":"barrier","pos":{}}],"warnings":[]}`))(), nil)
	})
	give("200000-variables", either, of(strings.Replace(portable, `"vars":["i"`, `"vars":["i"`+strings.Repeat(`,"j"`, 200_000), 1)))
	give("100000-objects", either, of(strings.Replace(portable, `"objects":[`, `"objects":[`+strings.Repeat(`{"Name":"a","Size":8000},`, 100_000), 1)))
	give("not-compressed", refused, func() []byte { return signature([]byte(portable), nil) })
	give("locality-of-1-GiB", refused, func() []byte { return signature(packed(text(portable))(), packBomb("", "\x00", 1024)()) })
	for i, counts := range [][]int64{{math.MaxInt64}, {0, math.MaxInt64}, {0, 0, math.MaxInt64}, {0, 0, 0, math.MaxInt64}, {1, 0, 0, -1 << 62}, {1 << 40}} {
		b := binary.AppendVarint(nil, 2)
		b = binary.AppendVarint(binary.AppendVarint(b, 64), 1000)
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, math.Float64bits(10)), math.Float64bits(math.NaN()))
		for _, c := range counts {
			b = binary.AppendVarint(b, c)
		}
		give(fmt.Sprintf("locality-with-count-%d", i+1), refused, func() []byte { return signature(packed(text(portable))(), packed(func() []byte { return b })()) })
	}
	give("regions-nested", refused, repeat(`{"schema":"foresee.signature/v1","regions":`, "[", 1_000_000, ""))
	give("20000-regions", either, func() []byte {
		one := string(signature(packed(text(portable))(), nil))
		region := one[strings.Index(one, `[{`)+1 : len(one)-2]
		return []byte(strings.Replace(one, `"regions":[`, `"regions":[`+strings.Repeat(region+",", 20_000), 1))
	})
	for _, n := range odd {
		give("line-"+n, three, func() []byte {
			return bytes.Replace(signature(packed(text(portable))(), nil), []byte(`_bytes":64`), []byte(`_bytes":`+n), 1)
		})
	}
	return all
}

// balanced is an expression of 2^n terms that is n deep.
func balanced(n int) string {
	if n == 0 {
		return "1"
	}
	x := balanced(n - 1)
	return `["+",` + x + "," + x + "]"
}

// tape makes recordings by hand, so that they may be wrong.
type tape []*recording.Record

func newTape(head ...uint64) *tape {
	return new(tape).add('H', 0, uvarints(head...))
}

func (t *tape) add(kind byte, thread int, data []byte) *tape {
	*t = append(*t, &recording.Record{Type: kind, Thread: thread, Data: data})
	return t
}

func (t *tape) file() []byte {
	var b bytes.Buffer
	w, err := recording.NewWriter(&b)
	if err != nil {
		panic(err)
	}
	for _, r := range *t {
		if err := w.Write(r); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// module is code of three segments: one that reads 8 bytes, one without accesses, and one that copies a block.
const module = "N\tk.c\nN\tk\nU\t0\nS\t0\t1\t1\t0\t3\t1\tr8:3\t\t\t\nS\t1\t1\t1\t0\t4\t1\t\t\t\t\n"

// ran is a whole recording: a parallel region with one piece, whose events are given.
func ran(events []byte) *tape {
	t := newTape(1, 1, 1, 1, 1, 4096)
	t.add('M', 0, append(uvarints(0), module...))
	t.add('R', 0, uvarints(0x400000, 1)).add('P', 0, uvarints(1)).add('E', 0, events).add('B', 0, nil).add('r', 0, uvarints(0x400000, 1))
	return t.add('Z', 0, uvarints(0, 0))
}

func recordingCases() []Case {
	var all []Case
	three := []int{0, 1, 2}
	give := func(name string, exit []int, t *tape) {
		for _, verb := range []string{"predict", "mrc", "simulate", "trace"} {
			args := []string{verb, machineFlag, "r"}
			if verb == "trace" {
				args = []string{verb, "r"}
			}
			all = append(all, Case{Name: verb + "/recording/" + name, Args: args, Files: map[string]Text{"r": t.file}, Exit: exit})
		}
	}
	token := func(kind, value uint64) uint64 { return value<<2 | kind }
	read := func(more ...uint64) []byte { return uvarints(append([]uint64{1, token(3, 0), 0x2000}, more...)...) }
	huge := uint64(1)<<61 - 1
	give("ordinary", three, ran(read()))
	give("run-of-2^61-reads", refused, ran(read(token(2, 1), 16, token(0, huge))))
	give("run-of-2^61-segments-without-accesses", refused, ran(uvarints(1, token(3, 1), token(1, 1), token(0, huge))))
	give("1000-runs-of-2^61", refused, ran(read(append([]uint64{token(2, 1), 16}, repeated(token(0, huge), 1000)...)...)))
	give("run-without-a-prediction", refused, ran(uvarints(1, token(0, 5))))
	give("segment-2^61", refused, ran(uvarints(1, token(3, huge))))
	give("words-2^64-1-said", either, ran(append(uvarints(^uint64(0)), read()[1:]...)))
	give("addresses-that-wrap", either, ran(read(token(2, 1), ^uint64(0), token(0, 100), token(2, 1), ^uint64(0)-1, token(0, 100))))
	give("cut-token", refused, ran([]byte{1, 0xff}))
	give("2^64-1-threads", wrong, newTape(1, ^uint64(0), 0, 1, 1, 4096).add('Z', 0, uvarints(0, 0)))
	give("4096-threads", wrong, newTape(1, 4096, 0, 1, 1, 4096).add('Z', 0, uvarints(0, 0)))
	give("pages-of-2^64-1-bytes", three, newTape(1, 1, 1, 1, 1, ^uint64(0)).add('S', 0, uvarints(0, ^uint64(0), ^uint64(0))).add('Z', 0, uvarints(0, 0)))
	give("version-2^64-1", refused, newTape(^uint64(0)).add('Z', 0, uvarints(0, 0)))
	chunk := func(first, end, total, size uint64) *tape {
		t := newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(0), module...)).add('R', 0, uvarints(0x400000, 1))
		t.add('P', 0, uvarints(2, 1, first, end, total, size, 1)).add('E', 0, read()).add('B', 0, nil).add('r', 0, uvarints(0x400000, 1))
		return t.add('Z', 0, uvarints(0, 0))
	}
	give("iterations-to-2^64-1", three, chunk(0, ^uint64(0), ^uint64(0), 1))
	give("iterations-from-2^63", three, chunk(1<<63, 1<<63+1, ^uint64(0), 0))
	give("chunk-of-2^64-1", three, chunk(0, 1, 2, ^uint64(0)))
	give("iterations-that-end-before-they-begin", refused, chunk(5, 1, 10, 1))
	give("events-before-a-piece", refused, newTape(1, 1, 1, 1, 1, 4096).add('E', 0, read()).add('Z', 0, uvarints(0, 0)))
	give("module-that-begins-at-2^63", refused, newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(1<<63), module...)).add('Z', 0, uvarints(0, 0)))
	sound := func(text string) *tape {
		t := newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(0), text...)).add('R', 0, uvarints(0x400000, 1)).add('P', 0, uvarints(1)).add('E', 0, read())
		return t.add('B', 0, nil).add('r', 0, uvarints(0x400000, 1)).add('Z', 0, uvarints(0, 0))
	}
	for _, n := range []string{"-1", "9223372036854775807", "99999999999999999999", "1e308", ""} {
		give("module-with-block-"+n, either, sound(strings.Replace(module, "S\t0", "S\t"+n, 1)))
		give("module-with-name-"+n, either, sound(strings.Replace(module, "S\t0\t1\t1", "S\t0\t1\t"+n, 1)))
		give("module-with-access-of-"+n, either, sound(strings.Replace(module, "r8:3", "r"+n+":3", 1)))
		give("module-with-line-"+n, either, sound(strings.Replace(module, "\t3\t1\tr8", "\t"+n+"\t1\tr8", 1)))
	}
	give("segment-of-10000-accesses", either, sound(strings.Replace(module, "r8:3", "r8:3"+strings.Repeat(",r8:3", 10_000), 1)))
	give("100000-segments", either, sound(module+strings.Repeat("S\t1\t1\t1\t0\t4\t1\t\t\t\t\n", 100_000)))
	allocated := newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(0), module...)).add('R', 0, uvarints(0x400000, 1)).add('P', 0, uvarints(1))
	for i := range uint64(50_000) {
		allocated.add('A', 0, uvarints(1<<20+8192*i, 8192, 0x400000))
	}
	give("50000-allocations", either, allocated.add('E', 0, read()).add('r', 0, uvarints(0x400000, 1)).add('Z', 0, uvarints(0, 0)))
	churn := newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(0), module...))
	for i := range uint64(20_000) {
		churn.add('R', 0, uvarints(0x400000, 1)).add('A', 0, uvarints(1<<30+8192*(i*7919%20_000), 4096+i%4096, 0x400000)).add('P', 0, uvarints(1)).add('E', 0, read()).add('B', 0, nil).add('r', 0, uvarints(0x400000, 1))
	}
	give("20000-allocations-in-regions", either, churn.add('Z', 0, uvarints(0, 0)))
	all = append(all, Case{
		Name: "simulate/recording/20000-allocations-in-regions-by-array", Args: []string{"simulate", machineFlag, "--arrays", "r"}, Files: map[string]Text{"r": churn.file}, Exit: taken,
	})
	give("allocation-of-2^64-1-bytes", either, newTape(1, 1, 1, 1, 1, 4096).add('A', 0, uvarints(1, ^uint64(0)-1, 1)).add('Z', 0, uvarints(0, 0)))
	regions := newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(0), module...))
	for i := range uint64(20_000) {
		regions.add('R', 0, uvarints(0x400000+i, 1)).add('P', 0, uvarints(1)).add('E', 0, read()).add('B', 0, nil).add('r', 0, uvarints(0x400000+i, 1))
	}
	give("20000-regions", either, regions.add('Z', 0, uvarints(0, 0)))
	pieces := newTape(1, 1, 1, 1, 1, 4096).add('M', 0, append(uvarints(0), module...)).add('R', 0, uvarints(0x400000, 1))
	for i := range uint64(50_000) {
		pieces.add('P', 0, uvarints(2, 2, i, i+1, 50_000, 1, 1)).add('E', 0, read())
	}
	give("50000-pieces", either, pieces.add('r', 0, uvarints(0x400000, 1)).add('Z', 0, uvarints(0, 0)))
	give("thread-65535", three, newTape(1, 1, 1, 1, 1, 4096).add('P', 65535, uvarints(1)).add('E', 65535, read()).add('Z', 0, uvarints(0, 0)))
	give("note-that-is-unknown", refused, newTape(1, 1, 1, 1, 1, 4096).add('W', 0, uvarints(1<<63, 1)).add('Z', 0, uvarints(0, 0)))
	give("record-that-is-unknown", refused, newTape(1, 1, 1, 1, 1, 4096).add('?', 0, nil).add('Z', 0, uvarints(0, 0)))
	give("nothing", refused, new(tape))
	for _, raw := range []struct {
		name    string
		content Text
	}{
		{"bomb-of-1-GiB-of-zeros", func() []byte { return append([]byte("\x89FRC\r\n\x1a\n"), packBomb("", "\x00", 1024)()...) }},
		{"record-of-4-GiB-said", func() []byte {
			return append([]byte("\x89FRC\r\n\x1a\n"), packed(text("M\x00\x00\x00\xff\xff\xff\xff"))()...)
		}},
		{"module-of-256-MiB", func() []byte {
			return append([]byte("\x89FRC\r\n\x1a\n"), packBomb("M\x00\x00\x00\x00\x00\x00\x10", "\n", 256)()...)
		}},
		{"module-of-255-MiB-of-names", func() []byte {
			return append([]byte("\x89FRC\r\n\x1a\n"), packBomb("M\x00\x00\x00\x00\x00\xf0\x0f\x00", "N\ta\n", 256)()...)
		}},
		{"module-of-63-MiB-of-lines", modulesOf("\n", 63, 1)},
		{"module-of-63-MiB-of-names", modulesOf("N\ta\n", 63, 1)},
		{"module-of-63-MiB-of-segments", modulesOf("S\t0\t1\t0\t0\t0\t0\t\t\t\n", 63, 1)},
		{"100-modules-of-60-MiB-of-nothing", modulesOf("U\t0\n", 60, 100)},
		{"only-its-magic", text("\x89FRC\r\n\x1a\n")},
		{"cut-off", func() []byte { b := ran(read()).file(); return b[:len(b)/2] }},
		{"window-of-2-GiB", text("\x89FRC\r\n\x1a\n\x28\xb5\x2f\xfd\x00\xa8" + strings.Repeat("\x00", 100))},
	} {
		for _, verb := range []string{"predict", "mrc", "trace"} {
			args := []string{verb, machineFlag, "r"}
			if verb == "trace" {
				args = []string{verb, "r"}
			}
			all = append(all, Case{Name: verb + "/recording/" + raw.name, Args: args, Files: map[string]Text{"r": raw.content}, Exit: refused})
		}
	}
	return all
}

// modulesOf is a recording of n modules, each of which repeats a line for so many MiB.
func modulesOf(line string, mib, n int) Text {
	return func() []byte {
		t := newTape(1, 1, 1, 1, 1, 4096)
		data := []byte("\x00N\tk\n" + strings.Repeat(line, (mib<<20)/len(line)))
		for range n {
			t.add('M', 0, data)
		}
		return t.add('Z', 0, uvarints(0, 0)).file()
	}
}

func repeated(x uint64, n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = x
	}
	return all
}
