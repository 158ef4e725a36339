package text

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const small = `; ModuleID = 'a.cpp'
source_filename = "a.cpp"
target datalayout = "e-m:e"
%struct.P = type { i32, double, [3 x float], %"class.std::Q<int, char>"* }
%"class.std::Q<int, char>" = type <{ i8, i64 }>
@table = internal unnamed_addr constant [2 x i32] [i32 7, i32 -9], align 4, !dbg !5
@text = private constant [3 x i8] c"a\0Ab"
@elsewhere = external global i64
define dso_local noundef i32 @f(%struct.P* noundef nonnull align 8 dereferenceable(40) %0, i32 noundef %n) local_unnamed_addr #0 personality i8* null !dbg !9 {
  br label %loop, !dbg !12

loop:                                             ; preds = %loop, %2
  %i = phi i64 [ 0, %2 ], [ %next, %loop ]
  %p = getelementptr inbounds %struct.P, %struct.P* %0, i64 %i, i32 1
  %x = load double, double* %p, align 8, !dbg !12
  %y = call fast double @llvm.fmuladd.f64(double %x, double 2.000000e+00, double 0x3FF0000000000000)
  store double %y, double* %p, align 8
  %next = add nuw nsw i64 %i, 1
  %z = call i32 (i8*, ...) @printf(i8* noundef getelementptr inbounds ([3 x i8], [3 x i8]* @text, i64 0, i64 0), i32 signext 3)
  switch i32 %z, label %loop [
    i32 0, label %done
    i32 -1, label %throws
  ]

throws:                                           ; preds = %loop
  %w = invoke noundef { i8*, i32 } @g(i32 %n)
          to label %done unwind label %pad

pad:                                              ; preds = %throws
  %l = landingpad { i8*, i32 }
          cleanup
  resume { i8*, i32 } %l

done:
  %strange = frobnicate i32 %n, blah !foo
  ret i32 %n
}

declare i32 @printf(i8*, ...)

!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "table", line: 3)
!9 = distinct !DISubprogram(name: "f<int>", linkageName: "_Z1f", scope: !10, file: !10, line: 4)
!10 = !DIFile(filename: "./a.cpp", directory: "/src")
!11 = distinct !DISubprogram(name: "inner", file: !10, line: 1)
!12 = !DILocation(line: 2, column: 5, scope: !11, inlinedAt: !13)
!13 = distinct !DILocation(line: 6, column: 9, scope: !9)
`

func blockOf(f *Func, name string) *Block {
	i := slices.IndexFunc(f.Blocks, func(b *Block) bool { return b.Name == name })
	return f.Blocks[i]
}

func TestRead(t *testing.T) {
	m, err := Read(small)
	if err != nil {
		t.Fatal(err)
	}
	f := m.ByName["f"]
	if len(m.Functions) != 1 || f == nil || len(f.Params) != 2 || f.Params[1].Name != "n" || len(f.Blocks) != 5 || f.Blocks[0].Name != "1" {
		t.Fatalf("functions: %+v", m.Functions)
	}
	p := m.types["struct.P"]
	if p.Size() != 40 || m.types["class.std::Q<int, char>"].Size() != 9 {
		t.Errorf("sizes %d and %d", p.Size(), m.types["class.std::Q<int, char>"].Size())
	}
	if off, ok := p.Offset(2); off != 16 || !ok {
		t.Errorf("offset %d", off)
	}
	g := m.Globals["table"]
	if !g.Constant || g.Initial.Args[1].Int != -9 || m.Globals["text"].Initial.Name != "a\nb" || m.Globals["elsewhere"].Initial != nil {
		t.Errorf("globals: %+v", g)
	}
	loop := blockOf(f, "loop")
	if got := strings.Join(loop.Targets(), " "); got != "loop done throws" {
		t.Errorf("targets %q", got)
	}
	if call := loop.Insts[3]; call.Callee.Name != "llvm.fmuladd.f64" || len(call.Args) != 3 || call.Type.Bits != 64 {
		t.Errorf("call: %+v", call)
	}
	if call := loop.Insts[6]; call.Callee.Name != "printf" || call.Args[0].Op != "getelementptr" || len(call.Args[0].Args) != 3 {
		t.Errorf("call: %+v", call)
	}
	if in := blockOf(f, "throws").Insts[0]; in.Op != "invoke" || strings.Join(in.Blocks, " ") != "done pad" || in.Type.Kind != Struct {
		t.Errorf("invoke: %+v", in)
	}
	if in := blockOf(f, "done").Insts[0]; in.Name != "strange" || in.Op != "frobnicate" {
		t.Errorf("an instruction that is not known: %+v", in)
	}
	where := m.Place(loop.Insts[2].Debug)
	if len(where) != 2 || where[0].Function != "inner" || where[0].Line != 2 || where[1].Function != "f<int>" || where[1].Line != 6 || where[1].File != "a.cpp" {
		t.Errorf("place: %+v", where)
	}
	if v, ok := m.Variable(g.Debug); !ok || v.Name != "table" {
		t.Errorf("variable: %+v", v)
	}
}

