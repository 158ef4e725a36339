package instrument

import (
	"strings"
	"testing"
)

// flowOf gives the graph of a module of one function, main, that asks for the largest number of threads.
func flowOf(t *testing.T, body string) *Asks {
	t.Helper()
	ir := "@table = internal global [8 x i32] zeroinitializer\n@n = internal global i32 0\n" +
		"@plain = private constant [5 x i8] c\"%2d%%\\00\"\n@counting = private constant [5 x i8] c\"%d%n\\00\"\n" +
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
		{"pointer chosen and tested", "  %c = icmp eq i32 %n, 1\n  %p = select i1 %c, ptr null, ptr @table\n  %d = icmp eq ptr %p, null\n  %m = zext i1 %d to i32\n  call void @work(i32 %m)\n  ret i32 0\n", true},
		{"printed length", "  %m = call i32 (ptr, ...) @printf(ptr @plain, i32 %n)\n  call void @work(i32 %m)\n  ret i32 0\n", true},
		{"counted by a format", "  call i32 (ptr, ...) @printf(ptr @counting, i32 %n, ptr @n)\n  %m = load i32, ptr @n\n  call void @work(i32 %m)\n  ret i32 0\n", true},
		{"to stderr", "  %f = load ptr, ptr @stderr\n  call i32 (ptr, ptr, ...) @fprintf(ptr %f, ptr @plain, i32 %n, ptr @plain)\n  ret i32 0\n", false},
		{"to a file", "  %f = call ptr @tmpfile()\n  call i32 (ptr, ptr, ...) @fprintf(ptr %f, ptr @plain, i32 %n)\n  ret i32 0\n", true},
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
	if got := AsksOfSource(source, false, ""); !strings.Contains(got, "a.c\t3\tomp_get_max_threads\t!") || strings.Count(got, "omp_get") != 1 {
		t.Errorf("got %s", got)
	}
	if got := AsksOfSource("int main(void) { return 0; }\n", false, ""); got != "" {
		t.Errorf("got %s, want nothing", got)
	}
}

// What every thread adds to shared data counts them, but for what a worksharing loop or one thread gave.
func TestAdditions(t *testing.T) {
	t.Parallel()
	const shared = "  call void @__kmpc_for_static_init_4(ptr null, i32 0)\n  %v = load i32, ptr @work\n  call void @__kmpc_for_static_fini(ptr null, i32 0)\n"
	const gathers = "  br label %h\nh:\n  %v = phi i32 [ FIRST, %0 ], [ %t, %l ]\n  %p = call i32 @__kmpc_dispatch_next_4(ptr null)\n  %c = icmp eq i32 %p, 0\n  br i1 %c, label %o, label %l\n" +
		"l:\n  %w = load i32, ptr @work\n  %t = add i32 %v, %w\n  br label %h\no:\n"
	const add = "  call void @__kmpc_critical(ptr null)\n  %o = load i32, ptr @n\n  %s = add i32 %o, %v\n  store i32 %s, ptr @n\n  call void @__kmpc_end_critical(ptr null)\n"
	for _, c := range []struct {
		name, body string
		decides    bool
	}{
		{"atomic", "  %o = atomicrmw add ptr @n, i32 1 monotonic\n", true},
		{"largest of constants", "  %o = atomicrmw max ptr @n, i32 1 monotonic\n", false},
		{"number taken", "  %o = atomicrmw xchg ptr @n, i32 1 monotonic\n  call void @use(i32 %o)\n", true},
		{"atomic in a loop that is shared", strings.Replace(shared, "%v = load i32, ptr @work", "%o = atomicrmw add ptr @n, i32 1 monotonic", 1), false},
		{"part of a loop that is shared", strings.Replace(gathers, "FIRST", "0", 1) + add, false},
		{"part that begins with one", strings.Replace(gathers, "FIRST", "1", 1) + add, true},
		{"last of a loop that is shared", shared + add, true},
		{"pushed", "  %q = call ptr @malloc(i64 8)\n  %o = load ptr, ptr @n\n  store ptr %o, ptr %q\n  store ptr %q, ptr @n\n", true},
		{"task", "  %q = call ptr @__kmpc_omp_task_alloc(ptr null, i32 0, i32 1, i64 8, i64 0, ptr @count)\n", true},
		{"lock tried", "  %q = call i32 @omp_test_lock(ptr @n)\n", true},
		{"unknown function", "  call void @elsewhere()\n", true},
		{"pointer to a function", "  %q = load ptr, ptr @work\n  call void %q()\n", true},
		{"of what is there", "  %q = load i32, ptr @work\n  store i32 %q, ptr @n\n", false},
		{"from one to the other and back", "  %q = load i32, ptr @work\n  %o = load i32, ptr @n\n  store i32 %q, ptr @n\n  store i32 %o, ptr @work\n", true},
		{"back after a barrier", "  %q = load i32, ptr @work\n  call void @__kmpc_barrier(ptr null)\n  store i32 %q, ptr @n\n  call void @__kmpc_barrier(ptr null)\n  %o = load i32, ptr @n\n  call void @__kmpc_barrier(ptr null)\n  store i32 %o, ptr @work\n", false},
		{"what all have", "  %v = load i32, ptr @work\n" + add, true},
		{"set under a lock", "  call void @__kmpc_critical(ptr null)\n  store i32 1, ptr @n\n  call void @__kmpc_end_critical(ptr null)\n", false},
		{"by one thread", "  %i = call i32 @__kmpc_single(ptr null)\n  %b = icmp eq i32 %i, 0\n  br i1 %b, label %e, label %y\ny:\n  %o = atomicrmw add ptr @n, i32 1 monotonic\n  call void @__kmpc_end_single(ptr null)\n  br label %e\ne:\n", false},
		{"in a function", "  call void @count()\n", true},
		{"first visit", "  call void @__kmpc_for_static_init_4(ptr null)\n  %k = load i1, ptr @own\n  br i1 %k, label %e, label %y\ny:\n  store i1 true, ptr @own\n  %o = atomicrmw add ptr @n, i32 1 monotonic\n  br label %e\ne:\n  call void @__kmpc_for_static_fini(ptr null)\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ir := "@n = internal global i32 0\n@work = internal global i32 0\n@own = internal thread_local global i1 false\n" +
				"define void @count() {\n  %o = atomicrmw add ptr @n, i32 1 monotonic\n  ret void\n}\n" +
				"define internal void @.omp_outlined.(ptr %0, ptr %1) {\n" + c.body + "  ret void\n}\n" +
				"define i32 @main() {\n  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 0, ptr @.omp_outlined.)\n  ret i32 0\n}\n"
			a, err := ReadFlow(readFlow(strings.Split(ir, "\n"), &debugInfo{}).text())
			if err != nil {
				t.Fatal(err)
			}
			if got := len(a.Decisive) > 0; got != c.decides || len(a.Printed) > 0 {
				t.Errorf("got %+v, want decisive: %v", a, c.decides)
			}
		})
	}
}
