package docs_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"foresee/model/threads"
)

// A number that a page takes from the code has a mark before it, which nobody sees on the page:
//
//	at least <!--= reuse.fewestLines -->512 lines
//
// is package reuse's constant fewestLines. The constant may be multiplied or divided: <!--= nest.maxNodes /1e6 -->2 million.
var (
	blockMark = regexp.MustCompile(`(?m)^ *<!--[=~].*$`)
	anyMark   = regexp.MustCompile(`<!--=`)
	mark      = regexp.MustCompile(`<!--= (\w+)\.(\w+(?:\(\))?)(?: ([*/])([-\d.e]+))? -->(\d+(?:,\d{3})*(?:\.\d+)?)`)
)

// derived are values that are no constants: what a function gives that a page quotes.
var derived = map[string]float64{
	"threads.LongInterval()": math.Floor(threads.LongInterval()),
}

// TestValues compares every marked number with its constant, to as many digits as the page prints.
func TestValues(t *testing.T) {
	constants := newConstants(t)
	compared := 0
	for name, text := range pages(t) {
		if at := blockMark.FindString(prose(text)); at != "" {
			t.Errorf("%s: %q begins a line, which makes it a block of HTML; put a word before it", name, strings.TrimSpace(at))
		}
		found := mark.FindAllStringSubmatch(text, -1)
		if n := len(anyMark.FindAllString(text, -1)); n != len(found) && name != "CONTRIBUTING.md" {
			t.Errorf("%s: %d of %d marks are no mark of a number: <!--= package.constant -->NUMBER", name, n-len(found), n)
		}
		for _, m := range found {
			compared++
			value, err := constants.value(m[1], m[2])
			if err != nil {
				t.Errorf("%s: %s: %v", name, m[0], err)
				continue
			}
			if want := scaled(value, m[3], m[4], decimals(m[5])); strings.ReplaceAll(m[5], ",", "") != want {
				t.Errorf("%s: %s.%s is %s, and the page says %s", name, m[1], m[2], want, m[5])
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d numbers were compared", compared)
	}
}

// scaled prints a value times or over a factor with so many decimals.
func scaled(value float64, operator, factor string, decimals int) string {
	if by, err := strconv.ParseFloat(factor, 64); err == nil && operator == "*" {
		value *= by
	} else if err == nil {
		value /= by
	}
	return strconv.FormatFloat(value, 'f', decimals, 64)
}

func decimals(number string) int {
	if _, after, ok := strings.Cut(number, "."); ok {
		return len(after)
	}
	return 0
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		value            float64
		operator, factor string
		decimals         int
		want             string
	}{{512, "", "", 0, "512"}, {262144, "", "", 0, "262144"}, {1 << 20, "/", "1024", 0, "1024"}, {0.05, "*", "100", 0, "5"}, {0.288675, "", "", 2, "0.29"}} {
		if got := scaled(c.value, c.operator, c.factor, c.decimals); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// constants are those of the repository's packages, by name of the package.
type constants struct {
	t       *testing.T
	folders map[string][]string // of packages, by the last part of their path
	known   map[string]*types.Package
}

func newConstants(t *testing.T) *constants {
	c := &constants{t: t, folders: map[string][]string{}, known: map[string]*types.Package{}}
	for _, top := range []string{"application", "machine", "model", "predict", "internal", "accuracy", "report", "web"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() != "testdata" {
				c.folders[d.Name()] = append(c.folders[d.Name()], path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// value is that of a constant of a package, known by its name alone.
func (c *constants) value(name, constantName string) (float64, error) {
	if v, ok := derived[name+"."+constantName]; ok {
		return v, nil
	}
	for _, folder := range c.folders[name] {
		p, err := c.load(folder)
		if err != nil {
			return 0, err
		}
		if found, ok := p.Scope().Lookup(constantName).(*types.Const); ok {
			v, _ := constant.Float64Val(constant.ToFloat(found.Val()))
			return v, nil
		}
	}
	return 0, fmt.Errorf("no package %s has a constant %s", name, constantName)
}

// load reads a package's declarations; what it takes from others than the repository's own stays unknown.
func (c *constants) load(folder string) (*types.Package, error) {
	if p, ok := c.known[folder]; ok {
		return p, nil
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: c, IgnoreFuncBodies: true, Error: func(error) {}}
	p, _ := config.Check(folder, set, files, nil)
	c.known[folder] = p
	return p, nil
}

// Import finds the repository's own packages, whose constants others are made of.
func (c *constants) Import(path string) (*types.Package, error) {
	if own, ok := strings.CutPrefix(path, "foresee/"); ok {
		return c.load(filepath.Join(root, filepath.FromSlash(own)))
	}
	return nil, fmt.Errorf("%s is not looked at", path)
}

// The reader of constants sees those that others are made of, in other packages too, and refuses what is none.
func TestConstants(t *testing.T) {
	c := newConstants(t)
	for _, known := range []struct {
		name string
		want float64
	}{{"reuse.fewestAccesses", 1 << 17}, {"reuse.edgeDoubt", 4. / 4096}, {"cache.termsSummed", 64}, {"threads.mostChunks", 16384}} {
		p, name, _ := strings.Cut(known.name, ".")
		if got, err := c.value(p, name); err != nil || got != known.want {
			t.Errorf("%s: %g, %v; want %g", known.name, got, err, known.want)
		}
	}
	for _, wrong := range []string{"reuse.nothing", "nothing.fewestLines", "reuse.Sample"} {
		p, name, _ := strings.Cut(wrong, ".")
		if v, err := c.value(p, name); err == nil {
			t.Errorf("%s is %g", wrong, v)
		}
	}
}
