package report

import (
	"io"

	"foresee/report/jsontext"
)

// JSON writes a result as indented JSON. Empty lists are [], never null.
func JSON(w io.Writer, result any) error { return jsontext.Write(w, result) }
