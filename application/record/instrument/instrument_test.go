package instrument

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var forms = []struct {
	file   string
	opaque bool
}{{"typed.ll", false}, {"opaque.ll", true}}

// The segments of testdata were read off the IR by hand.
func TestSegments(t *testing.T) {
	want := []string{
		"f x.c:4 begins r8:4 r8:4 ops branch.i1.1=1",
		"f x.c:5 begins r8:5 w8:5 ops add.i64.1=2,branch.i1.1=1,fadd.f64.1=1,fmul.f64.1=1 chain fadd.f64.1=1",
		"f x.c:6 begins w16:6 w16:6 w16:6 w16:6 w16:6 ops call:.i64.1=1,call:exp.f64.1=1",
		"f x.c:0 r8:0 w8:0 ops branch.i1.1=1",
	}
	for _, form := range forms {
		_, m, err := Instrument(read(t, form.file), Options{Opaque: form.opaque, X86: true, Name: "x.o"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range m.Segments {
			text := fmt.Sprintf("%s %s:%d", s.Place.Function, s.Place.File, s.Place.Line)
			if s.Place.Function == "" {
				text = "f x.c:0"
			}
			if s.Begins {
				text += " begins"
			}
			for _, a := range s.Accesses {
				text += " " + a.String()
			}
			text += " ops " + s.Ops.String()
			if len(s.Chain) > 0 {
				text += " chain " + s.Chain.String()
			}
			got = append(got, text)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: segments\n%s\nwant\n%s", form.file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestTextRoundTrip(t *testing.T) {
	_, m, err := Instrument(read(t, "typed.ll"), Options{Name: "x.o"})
	if err != nil {
		t.Fatal(err)
	}
	m.Segments[1].Last = true
	again, err := ParseModule(m.Text())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := again.Text(), m.Text(); got != want {
		t.Errorf("read and written again:\n%s\nwant\n%s", got, want)
	}
}

// TestPlaces reads where instructions lie: with the section's address, without, and from an older recording, which tells nothing. By hand.
func TestPlaces(t *testing.T) {
	m, err := ParseModule("N\tx\nS\t0\t1\t0\t0\t3\t0\t\t\t\t\nI\t-1\tnop\t0\t16\nI\t-1\tnop\t1\t32\nI\t-1\tret\nB\t0\t4160\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{4176, 4096 + 32, 0} {
		if at := m.At(&m.Segments[0].Code[i]); at != want {
			t.Errorf("instruction %d at %d, not %d", i, at, want)
		}
	}
	if again, err := ParseModule(m.Text()); err != nil || again.Text() != m.Text() {
		t.Errorf("read and written again: %v", err)
	}
	for _, wrong := range []string{"B\t1\t0\n", "B\t0\tx\n", "B\t0\t-1\n", "I\t-1\tnop\t0\t1\n"} {
		if _, err := ParseModule("N\tx\n" + wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// The compilers that are there must take the instrumented text, with their verifier.
func TestCompilersTakeIt(t *testing.T) {
	tried := 0
	for v := 12; v <= 22; v++ {
		name := fmt.Sprintf("clang-%d", v)
		if v == 12 {
			name = "clang"
		}
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			t.Fatal(err)
		}
		major := regexp.MustCompile(`clang version (\d+)`).FindSubmatch(out)
		opaque := major != nil && string(major[1]) >= "15"
		file := "typed.ll"
		if opaque {
			file = "opaque.ll"
		}
		tried++
		for _, pic := range []bool{false, true} {
			text, _, err := Instrument(read(t, file), Options{Opaque: opaque, X86: onX86, PIC: pic, Name: "x.o"})
			if err != nil {
				t.Fatal(err)
			}
			source := filepath.Join(t.TempDir(), "x.ll")
			if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(path, "-c", "-O2", "-fPIC", "-Xclang", "-disable-llvm-passes", "-x", "ir", source, "-o", source+".o").CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
	if tried == 0 {
		t.Skip("needs clang")
	}
}

func TestSizes(t *testing.T) {
	known := types{}
	known.define("%struct.P = type { i32, double, [3 x i16] }")
	known.define("%struct.Q = type <{ i32, double }>")
	for typ, want := range map[string]int64{
		"i1": 1, "i8": 1, "i33": 5, "i64": 8, "double": 8, "float": 4, "x86_fp80": 10, "ptr": 8, "double*": 8, "i8 addrspace(1)*": 8,
		"<4 x double>": 32, "<8 x i1>": 1, "[3 x i16]": 6, "{ i32, i64 }": 16, "{ double, float }": 16, "%struct.P": 24, "%struct.Q": 12,
		"<16 x float>": 64, "half": 2, "%unknown": 0, "": 0, "[2 x %struct.P]": 48, "<2 x ptr>": 16,
	} {
		if got := known.size(typ); got != want {
			t.Errorf("%s: %d bytes, want %d", typ, got, want)
		}
	}
}

func TestTakeTyped(t *testing.T) {
	for text, want := range map[string][3]string{
		"double* %4, align 8":                     {"double*", "%4", ", align 8"},
		"ptr noalias nonnull align 8 %p, i64 3":   {"ptr", "%p", ", i64 3"},
		"ptr dereferenceable(80) %17":             {"ptr", "%17", ""},
		"i64 -3":                                  {"i64", "-3", ""},
		`%"class.a b"* %"x y"`:                    {`%"class.a b"*`, `%"x y"`, ""},
		"ptr getelementptr (i8, ptr @A, i64 8) x": {"ptr", "getelementptr (i8, ptr @A, i64 8)", "x"},
		"i32 (i8*, ...)* @printf":                 {"i32 (i8*, ...)*", "@printf", ""},
		"<4 x i1> <i1 true, i1 false>":            {"<4 x i1>", "<i1 true, i1 false>", ""},
		"i8 addrspace(5)* %s seq_cst":             {"i8 addrspace(5)*", "%s", "seq_cst"},
	} {
		typ, value, rest := takeTyped(text)
		if got := [3]string{typ, value, rest}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAccesses(t *testing.T) {
	m := &module{types: types{}, debug: readDebugInfo(nil)}
	for line, want := range map[string]string{
		"  %1 = load volatile i32, ptr %p, align 4":                                                                     "r4",
		"  store atomic i64 %v, ptr %p seq_cst, align 8":                                                                "w8",
		"  %2 = cmpxchg weak ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4":                                         "r4 w4",
		"  %3 = atomicrmw volatile fadd ptr %p, double 1.0 seq_cst, align 8":                                            "r8 w8",
		"  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 %n, i1 false)":                     "r0 w0",
		"  call void @llvm.memmove.p0i8.p0i8.i32(i8* %d, i8* %s, i32 20, i1 false), !dbg !3":                            "r16 r4 w16 w4",
		"  %4 = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %p, i32 8, <4 x i1> %m, <4 x double> undef)":           "r32",
		"  call void @llvm.masked.store.v8f32.p0v8f32(<8 x float> %v, <8 x float>* %p, i32 4, <8 x i1> %m)":             "w32",
		"  %5 = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %p, i32 8, <2 x i1> %m, <2 x double> undef)": "r8 r8",
		"  call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> %v, <2 x ptr> %p, i32 4, <2 x i1> <i1 true, i1 true>)": "w4 w4",
		"  %6 = call double @g(ptr %p)": "",
		"  %7 = call <4 x double> @llvm.x86.avx2.gather.d.pd.256(<4 x double> %a, ptr %b, <4 x i32> %i, <4 x double> %m, i8 8)": "unseen",
		"  call void %8(ptr @memcpy)": "",
	} {
		all, unseen := m.accesses(parseInstruction(line))
		var got []string
		for _, a := range all {
			text, _, _ := strings.Cut(a.Access.String(), ":")
			got = append(got, text)
		}
		if unseen {
			got = append(got, "unseen")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", line, got, want)
		}
	}
}

func TestOperations(t *testing.T) {
	for line, want := range map[string]string{
		"  %1 = fadd fast <4 x double> %a, %b":          "fadd.f64.4",
		"  %1 = fmul reassoc nsz contract float %a, %b": "fmul.f32.1",
		"  %1 = sdiv exact i32 %a, 3":                   "div.i32.1",
		"  %1 = icmp ult i64 %a, %b":                    "add.i64.1",
		"  %1 = icmp eq double* %a, null":               "add.i64.1",
		"  %1 = call fast <2 x double> @llvm.fma.v2f64(<2 x double> %a, <2 x double> %b, <2 x double> %c)": "fma.f64.2",
		"  %1 = tail call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> %a)":              "fadd.f64.4",
		"  %1 = call double @sqrt(double %a)":                                                              "fsqrt.f64.1",
		"  %1 = call float @expf(float %a)":                                                                "call:exp.f32.1",
		"  %1 = call double @erf(double %a)":                                                               "call:erf.f64.1",
		"  %1 = getelementptr i8, ptr %p, i64 8":                                                           "",
		"  call void @llvm.lifetime.start.p0(i64 4, ptr %p)":                                               "",
	} {
		op, ok := operationOf(parseInstruction(line))
		got := ""
		if ok {
			got = fmt.Sprintf("%s.%s.%d", op.Kind, op.Type, op.Lanes)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestFlops(t *testing.T) {
	o, err := ParseOps("fadd.f64.4=2,fma.f32.8=1,fother.f64.1=5,call:exp.f64.1=3,call:.i64.1=9,add.i64.1=7,fsqrt.f64.2=1")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Flops(), int64(8+16+3+2); got != want {
		t.Errorf("%d operations, want %d", got, want)
	}
}

func TestLastBlocks(t *testing.T) {
	body := strings.Split(`  %1 = alloca i32, align 4
  %2 = call i32 @__kmpc_dispatch_next_4(ptr nonnull @1, i32 %g, ptr nonnull %1, ptr nonnull %l, ptr nonnull %u, ptr nonnull %s)
  br label %3

3:                                                ; preds = %0
  %4 = load i32, ptr %1, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %7, label %6

6:                                                ; preds = %3
  store i32 1, ptr %x
  br label %7

7:                                                ; preds = %6, %3
  ret void`, "\n")
	if got := lastBlocks(body); len(got) != 1 || !got["6"] {
		t.Errorf("blocks %v, want 6", got)
	}
}

func FuzzParseModule(f *testing.F) {
	_, m, err := Instrument(read(f, "opaque.ll"), Options{Opaque: true, Name: "x.o"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Text())
	f.Add("N\tx\nU\t0\nS\t0\t1\t0\t0\t3\t0\tr8:3,w0:4\tfadd.f64.2=1\t\n")
	f.Add("N\tx\nU\t0\nC\tcc\nS\t0\t1\t0\t0\t3\t0\tr8:3\t\t\t\nI\t0\tmovq (%rdi), %rax\t0\t16\nI\t-1\tret\nB\t0\t4096\nB\t1\t0\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseModule(text)
		if err != nil {
			return
		}
		again, err := ParseModule(m.Text())
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if again.Text() != m.Text() {
			t.Fatal("written again, it is another")
		}
	})
}

func FuzzInstrument(f *testing.F) {
	f.Add(read(f, "opaque.ll"), true)
	f.Add(read(f, "typed.ll"), false)
	f.Fuzz(func(_ *testing.T, text string, opaque bool) {
		_, _, _ = Instrument(text, Options{Opaque: opaque, Name: "x.o"})
	})
}

// Names that are no ASCII stand in LLVM's text as the codes of their bytes.
func TestUnquote(t *testing.T) {
	for text, want := range map[string]string{
		`"h\C3\A9.c"`: "hé.c", `"a\22b.c"`: `a"b.c`, `"a\\b.c"`: `a\b.c`, `"a\5CA9.c"`: `a\A9.c`, `"plain.c"`: "plain.c", "": "",
	} {
		if got := unquote(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestPlacesOfFilesOfAnyName(t *testing.T) {
	d := readDebugInfo([]string{
		`!1 = !DIFile(filename: "h\C3\A9.c", directory: "/tmp")`,
		`!2 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 4)`,
		`!3 = !DILocation(line: 9, column: 2, scope: !2)`,
	})
	if got := d.place(3); got != (Place{Function: "main", File: "hé.c", Line: 9}) {
		t.Errorf("%+v", got)
	}
}

// TestLargestAccess counts an access that is larger than any of a trace as one that is not seen.
func TestLargestAccess(t *testing.T) {
	for typ, unseen := range map[string]int{"[1048576 x i8]": 0, "[1048577 x i8]": 1} {
		_, m, err := Instrument("define void @f(ptr %p) {\n  %1 = load "+typ+", ptr %p\n  ret void\n}\n", Options{Opaque: true, Name: "x.o"})
		if err != nil {
			t.Fatal(err)
		}
		if accesses := len(m.Segments[0].Accesses); m.Unseen != unseen || accesses != 1-unseen {
			t.Errorf("%s: %d accesses, %d not seen", typ, accesses, m.Unseen)
		}
	}
}
