package record

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"foresee/application/record/instrument"
	"foresee/application/record/rewrite"
	"foresee/application/recording"
)

// symbols answer what lies where in a program.
type symbols struct {
	file  *elf.File
	bias  uint64
	lines []lineRow // by address; read when first asked for
	read  bool
	funcs []elf.Symbol
	dwarf *dwarf.Data         // read when an allocation is first asked for
	texts map[string][]string // lines of sources, by file
	given map[string]int      // names that were given to what a statement allocates, by its place
}

// lineRow is a row of the line table: from this address on, code is of that line.
type lineRow struct {
	address      uint64
	file         string
	line, column int
	end          bool // of code that follows on
}

// openSymbols opens a program for what it tells of its functions and lines.
func openSymbols(program string) (*symbols, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	return &symbols{file: f}, nil
}

func (s *symbols) close() { s.file.Close() }

// instrumented says whether foresee cc linked the program.
func (s *symbols) instrumented() bool {
	for _, table := range []func() ([]elf.Symbol, error){s.file.DynamicSymbols, s.file.Symbols} {
		all, err := table()
		if err != nil {
			continue
		}
		for _, y := range all {
			if y.Name == "fr_module" && y.Section != elf.SHN_UNDEF {
				return true
			}
		}
	}
	return false
}

// smallestObject is the least size of a variable that is named, in bytes. Chosen: two doubles; counters of threads, which share lines, have hardly more.
const smallestObject = 16

// objects gives a record for each array of the program.
func (s *symbols) objects() []*recording.Record {
	all, err := s.file.Symbols()
	if err != nil {
		return nil
	}
	var kept []elf.Symbol
	ours := false // the symbols are of a file of the runtime
	for _, y := range all {
		if elf.ST_TYPE(y.Info) == elf.STT_FILE {
			ours = strings.HasPrefix(y.Name, runtimePrefix)
		}
		if ours && elf.ST_BIND(y.Info) == elf.STB_LOCAL {
			continue
		}
		if elf.ST_TYPE(y.Info) == elf.STT_OBJECT && y.Size >= smallestObject && y.Section != elf.SHN_UNDEF && !recorders(y.Name) {
			kept = append(kept, y)
		}
	}
	sort.Slice(kept, func(i, j int) bool {
		if kept[i].Value != kept[j].Value {
			return kept[i].Value < kept[j].Value
		}
		return kept[i].Size > kept[j].Size
	})
	var out []*recording.Record
	end := uint64(0)
	for _, y := range kept {
		if y.Value < end {
			continue
		}
		end = y.Value + y.Size
		out = append(out, recording.ObjectRecord(y.Value+s.bias, y.Size, objectName(y.Name)))
	}
	return out
}

// objectName is a variable's name as the source has it, where Rust mangled it; C++ has few that are, which keep their names.
func objectName(symbol string) string {
	if strings.HasPrefix(symbol, "_R") || ofRust.MatchString(symbol) {
		return demangle.Filter(symbol, demangle.NoParams)
	}
	return symbol
}

// ofRust are names as Rust made them before 2025: as C++ would, with a hash behind.
var ofRust = regexp.MustCompile(`^_ZN.*17h[0-9a-f]{16}E`)

// recorders tells the variables of the runtime, and what compilers make of thread-local ones.
func recorders(name string) bool {
	return len(name) > 3 && (name[:3] == "fr_" || name[:3] == "vo_") || strings.HasPrefix(name, "__emutls_")
}

// outlinedByClang is in the names of bodies of parallel regions.
const outlinedByClang = "omp_outlined"

// place gives "file:line function" of the call before a return address.
func (s *symbols) place(pc uint64) string {
	if !s.read {
		s.read = true
		s.lines, _ = readLines(s.file)
		if all, err := s.file.Symbols(); err == nil {
			for _, y := range all {
				if elf.ST_TYPE(y.Info) == elf.STT_FUNC && y.Size > 0 {
					s.funcs = append(s.funcs, y)
				}
			}
			sort.Slice(s.funcs, func(i, j int) bool { return s.funcs[i].Value < s.funcs[j].Value })
		}
	}
	at := pc - s.bias - 1
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].address > at }) - 1
	for i >= 0 && s.lines[i].line == 0 && !s.lines[i].end { // of code that stands for no line
		i--
	}
	if i < 0 || s.lines[i].line == 0 {
		return ""
	}
	for _, f := range s.frames(at) { // the innermost function, put into others or not, that is no code of the system's headers
		if f.function != "" && !instrument.OfSystem(f.file) && !strings.Contains(f.function, outlinedByClang) {
			if f.inlined {
				return fmt.Sprintf("%s:%d %s", filepath.Base(f.file), f.line, f.function)
			}
			break
		}
	}
	function := ""
	if k := sort.Search(len(s.funcs), func(k int) bool { return s.funcs[k].Value > at }) - 1; k >= 0 && at < s.funcs[k].Value+s.funcs[k].Size {
		function = strings.ReplaceAll(rewrite.FunctionName(s.funcs[k].Name), " ", "") // which ends what is read
	}
	return fmt.Sprintf("%s:%d %s", filepath.Base(s.lines[i].file), s.lines[i].line, function)
}

// readLines reads the line tables of all compilation units.
func readLines(f *elf.File) ([]lineRow, error) {
	d, err := f.DWARF()
	if err != nil {
		return nil, err
	}
	var rows []lineRow
	for r := d.Reader(); ; {
		unit, err := r.Next()
		if err != nil || unit == nil {
			sort.SliceStable(rows, func(i, j int) bool { return rows[i].address < rows[j].address })
			return rows, err
		}
		r.SkipChildren()
		if unit.Tag != dwarf.TagCompileUnit {
			continue
		}
		table, err := d.LineReader(unit)
		if err != nil || table == nil {
			continue
		}
		var e dwarf.LineEntry
		for {
			if err := table.Next(&e); err != nil {
				if !errors.Is(err, io.EOF) {
					return rows, err
				}
				break
			}
			row := lineRow{address: e.Address, line: e.Line, column: e.Column}
			if e.File != nil {
				row.file = e.File.Name
			}
			if e.EndSequence {
				row.line, row.end = 0, true
			}
			rows = append(rows, row)
		}
	}
}
