package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"foresee/application/record"
	"foresee/application/recording"
	"foresee/internal/longtest"
)

// Threads that take their work from a counter or from a queue share it: each does as much as any other, side by side.
func TestThreadsShareWork(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a dozen programs")
	}
	t.Parallel()
	const begin = "#include <atomic>\n#include <mutex>\n#include <queue>\n#include <thread>\n#include <vector>\n" +
		"int main() {\n    const int parts = 48, each = 3000;\n    std::vector<double> a(parts * each, 1);\n" +
		"    auto part = [&](int n) { for (int r = 0; r < 9; r++) for (int i = 1; i < each; i++) a[n * each + i] += a[n * each + i - 1]; };\n"
	const end = "    std::vector<std::thread> all;\n    for (int i = 0; i < THREADS; i++) all.emplace_back(work);\n    for (auto &t : all) t.join();\n    return a[3] < 1;\n}\n"
	for name, middle := range map[string]string{
		"counter": "    std::atomic<int> next{0};\n    auto work = [&] { for (int n; (n = next.fetch_add(1)) < parts;) part(n); };\n",
		"queue": "    std::queue<int> q;\n    std::mutex m;\n    for (int i = 0; i < parts; i++) q.push(i);\n" +
			"    auto work = [&] { for (;;) { int n; { std::lock_guard<std::mutex> l(m); if (q.empty()) return; n = q.front(); q.pop(); } part(n); } };\n",
	} {
		for _, compiler := range []string{"g++", "clang++"} {
			t.Run(name+compiler, func(t *testing.T) {
				t.Parallel()
				needProgram(t, compiler)
				source := filepath.Join(t.TempDir(), "share.cc")
				if err := os.WriteFile(source, []byte(begin+middle+end), 0o644); err != nil {
					t.Fatal(err)
				}
				numbers := []int{3}
				if longtest.Asked() {
					numbers = []int{2, 3, 4}
				}
				for _, threads := range numbers {
					b := ownBuild{compiler, source, record.Cxx, []string{"-O2", "-pthread", "-DTHREADS=" + string(rune('0'+threads))}}
					_, program := b.build(t, source)
					busiest, all := sharedWork(t, program, threads)
					if share := float64(busiest) / float64(all) * float64(threads); share > 1.1 {
						t.Errorf("%d threads: the slowest does %.2f times its share", threads, share)
					}
				}
			})
		}
	}
}

// sharedWork records a program of so many threads, and gives what its slowest thread accesses, summed over what comes one after another, and what all do.
func sharedWork(t *testing.T, program string, threads int) (busiest, all uint64) {
	t.Helper()
	var out bytes.Buffer
	p, err := record.Start(t.Context(), record.Run{Program: program, Threads: threads, Stdout: &out, Stderr: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	team, err := recording.NewTeam(p, recording.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	if err := readAll(team); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, r := range team.Regions() {
		busiest += r.Busiest
		all += r.Words
	}
	if all < 1e6 {
		t.Fatalf("%d accesses are recorded", all)
	}
	return busiest, all
}
