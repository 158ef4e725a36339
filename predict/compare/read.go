package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"foresee/predict"
)

// mostBytes bounds a saved result. Chosen: 512 numbers of threads of a hundred regions are a fifth of it.
const mostBytes = 256 << 20

// ErrNoResult is a file that holds no saved predictions.
var ErrNoResult = errors.New("it is no saved result of predictions (" + predict.PredictionSchema + ")")

// IsResult says whether data begins like a saved result.
func IsResult(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return bytes.HasPrefix(data, []byte("{")) && bytes.Contains(data[:min(len(data), 200)], []byte(predict.PredictionSchema))
}

// Read reads a saved result of predictions.
func Read(r io.Reader) (*predict.PredictionResult, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostBytes {
		return nil, fmt.Errorf("it is larger than %d MiB", mostBytes>>20)
	}
	out := &predict.PredictionResult{}
	if err := json.Unmarshal(data, out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResult, err)
	}
	if out.Schema != predict.PredictionSchema {
		return nil, ErrNoResult
	}
	for i := range out.Predictions {
		if err := check(&out.Predictions[i]); err != nil {
			return nil, fmt.Errorf("prediction %d (%s): %w", i+1, nameOf(&out.Predictions[i]), err)
		}
	}
	return out, nil
}

// check refuses what no prediction holds.
func check(p *predict.Prediction) error {
	for _, t := range []*float64{p.TimeS, p.TimeLowS, p.TimeHighS} {
		if t != nil && *t < 0 {
			return fmt.Errorf("a time of %g s", *t)
		}
	}
	if (p.TimeLowS == nil) != (p.TimeHighS == nil) {
		return errors.New("an interval with one end")
	}
	if p.Accesses < 0 || p.Threads < 1 {
		return fmt.Errorf("%d accesses with %d threads", p.Accesses, p.Threads)
	}
	for _, h := range p.HitRates {
		if h.HitRate < 0 || h.HitRate > 1 || h.StandardError < 0 {
			return fmt.Errorf("a hit rate of %g ± %g", h.HitRate, h.StandardError)
		}
	}
	for _, a := range p.Arrays {
		if len(a.Misses) != len(p.HitRates) {
			return fmt.Errorf("misses of array %q for %d levels of %d", a.Array, len(a.Misses), len(p.HitRates))
		}
	}
	return nil
}
