package cube

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Names and marks of an archive's members.
const (
	anchorName     = "anchor.xml"
	indexMark      = "CUBEX.INDEX"
	dataMark       = "CUBEX.DATA"
	compressedMark = "ZCUBEX.DATA"
)

// largestValue is the largest that is read, so that sums stay finite.
const largestValue = 1e200

// openArchive reads a .cubex: the anchor, and of each metric its index and data.
func openArchive(text []byte) (*anchor, func(*metric) (map[int][]float64, error), error) {
	members := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && header.Size > int64(len(text)) {
			err = io.ErrUnexpectedEOF
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(r)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("the archive is cut off or broken: %w; copy it again, or run the program again", err)
		}
		members[strings.TrimPrefix(header.Name, "./")] = content
	}
	xml, there := members[anchorName]
	if !there {
		return nil, nil, fmt.Errorf("the archive has no %s: it was not closed; run the program again to its end", anchorName)
	}
	xml, err := unpacked(xml)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", anchorName, err)
	}
	a, err := readAnchor(xml)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", anchorName, err)
	}
	return a, func(m *metric) (map[int][]float64, error) {
		index, data := members[strconv.Itoa(m.id)+".index"], members[strconv.Itoa(m.id)+".data"]
		if index == nil || data == nil {
			return nil, nil // derived from others, or not measured
		}
		return a.rows(m, index, data)
	}, nil
}

// unpacked is the anchor, which may be packed by gzip.
func unpacked(text []byte) ([]byte, error) {
	if !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	text, err = io.ReadAll(io.LimitReader(r, mostValues+1))
	if err == nil && len(text) > mostValues {
		err = fmt.Errorf("it holds more than %d MiB once it is unpacked", mostValues>>20)
	}
	return text, err
}

// rows are the values of a metric by callpath, of each a value for each location.
func (a *anchor) rows(m *metric, index, data []byte) (map[int][]float64, error) {
	ids, order, err := a.readIndex(index)
	if err != nil {
		return nil, fmt.Errorf("%d.index: %w", m.id, err)
	}
	size := numberSize(m.dtype)
	width := size * len(a.locations)
	if len(ids) > mostValues/max(width, 1)*8 {
		return nil, fmt.Errorf("%d.index: it has %d callpaths of %d locations, more than can be read", m.id, len(ids), len(a.locations))
	}
	rows := make(map[int][]float64, len(ids))
	for i, id := range ids {
		text, err := segment(data, order, i, len(ids), width)
		if err != nil {
			return nil, fmt.Errorf("%d.data: callpath %d: %w; copy the file again, or run the program again", m.id, id, err)
		}
		row := make([]float64, len(a.locations))
		for j := range row {
			v := decode(text[j*size:], m.dtype, order)
			if !(math.Abs(v) <= largestValue) {
				return nil, fmt.Errorf("%d.data: callpath %d: %g is no number that was measured; the archive is broken", m.id, id, v)
			}
			row[j] = v
		}
		rows[id] = row
	}
	return rows, nil
}

// readIndex reads which callpaths a metric has values of. Behind the mark stand 1, which tells the order of bytes, two bytes of version, and a byte: 1
// where a list of callpaths follows, 0 where all have values.
func (a *anchor) readIndex(text []byte) ([]int, binary.ByteOrder, error) {
	const head = len(indexMark) + 4 + 2 + 1
	if !bytes.HasPrefix(text, []byte(indexMark)) || len(text) < head {
		return nil, nil, errors.New("it does not begin as an index does; the archive is broken")
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(text[len(indexMark):]) != 1 {
		order = binary.BigEndian
	}
	if text[head-1] == 0 {
		ids := make([]int, len(a.cnodes))
		for i, c := range a.cnodes {
			ids[i] = c.id
		}
		return ids, order, nil
	}
	if len(text) < head+4 {
		return nil, nil, errors.New("it is cut off")
	}
	n := int(order.Uint32(text[head:]))
	if n > (len(text)-head-4)/4 {
		return nil, nil, errors.New("it is cut off")
	}
	ids := make([]int, n)
	for i := range ids {
		ids[i] = int(order.Uint32(text[head+4+4*i:]))
	}
	return ids, order, nil
}

// segment is the bytes of the i-th of n callpaths. In a compressed file the number of callpaths follows the mark, then for each where its bytes begin
// unpacked and packed, and how many they are packed, all in eight bytes; then the segments of zlib.
func segment(data []byte, order binary.ByteOrder, i, n, width int) ([]byte, error) {
	if bytes.HasPrefix(data, []byte(dataMark)) {
		at := len(dataMark) + i*width
		if at+width > len(data) {
			return nil, errors.New("it is cut off")
		}
		return data[at : at+width], nil
	}
	base := len(compressedMark) + 8 + 24*n
	if !bytes.HasPrefix(data, []byte(compressedMark)) || base > len(data) {
		return nil, errors.New("it does not begin as data do, or is cut off")
	}
	entry := data[len(compressedMark)+8+24*i:]
	start, size := order.Uint64(entry[8:]), order.Uint64(entry[16:])
	if room := uint64(len(data) - base); start > room || size > room-start {
		return nil, errors.New("it is cut off")
	}
	r, err := zlib.NewReader(bytes.NewReader(data[base+int(start) : base+int(start+size)]))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	text := make([]byte, width)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	return text, nil
}

// numberSize is how many bytes a number of a type has; 0 for types that do not add up.
func numberSize(dtype string) int {
	switch dtype {
	case "DOUBLE", "FLOAT", "UINT64", "INT64", "INTEGER", "SIGNED INTEGER", "UNSIGNED INTEGER":
		return 8
	case "INT", "INT32", "UINT32", "SIGNED INT", "UNSIGNED INT":
		return 4
	case "INT16", "UINT16", "SHORT INT", "SIGNED SHORT INT", "UNSIGNED SHORT INT":
		return 2
	case "CHAR", "INT8", "UINT8":
		return 1
	}
	return 0
}

// decode reads a number of a type.
func decode(b []byte, dtype string, order binary.ByteOrder) float64 {
	switch dtype {
	case "DOUBLE", "FLOAT":
		return math.Float64frombits(order.Uint64(b))
	case "UINT64", "UNSIGNED INTEGER":
		return float64(order.Uint64(b))
	case "INT64", "INTEGER", "SIGNED INTEGER":
		return float64(int64(order.Uint64(b)))
	case "UINT32", "UNSIGNED INT":
		return float64(order.Uint32(b))
	case "INT", "INT32", "SIGNED INT":
		return float64(int32(order.Uint32(b)))
	case "UINT16", "UNSIGNED SHORT INT":
		return float64(order.Uint16(b))
	case "INT16", "SHORT INT", "SIGNED SHORT INT":
		return float64(int16(order.Uint16(b)))
	case "INT8":
		return float64(int8(b[0]))
	}
	return float64(b[0])
}
