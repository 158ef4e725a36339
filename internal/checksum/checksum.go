// Package checksum tells files that were cut off or damaged: JSON carries the CRC-32C of its own text, and of the files
// beside it that it describes. It is no protection against somebody who means harm.
package checksum

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
)

const prefix = "crc32c:"

// Blank stands in the field "checksum" of a JSON object whose checksum is not known yet.
const Blank = prefix + "00000000"

// ErrChanged says that a file is not as it was written.
var ErrChanged = errors.New(`damaged, or changed since it was written: its checksum is of another text; make it again, or take the line "checksum" out to use it as it is`)

var table = crc32.MakeTable(crc32.Castagnoli)

// field is the first checksum of a JSON text: strings cannot hold it, their quotation marks are escaped.
var field = regexp.MustCompile(`"checksum":\s*"` + prefix + `([0-9a-f]{8})"`)

// Put replaces the Blank of a JSON text by the CRC-32C of the text with Blank in it.
func Put(text []byte) ([]byte, error) {
	at := field.FindSubmatchIndex(text)
	if at == nil {
		return nil, errors.New("the text has no field for its checksum")
	}
	out := bytes.Clone(text)
	copy(out[at[2]:at[3]], "00000000")
	copy(out[at[2]:at[3]], fmt.Sprintf("%08x", crc32.Checksum(out, table)))
	return out, nil
}

// left is the comma of the line before, where the line of the checksum was the last and was taken out.
var left = regexp.MustCompile(`,(\s*\}\s*)$`)

// Open is Check, and gives the text as JSON: where the line of the checksum was taken out, as ErrChanged says, a comma may be left at the end.
func Open(text []byte) ([]byte, error) {
	if err := Check(text); err != nil {
		return nil, err
	}
	return left.ReplaceAll(text, []byte("$1")), nil
}

// Check compares a JSON text with its checksum; nil for one that has none.
func Check(text []byte) error {
	if field.Find(text) == nil {
		if bytes.Contains(text, []byte(`"checksum"`)) || bytes.Contains(text, []byte(prefix)) {
			return ErrChanged
		}
		return nil
	}
	if right, err := Put(text); err != nil || !bytes.Equal(right, text) {
		return ErrChanged
	}
	return nil
}

// Of is the checksum of what r gives.
func Of(r io.Reader) (string, error) {
	h := crc32.New(table)
	_, err := io.Copy(h, r)
	return fmt.Sprintf("%s%08x", prefix, h.Sum32()), err
}
