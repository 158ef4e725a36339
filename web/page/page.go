// Package page holds what browsers show: the page of foresee with its styles and scripts, its examples among them.
//
// Scripts are plain modules of the language, but for the editor, which is a bundle that web/editor makes of CodeMirror and is kept here, so that Go
// alone builds all. Pictures are drawn by the page's own script as SVG: they follow the pointer and the sliders without asking the engine again, take
// their colours from the page's, dark or light, and add nothing to the size of WebAssembly, where the fonts of report/figure would be megabytes.
package page

import (
	"embed"
	"io/fs"

	report "foresee/report/page"
)

//go:embed static
var static embed.FS

// Files are those of the page, without engine.js, which says what answers it, and xmodel.js.
func Files() fs.FS {
	files, err := fs.Sub(static, "static")
	if err != nil { // the folder is embedded
		return static
	}
	return files
}

// NativeEngine is engine.js where a server answers, and WebEngine where WebAssembly does.
const (
	NativeEngine = "export const engine = \"native\";\n"
	WebEngine    = "export const engine = \"wasm\";\n"
)

// XModel is xmodel.js: the X-model as reports have it, which a test there holds to model/xmodel.
func XModel() string { return report.XModel() + "\nexport { xmodel };\n" }
