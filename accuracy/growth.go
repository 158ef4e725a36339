package accuracy

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"foresee/application/trace/synthetic"
	"foresee/model/cache"
	"foresee/model/reuse"
)

// engineGrowth measures how time and memory grow with the length of the stream, its footprint and the threads.
func engineGrowth(ctx context.Context, short bool) ([]*Table, error) {
	var tables []*Table
	for _, f := range []func(context.Context, bool) (*Table, error){growthOfLength, growthOfFootprint, growthOfThreads} {
		t, err := f(ctx, short)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// live is the memory in use after a collection, in bytes.
func live() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func mebibytes(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// held is how much more is in use now.
func held(before uint64) uint64 { return max(live(), before) - before }

// growthPiece is how many references are generated at a time. Chosen: 1 MiB of them.
const growthPiece = 1 << 17

// growthOfLength runs a generated stream without end, which is never stored.
func growthOfLength(ctx context.Context, short bool) (*Table, error) {
	t := &Table{
		Title:   "Length",
		Text:    "A matrix product (n = 200) again and again, generated as it is analysed on two cores: exact reuse distances.",
		Columns: []string{"references", "M references/s", "memory held", "distances found"},
	}
	marks := []int64{1e7, 1e8, 1e9, 1e10}
	if short {
		marks = []int64{1e5, 1e6}
	}
	before := live()
	p, h := reuse.NewPaired(64), reuse.NewHistogram(reuse.Fine)
	stream := &synthetic.MatrixProduct{N: 200}
	piece := make([]uint64, growthPiece)
	done, took := int64(0), 0.0
	for _, mark := range marks {
		for done < mark {
			n := min(int64(len(piece)), mark-done)
			stream.Fill(piece[:n])
			begin := time.Now()
			p.Add(piece[:n], h)
			took += time.Since(begin).Seconds()
			done += n
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		t.Rows = append(t.Rows, []string{
			fmt.Sprintf("%.0e", float64(mark)), fmt.Sprintf("%.0f", float64(done)/took/1e6), mebibytes(held(before)), fmt.Sprint(h.Total()),
		})
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(piece)
	return t, nil
}

func growthOfFootprint(ctx context.Context, short bool) (*Table, error) {
	t := &Table{
		Title:   "Footprint",
		Text:    "Uniform lines, 16 references a line on average, at most 64 M: exact reuse distances on one core. Memory grows by steps; two rows stand just past one. Where no two lines lie in one page of 4 KiB, each pays for the page. Several workers have a table each, and buffers of up to 32 MiB each.",
		Columns: []string{"lines", "ns a reference", "memory held", "bytes a line"},
	}
	footprints := []struct {
		name          string
		lines, stride uint64 // in lines
	}{
		{"2^10", 1 << 10, 1},
		{"2^14", 1 << 14, 1},
		{"2^18", 1 << 18, 1},
		{"2^20", 1 << 20, 1},
		{"2^20 + 5000", 1<<20 + 5000, 1},
		{"2^22", 1 << 22, 1},
		{"2^24", 1 << 24, 1},
		{"2^18, one a page", 1 << 18, 64},
		{"2^18 + 5000, one a page", 1<<18 + 5000, 64},
	}
	if short {
		footprints = footprints[:2]
	}
	for _, f := range footprints {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		addresses := synthetic.Take(synthetic.NewUniform(f.lines, 1), int(min(max(16*f.lines, 1<<22), 64<<20)))
		for i := range addresses {
			addresses[i] *= f.stride
		}
		before := live()
		s, h := reuse.NewStack(64), reuse.NewHistogram(reuse.Fine)
		begin := time.Now()
		s.Add(addresses, h)
		took := time.Since(begin)
		held := held(before)
		t.Rows = append(t.Rows, []string{
			f.name, fmt.Sprintf("%.1f", float64(took.Nanoseconds())/float64(len(addresses))),
			mebibytes(held), fmt.Sprintf("%.1f", float64(held)/float64(f.lines)),
		})
		runtime.KeepAlive(s)
		runtime.KeepAlive(addresses)
	}
	return t, nil
}

func growthOfThreads(ctx context.Context, short bool) (*Table, error) {
	t := &Table{
		Title: "Threads",
		Text: "The stencil's references dealt to threads in turn, 64 at a time, a quarter of them writes: exact simulation of private L1 and L2 and a shared L3, " +
			"with coherence, on one core.",
		Columns: []string{"threads", "ns a reference"},
	}
	addresses := synthetic.Take(&synthetic.Stencil{N: 1000}, 4_000_000)
	if short {
		addresses = addresses[:100_000]
	}
	for _, threads := range []int{1, 2, 4, 8, 16, 32, 64} {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		levels := append([]cache.Level{}, machineLevels...)
		levels[2].SharedBy = threads
		s, err := cache.NewSimulator(cache.Hierarchy{Threads: threads, Levels: levels})
		if err != nil {
			return nil, err
		}
		begin := time.Now()
		for i, a := range addresses {
			s.Access(i/64%threads, a>>6, i%4 == 3)
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(threads), fmt.Sprintf("%.1f", float64(time.Since(begin).Nanoseconds())/float64(len(addresses)))})
	}
	return t, nil
}
