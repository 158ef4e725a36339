package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"foresee/predict"
	"foresee/report/figure"
	"foresee/report/sample"
)

// pictures are drawn by TestPictures; set FORESEE_PICTURES to a folder to look at them.
var pictures = map[string]func(w io.Writer, format string) error{
	"mrc-one":       drawCurves(sample.Curves(1, []string{"kernel_gemm"}, 1)),
	"mrc-six":       drawCurves(sample.Curves(0.9, []string{"kernel_gemm"}, 1, 2, 4, 8, 16, 32)),
	"mrc-small":     drawCurves(sample.Curves(2e-4, []string{"kernel_gemm"}, 1, 8)),
	"mrc-twelve":    drawCurves(manyCurves()),
	"mrc-point":     drawCurves(pointCurve()),
	"mrc-marks":     drawCurves(manyMarks()),
	"mrc-zero":      drawCurves(sample.Curves(0, []string{"kernel_gemm"}, 1)),
	"profile-one":   drawProfiles(sample.Profiles()),
	"profile-six":   drawProfiles(manyProfiles()),
	"profile-cold":  drawProfiles(coldProfile()),
	"profile-part":  drawProfiles(partialProfiles()),
	"predict-part":  drawPrediction(partialPredictions()),
	"predict-one":   drawPrediction(sample.Predictions([]string{"kernel_gemm"}, []string{"i7-5960x"}, 1, 2, 4, 8)),
	"predict-long":  drawPrediction(sample.Predictions([]string{"a_function_with_a_name_that_is_much_longer_than_anyone_would_like_to_read_in_a_title_of_a_plot_but_people_do_it_anyway_and_so_it_must_be_cut:1234"}, []string{"i7-5960x", "zen4"}, 1, 2, 4)),
	"predict-many":  drawPrediction(sample.Predictions(sample.Names(14, "region_%d"), []string{"zen4"}, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64)),
	"predict-T1":    drawPrediction(sample.Predictions(sample.Names(6, "kernel_gemver:%d1"), []string{"i7-5960x", "sapphire-rapids"}, 1)),
	"predict-T1one": drawPrediction(sample.Predictions([]string{"kernel_gemm"}, []string{"i7-5960x"}, 8)),
	"predict-bare":  drawPrediction(sample.Timeless()),
}

func drawCurves(r *predict.CurveResult) func(io.Writer, string) error {
	return func(w io.Writer, format string) error { return figure.Curves(w, format, r) }
}

func drawPrediction(r *predict.PredictionResult) func(io.Writer, string) error {
	return func(w io.Writer, format string) error { return figure.Prediction(w, format, r) }
}

func drawProfiles(r *predict.ProfileResult) func(io.Writer, string) error {
	return func(w io.Writer, format string) error { return figure.Profiles(w, format, r) }
}

func manyProfiles() *predict.ProfileResult {
	r := sample.Profiles()
	first := r.Profiles[0]
	for i := range 5 {
		p := first
		p.Threads, p.Histogram = 1<<i, nil
		for e := range 24 {
			p.Histogram = append(p.Histogram, predict.Bin{Low: 1 << e, High: 2<<e - 1, Count: int64(100000 * ((e+i)%5 + 1) / 4)})
		}
		r.Profiles = append(r.Profiles, p)
	}
	return r
}

func coldProfile() *predict.ProfileResult {
	r := sample.Profiles()
	r.Profiles[0].Histogram, r.Profiles[0].Cold = nil, r.Profiles[0].Accesses
	return r
}

func partialProfiles() *predict.ProfileResult {
	r := sample.Profiles()
	r.Partial = true
	return r
}

func partialPredictions() *predict.PredictionResult {
	r := sample.Predictions([]string{"kernel_gemm"}, []string{"i7-5960x"}, 1, 2, 4, 8)
	r.Partial = true
	return r
}

func manyCurves() *predict.CurveResult {
	r := sample.Curves(0.7, []string{"kernel_gemm_with_a_rather_long_name:23", "kernel_gemver_outer:41", "init<array>&co:7"}, 1, 2, 4, 8)
	r.Levels = append(r.Levels, sample.Marks("zen4")...)
	return r
}

func pointCurve() *predict.CurveResult {
	r := sample.Curves(0.7, []string{"kernel_gemm"}, 1, 2)
	for i := range r.Curves {
		r.Curves[i].Points = r.Curves[i].Points[10:11]
	}
	return r
}

func manyMarks() *predict.CurveResult {
	r := sample.Curves(0.7, []string{"kernel_gemm"}, 1)
	r.Levels = nil
	for i, name := range []string{"i7-5960x", "sapphire-rapids", "epyc-7702p", "graviton3"} {
		for _, m := range sample.Marks(name) {
			m.Bytes += m.Bytes / 4 * int64(i)
			r.Levels = append(r.Levels, m)
		}
	}
	return r
}

// TestPictures draws every picture twice in both formats: equal bytes, well-formed XML, a PNG signature.
func TestPictures(t *testing.T) {
	for name, draw := range pictures {
		t.Run(name, func(t *testing.T) {
			for _, format := range figure.Formats {
				var first, second bytes.Buffer
				if err := errors.Join(draw(&first, format), draw(&second, format)); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(first.Bytes(), second.Bytes()) {
					t.Errorf("two %s pictures of one result differ", format)
				}
				checkFormat(t, format, first.Bytes())
				if dir := os.Getenv("FORESEE_PICTURES"); dir != "" {
					if err := os.WriteFile(filepath.Join(dir, name+"."+format), first.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func checkFormat(t *testing.T, format string, data []byte) {
	t.Helper()
	if format == "png" {
		if !bytes.HasPrefix(data, []byte("\x89PNG\r\n")) {
			t.Error("not a PNG file")
		}
		return
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}

func TestPlotErrors(t *testing.T) {
	for name, err := range map[string]error{
		"unknown format": figure.Curves(io.Discard, "gif", sample.Curves(1, []string{"k"}, 1)),
		"no curve":       figure.Curves(io.Discard, "svg", &predict.CurveResult{}),
		"no profile":     figure.Profiles(io.Discard, "svg", &predict.ProfileResult{}),
		"no prediction":  figure.Prediction(io.Discard, "svg", &predict.PredictionResult{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
