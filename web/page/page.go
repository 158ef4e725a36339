// Package page holds what browsers show: the page of foresee with its styles and scripts, its examples among them.
//
// Scripts are plain modules of the language, but for the editor, which is a bundle that web/editor makes of CodeMirror and is kept here, so that Go
// alone builds all. Pictures are drawn by the page's own script as SVG: they follow the pointer and the sliders without asking the engine again, take
// their colours from the page's, dark or light, and add nothing to the size of WebAssembly, where the fonts of report/figure would be megabytes.
package page

import (
	"embed"
	"encoding/json"
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

// NativeEngine is engine.js where a server answers.
const NativeEngine = "export const engine = \"native\";\nexport const worker = \"\";\n"

// WebEngine is engine.js where WebAssembly answers: it has the text of the worker that holds it. Start is the script of Go's that starts WebAssembly.
func WebEngine(start string) string {
	worker, err := fs.ReadFile(static, "static/worker.js")
	if err != nil { // the folder is embedded
		return ""
	}
	text, err := json.Marshal(start + "\n" + string(worker))
	if err != nil { // it is text
		return ""
	}
	return "export const engine = \"wasm\";\nexport const worker = " + string(text) + ";\n"
}

// XModel is xmodel.js: the X-model as reports have it, which a test there holds to model/xmodel.
func XModel() string { return report.XModel() + "\nexport { xmodel };\n" }

// quietly are packages in which the compiler puts no function into its callers, as the engine is loaded by browsers and these take little of its time. Measured:
// the engine is a twelfth smaller.
var quietly = []string{
	"modernc.org/...", "go.yaml.in/...", "github.com/...", "encoding/json", "math/big", "regexp/...",
	"foresee/advise/...", "foresee/application/csource/...", "foresee/machine/...", "foresee/report/...", "foresee/predict/compare", "foresee/predict/rank", "foresee/predict/answer",
	"foresee/application", "foresee/application/record/...", "foresee/application/observe", "foresee/application/assembly", "foresee/application/trace/...",
	"foresee/application/recording", "foresee/predict/compiled", "foresee/predict/followed", "os/...", "encoding/...", "debug/...", "text/...", "time", "go/...",
}

// Build is what the go command is given to make the engine for browsers, with GOOS=js and GOARCH=wasm.
func Build(path string) []string {
	args := []string{"build", "-trimpath", "-ldflags=-s -w"}
	for _, p := range quietly {
		args = append(args, "-gcflags="+p+"=-l")
	}
	return append(args, "-o", path, "foresee/web/wasm")
}
