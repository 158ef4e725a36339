//go:build !js

package threads

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"
)

// MarshalBinary encodes a signature: numbers of variable length, compressed with zstd.
func (s *Signature) MarshalBinary() ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return z.EncodeAll(s.encode(), nil), nil
}

// encode writes the fields one after another, in the order of the types; decode reads them so.
func (s *Signature) encode() []byte {
	w := &writer{}
	w.numbers(formatVersion, s.Line, s.Accesses)
	w.reals(s.Lines, s.Private)
	w.numbers(int64(len(s.Loops)))
	for _, l := range s.Loops {
		w.numbers(int64(l.Schedule), l.Chunk)
		w.text(l.Place)
	}
	w.numbers(int64(len(s.Shapes)))
	for _, h := range s.Shapes {
		w.numbers(int64(h.Loop), h.Iterations)
		w.list(h.Before)
	}
	w.numbers(int64(len(s.Apart)))
	for _, list := range s.Apart {
		w.list(list)
	}
	w.numbers(int64(len(s.Samples)))
	for i := range s.Samples {
		w.sample(&s.Samples[i])
	}
	if s.LinesError != 0 { // older versions have none
		w.reals(s.LinesError)
	}
	return w.data
}

// writer appends numbers to data.
type writer struct{ data []byte }

func (w *writer) numbers(list ...int64) {
	for _, v := range list {
		w.data = binary.AppendVarint(w.data, v)
	}
}

func (w *writer) reals(list ...float64) {
	for _, v := range list {
		w.data = binary.LittleEndian.AppendUint64(w.data, math.Float64bits(v))
	}
}

func (w *writer) text(s string) {
	w.numbers(int64(len(s)))
	w.data = append(w.data, s...)
}

// list writes differences, which are small.
func (w *writer) list(list []int64) {
	w.numbers(int64(len(list)))
	before := int64(0)
	for _, v := range list {
		w.numbers(v - before)
		before = v
	}
}

func (w *writer) sample(y *Sample) {
	w.reals(y.Weight)
	private := int64(0)
	if y.Private {
		private = 1
	}
	w.numbers(int64(y.Reference), int64(y.Class), private, int64(y.Shape), y.Begin, y.Iteration, y.Local, y.Position-y.Begin,
		y.Interval, int64(math.Round(y.Distance)), y.Next)
	w.runs(y.Runs)
	w.numbers(int64(len(y.Later)))
	for _, l := range y.Later {
		w.numbers(int64(l.Shape), l.Begin-y.Begin)
		w.runs(l.Runs)
	}
}

func (w *writer) runs(list []Run) {
	w.numbers(int64(len(list)))
	for _, r := range list {
		w.numbers(r.First, r.Stride, r.Count, r.Period, r.Repeat, r.Local, r.Inner, r.Outer, r.Scatter, r.Model, int64(len(r.Touches)))
		for _, u := range r.Touches {
			w.numbers(u.Local-r.Local, u.Step, u.Count)
			w.list(u.Inner)
		}
	}
}
