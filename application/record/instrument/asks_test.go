package instrument

import (
	"strings"
	"testing"
)

// flowOf gives the graph of a module of one function, main, that asks for the largest number of threads.
func flowOf(t *testing.T, body string) *Asks {
	t.Helper()
	ir := "@table = internal global [8 x i32] zeroinitializer\n@n = internal global i32 0\n" +
		"define i32 @main() {\n  %n = call i32 @omp_get_max_threads()\n" + body + "}\n"
	a, err := ReadFlow(readFlow(strings.Split(ir, "\n"), &debugInfo{}).text())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestReadFlow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		decides    bool
	}{
		{"not used", "  ret i32 0\n", false},
		{"printed", "  call i32 (ptr, ...) @printf(ptr null, i32 %n)\n  ret i32 0\n", false},
		{"computed and printed", "  %m = mul i32 %n, 2\n  call i32 (ptr, ...) @printf(ptr null, i32 %m)\n  ret i32 0\n", false},
		{"in a variable", "  store i32 %n, ptr @n\n  %m = load i32, ptr @n\n  call i32 (ptr, ...) @printf(ptr null, i32 %m)\n  ret i32 0\n", false},
		{"in a variable of unoptimised code", "  %a = alloca i32\n  store i32 %n, ptr %a\n  %m = load i32, ptr %a\n  call i32 @puts(i32 %m)\n  ret i32 0\n", false},
		{"size", "  %w = sext i32 %n to i64\n  %p = call ptr @malloc(i64 %w)\n  ret i32 0\n", true},
		{"index", "  %p = getelementptr [8 x i32], ptr @table, i32 0, i32 %n\n  store i32 1, ptr %p\n  ret i32 0\n", true},
		{"function that is not known", "  call void @work(i32 %n)\n  ret i32 0\n", true},
		{"address that gets away", "  store i32 %n, ptr @n\n  call void @work(ptr @n)\n  ret i32 0\n", true},
		{"address that got away unused", "  call void @work(ptr @n)\n  ret i32 0\n", false},
		{"number of threads set", "  call void @omp_set_num_threads(i32 4)\n  ret i32 0\n", true},
		{"loop", "  br label %l\nl:\n  %i = phi i32 [ 0, %0 ], [ %j, %l ]\n  %j = add i32 %i, 1\n  %c = icmp slt i32 %j, %n\n  br i1 %c, label %l, label %e\ne:\n  ret i32 0\n", true},
		{"guards printing", "  %c = icmp eq i32 %n, 1\n  br i1 %c, label %a, label %b\na:\n  call i32 (ptr, ...) @printf(ptr null)\n  br label %b\nb:\n  ret i32 0\n", false},
		{"guards work", "  %c = icmp eq i32 %n, 1\n  br i1 %c, label %a, label %b\na:\n  call void @work()\n  br label %b\nb:\n  ret i32 0\n", true},
		{"guards what is stored and decides", "  %c = icmp eq i32 %n, 1\n  br i1 %c, label %a, label %b\na:\n  store i32 1, ptr @n\n  br label %b\nb:\n  %m = load i32, ptr @n\n  call void @work(i32 %m)\n  ret i32 0\n", true},
		{"guards an end", "  %c = icmp eq i32 %n, 1\n  br i1 %c, label %a, label %b\na:\n  call void @exit(i32 1)\n  unreachable\nb:\n  ret i32 0\n", true},
		{"chooses", "  %c = icmp eq i32 %n, 1\n  %m = select i1 %c, i32 3, i32 4\n  call void @work(i32 %m)\n  ret i32 0\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := flowOf(t, c.body)
			if got := len(a.Decisive) > 0; got != c.decides || len(a.Decisive)+len(a.Printed) != 1 {
				t.Errorf("got %+v, want decisive: %v", a, c.decides)
			}
		})
	}
}

// With gcc all that a source asks matters, but for what headers of the system declare.
func TestAsksOfSource(t *testing.T) {
	t.Parallel()
	source := "# 1 \"/x/omp.h\" 1 3\nint omp_get_max_threads(void);\n# 2 \"a.c\" 2\nint main(void) {\n  return omp_get_max_threads();\n}\n"
	if got := AsksOfSource(source); !strings.Contains(got, `a.c\\t3\\tomp_get_max_threads\\t!`) || strings.Count(got, "omp_get") != 1 {
		t.Errorf("got %s", got)
	}
	if got := AsksOfSource("int main(void) { return 0; }\n"); got != "" {
		t.Errorf("got %s, want nothing", got)
	}
}
