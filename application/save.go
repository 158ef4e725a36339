//go:build !js

package application

import (
	"encoding/base64"

	"github.com/klauspost/compress/zstd"

	"foresee/application/nest"
	"foresee/application/nest/portable"
)

// SetProgram packs the loop nests of the region, and says how many bytes they are unpacked.
func (r *SavedRegion) SetProgram(p *nest.Program) (unpacked int, err error) {
	plain, err := portable.Marshal(p)
	if err != nil {
		return 0, err
	}
	if len(plain) > mostProgram {
		return 0, ErrLongPrograms
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	r.Program = base64.StdEncoding.EncodeToString(z.EncodeAll(plain, nil))
	return len(plain), nil
}
