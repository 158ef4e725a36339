package observe

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"

	"foresee/application/nest/expr"
)

// arrays reads the contents of arrays that a run told, and adds those of earlier runs. There is no file where it told none.
func arrays(name string, earlier map[int64]*expr.Table) (map[int64]*expr.Table, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return earlier, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := readArrays(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, err
	}
	maps.Copy(all, earlier)
	return all, nil
}

// arrayHead is what stands before the elements of an array.
type arrayHead struct{ Content, Size, Signed, Count int64 }

func readArrays(r io.Reader) (map[int64]*expr.Table, error) {
	all := map[int64]*expr.Table{}
	for {
		var head arrayHead
		err := binary.Read(r, binary.NativeEndian, &head)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the arrays that a run told are cut off: %w", err)
		}
		if head.Count < 1 || head.Count > expr.MostInTable || head.Size != 1 && head.Size != 2 && head.Size != 4 && head.Size != 8 {
			return nil, fmt.Errorf("a run told an array of %d elements of %d bytes, which cannot be read", head.Count, head.Size)
		}
		values, err := readElements(r, head)
		if err != nil {
			return nil, fmt.Errorf("the arrays that a run told are cut off: %w", err)
		}
		if len(values) > 0 {
			all[head.Content] = expr.NewTable("", values)
		}
	}
}

// readElements reads the elements of an array, up to one that is too large to be a subscript: what was allocated and never set.
func readElements(r io.Reader, head arrayHead) (values []int64, err error) {
	const block = 1 << 16
	buffer := make([]byte, block*head.Size)
	fits := true
	for left := head.Count; left > 0; {
		n := min(left, block)
		part := buffer[:n*head.Size]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for i := range n {
			v := element(part[i*head.Size:], head)
			if fits = fits && v > expr.Whole.Lo && v < expr.Whole.Hi; fits {
				values = append(values, v)
			}
		}
		left -= n
	}
	return values, nil
}

// element is the number at the beginning of some bytes.
func element(b []byte, head arrayHead) int64 {
	switch {
	case head.Size == 1 && head.Signed != 0:
		return int64(int8(b[0]))
	case head.Size == 1:
		return int64(b[0])
	case head.Size == 2 && head.Signed != 0:
		return int64(int16(binary.NativeEndian.Uint16(b)))
	case head.Size == 2:
		return int64(binary.NativeEndian.Uint16(b))
	case head.Size == 4 && head.Signed != 0:
		return int64(int32(binary.NativeEndian.Uint32(b)))
	case head.Size == 4:
		return int64(binary.NativeEndian.Uint32(b))
	}
	return int64(binary.NativeEndian.Uint64(b))
}
