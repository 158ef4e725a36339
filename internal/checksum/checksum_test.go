package checksum

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const text = `{
  "schema": "foresee.run/v1",
  "checksum": "crc32c:00000000",
  "name": "a \"checksum\": \"crc32c:00000000\"",
  "value": 64
}
`

// Any byte that is another, missing or too much is noticed.
func TestCheck(t *testing.T) {
	whole, err := Put([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(whole); err != nil || bytes.Equal(whole, []byte(text)) {
		t.Errorf("%v\n%s", err, whole)
	}
	for i := range whole {
		for _, bit := range []byte{1, 4, 0x20, 0x80} {
			damaged := bytes.Clone(whole)
			damaged[i] ^= bit
			if Check(damaged) == nil {
				t.Errorf("byte %d changed by %#x: nothing was noticed", i, bit)
			}
		}
		if i > bytes.Index(whole, []byte(`"checksum"`))+10 && Check(whole[:i]) == nil {
			t.Errorf("cut to %d bytes: nothing was noticed", i)
		}
	}
	if Check(append(whole, '\n')) == nil {
		t.Error("a byte too many: nothing was noticed")
	}
}

// A text without a checksum is as good as it was before there were any.
func TestNone(t *testing.T) {
	if err := Check([]byte(`{"value": 64}`)); err != nil {
		t.Error(err)
	}
	if _, err := Put([]byte(`{"value": 64}`)); err == nil {
		t.Error("a checksum went nowhere")
	}
	if err := Check([]byte(text)); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}

// The remedy of ErrChanged works as it is said, wherever the line stands.
func TestLineTakenOut(t *testing.T) {
	for _, text := range []string{"{\n  \"value\": 64,\n  \"checksum\": \"crc32c:00000000\"\n}\n", "{\n  \"checksum\": \"crc32c:00000000\"\n}"} {
		if _, err := Open([]byte(text)); !errors.Is(err, ErrChanged) {
			t.Fatal(err)
		}
		var kept []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, `  "checksum"`) {
				kept = append(kept, line)
			}
		}
		rest, err := Open([]byte(strings.Join(kept, "")))
		if err != nil || !json.Valid(rest) {
			t.Errorf("%v\n%s", err, rest)
		}
	}
}

// The check value of CRC-32C is that of RFC 3720, appendix B.4: 32 bytes of zeros.
func TestOf(t *testing.T) {
	if got, err := Of(strings.NewReader(strings.Repeat("\x00", 32))); err != nil || got != "crc32c:8a9136aa" {
		t.Error(got, err)
	}
}