// TestOpaque reads what versions from 15 on print, with debug records as from 19 on.
func TestOpaque(t *testing.T) {
	m, err := Read(`define void @f(ptr nocapture noundef %a, i64 range(i64 0, 9) %n) {
entry:
    #dbg_value(ptr %a, !1, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !3)
  %p = getelementptr inbounds nuw i8, ptr %a, i64 %n
  %v = load <2 x double>, ptr %p, align 16
  %or = or disjoint i64 %n, 1
  store <2 x double> splat (double 1.0), ptr %p, align 16
  ret void
}
!1 = !DILocalVariable(name: "a", arg: 1, scope: !2)
!2 = distinct !DISubprogram(name: "f")
!3 = !DILocation(line: 1, scope: !2)
`)
	if err != nil {
		t.Fatal(err)
	}
	b := m.ByName["f"].Blocks[0]
	if b.Name != "entry" || len(b.Insts) != 6 {
		t.Fatalf("block %+v", b)
	}
	if v, first, ok := m.Described(b.Insts[0]); !ok || first || v.Name != "a" || v.Argument != 1 {
		t.Errorf("described: %+v %v %v", v, first, ok)
	}
	if in := b.Insts[2]; in.Type.Stored() != 16 || in.Args[0].Name != "p" {
		t.Errorf("load: %+v", in)
	}
	if b.Insts[3].Flags&Disjoint == 0 || b.Insts[4].Args[0].Op != "splat" || b.Insts[4].Args[1].Name != "p" {
		t.Errorf("%+v %+v", b.Insts[3], b.Insts[4])
	}
}

func TestUnended(t *testing.T) {
	_, err := Read("define void @f() {\n  ret void\n")
	if e := (*Error)(nil); !errors.As(err, &e) || e.Line != 1 {
		t.Errorf("%v", err)
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"; ModuleID = 'x'\n": true, "\n; a comment\ntarget triple = \"x\"\n": true, "@a = global i32 0\n": true, "define void @f() {\n": true,
		"int main(void) {}\n": false, "; nothing\n": false, "": false, "r 0 8\n": false, "@decorator\ndef f(): pass\n": false,
	} {
		if Is([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestDemangled(t *testing.T) {
	for name, want := range map[string][3]string{
		"_ZN4geom8multiplyIdEEvRNS_6MatrixIT_EE": {"void geom::multiply<double>(geom::Matrix<double>&)", "geom::multiply", "geom::multiply<double>"},
		"main":                                   {"main", "main", "main"},
	} {
		if got := [3]string{Demangled(name), Plain(name), Instance(name)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// FuzzRead: whatever the text, reading it ends without a panic, and what was read can be asked.
func FuzzRead(f *testing.F) {
	f.Add(small)
	files, _ := filepath.Glob("../testdata/*.ll")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	for _, s := range []string{
		"define void @f(", "%a = type { %a }\n@x = global %a zeroinitializer", "define i32 @f() {\n  %x = call i32 (", "define void @f() {\n  switch i32 0, label %a [\n",
		"@x = global " + strings.Repeat("[2 x ", 80) + "i8", "define void @f() {\n  %x = phi i32 [ 0, %a", "!1 = !DILocation(scope: !1, inlinedAt: !1)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := Read(s)
		if err != nil {
			return
		}
		for _, fn := range m.Functions {
			for _, b := range fn.Blocks {
				b.Targets()
				for _, in := range b.Insts {
					m.Place(in.Debug)
					m.Described(in)
					in.Type.Size()
				}
			}
		}
		for _, g := range m.Globals {
			g.Type.Size()
		}
	})
}
