package threads

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"

	"foresee/model/schedule"
)

// formatVersion is the first number of an encoded signature: it rises when older ones can no longer be read.
const formatVersion = 1

// ErrDamaged says that data is no signature.
var ErrDamaged = errors.New("the signature is damaged")

// mostDecoded bounds what an encoded signature may unpack to, in bytes. Chosen: those of the kernels are encoded in less than 300 KiB
// (docs/performance.md).
const mostDecoded = 64 << 20

// UnmarshalBinary decodes what MarshalBinary wrote, and checks it.
func (s *Signature) UnmarshalBinary(data []byte) error {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostDecoded))
	if err != nil {
		return err
	}
	defer z.Close()
	plain, err := z.DecodeAll(data, nil)
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return s.decode(plain)
}

func (s *Signature) decode(plain []byte) error {
	r := &reader{data: plain}
	if v := r.number(); !r.bad && v != formatVersion {
		return fmt.Errorf("the signature is of format %d, this foresee reads %d; make it again with this one", v, formatVersion)
	}
	s.Line, s.Accesses, s.Lines, s.Private = r.number(), r.number(), r.real(), r.real()
	s.Loops = make([]Loop, r.count(3))
	for i := range s.Loops {
		s.Loops[i] = Loop{schedule.Kind(r.number()), r.number(), r.text()}
	}
	s.Shapes = make([]Shape, r.count(3))
	for i := range s.Shapes {
		s.Shapes[i] = Shape{int32(r.number()), r.number(), r.list()}
	}
	s.Apart = make([][]int64, r.count(1))
	for i := range s.Apart {
		s.Apart[i] = r.list()
	}
	s.Samples = make([]Sample, r.count(20))
	for i := range s.Samples {
		s.Samples[i] = r.sample()
	}
	s.LinesError = 0
	if len(r.data) > 0 {
		s.LinesError = r.real()
	}
	if r.bad || len(r.data) > 0 || !s.sound() {
		return ErrDamaged
	}
	return nil
}

// reader takes numbers from data; bad says that there was something else.
type reader struct {
	data []byte
	bad  bool
}

// number reads what writer.numbers wrote; 0 where there is none.
func (r *reader) number() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

// real reads the eight bytes of a floating-point number; 0 where they are not there.
func (r *reader) real() float64 {
	if len(r.data) < 8 {
		r.bad, r.data = true, nil
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.data))
	r.data = r.data[8:]
	return v
}

// count reads a number of things of at least size bytes each.
func (r *reader) count(size int) int {
	n := r.number()
	if n < 0 || n > int64(len(r.data)/size) {
		r.bad, r.data = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count(1)
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

// list reads numbers that were written as differences, which are short.
func (r *reader) list() []int64 {
	var list []int64
	v := int64(0)
	for range r.count(1) {
		v += r.number()
		list = append(list, v)
	}
	return list
}

func (r *reader) sample() Sample {
	y := Sample{Weight: r.real(), Reference: int32(r.number()), Class: int32(r.number()), Private: r.number() == 1}
	y.Shape, y.Begin, y.Iteration, y.Local = int32(r.number()), r.number(), r.number(), r.number()
	y.Position = y.Begin + r.number()
	y.Interval, y.Distance, y.Next = r.number(), float64(r.number()), r.number()
	y.Runs = r.runs()
	for range r.count(3) {
		y.Later = append(y.Later, Later{int32(r.number()), y.Begin + r.number(), r.runs()})
	}
	return y
}

func (r *reader) runs() []Run {
	var out []Run
	for range r.count(11) {
		x := Run{
			First: r.number(), Stride: r.number(), Count: r.number(), Period: r.number(), Repeat: r.number(),
			Local: r.number(), Inner: r.number(), Outer: r.number(), Scatter: r.number(), Model: r.number(),
		}
		for range r.count(4) {
			x.Touches = append(x.Touches, Use{x.Local + r.number(), r.number(), r.number(), r.list()})
		}
		out = append(out, x)
	}
	return out
}

// sound tells whether the numbers of a signature can be what Analyse found.
func (s *Signature) sound() bool {
	ok := s.Line > 0 && s.Line&(s.Line-1) == 0 && s.Accesses >= 0 && s.Accesses < 1<<60 && finite(s.Lines) && finite(s.Private) && finite(s.LinesError)
	for _, l := range s.Loops {
		ok = ok && l.Schedule.Known() && l.Chunk >= 0
	}
	for i := range s.Shapes {
		h := &s.Shapes[i]
		ok = ok && h.Loop >= 0 && int(h.Loop) < len(s.Loops) && in(h.Iterations, 1, 1<<40) && len(h.Before) >= 2 && h.Before[0] == 0
		for k := range h.Before {
			ok = ok && h.Before[k] < 1<<60 && (k == 0 || h.Before[k] >= h.Before[k-1])
		}
	}
	weight := 0.0
	for i := range s.Samples {
		ok = ok && s.soundSample(&s.Samples[i])
		weight += s.Samples[i].Weight
	}
	all := float64(s.Accesses)
	return ok && math.Abs(weight-all) <= 0.01*all && s.Lines <= all
}

// soundSample is sound of one sample: its numbers are within what no program exceeds, and its indices point at something.
func (s *Signature) soundSample(y *Sample) bool {
	ok := finite(y.Weight) && in(y.Position, 0, 1<<60) && in(y.Begin, 0, 1<<60) && in(y.Local, 0, 1<<60) &&
		in(y.Interval, 0, 1<<60) && y.Distance >= 0 && in(y.Next, 0, 1<<60) && y.Reference >= 0 &&
		in(int64(y.Class), -1, int64(len(s.Apart))-1) && in(int64(y.Shape), -1, int64(len(s.Shapes))-1)
	if !ok {
		return false
	}
	if y.Shape >= 0 {
		n := s.Shapes[y.Shape].Iterations
		ok = in(y.Iteration, 0, n-1) && soundRuns(y.Runs, n)
	}
	for _, l := range y.Later {
		ok = ok && in(l.Begin, 0, 1<<60) && in(int64(l.Shape), -1, int64(len(s.Shapes))-1)
		if ok && l.Shape >= 0 {
			ok = soundRuns(l.Runs, s.Shapes[l.Shape].Iterations)
		}
	}
	return ok
}

// soundRuns is sound of the runs of an execution of n iterations.
func soundRuns(list []Run, n int64) bool {
	for i := range list {
		r := &list[i]
		ok := in(r.First, 0, n-1) && in(r.Stride, 1, n) && in(r.Count, 1, n) && in(r.Repeat, 1, n) && in(r.Period, 0, n) &&
			(r.Repeat == 1 || r.Period > 0) && in(r.Local, 0, 1<<60) && in(abs(r.Inner), 0, 1<<60) && in(abs(r.Outer), 0, 1<<60) &&
			in(r.Model, 0, n-1) && in(r.Scatter, 0, 1<<60)
		for _, u := range r.Touches {
			ok = ok && in(u.Local, 0, 1<<60) && in(u.Count, 0, 1<<60) && in(u.Step, 0, 1<<60) && (u.Count == 0 || u.Step > 0)
		}
		if !ok {
			return false
		}
	}
	return true
}

func in(v, least, most int64) bool { return v >= least && v <= most }

func finite(v float64) bool { return v >= 0 && v < 1e300 }
