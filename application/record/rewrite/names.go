package rewrite

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// clone is what compilers put behind the name of a function of which they make a variant, or whose seldom parts they put elsewhere.
var clone = regexp.MustCompile(`(\.(constprop|isra|part|cold|lto_priv|llvm|localalias|specialized)(\.\d+)?)+$`)

// outlined stands between a function and the number of a parallel region in it, as gcc calls its body.
const outlined = "._omp_fn."

// longest is how many characters of a name are shown with the arguments of its templates.
const longest = 80

// FunctionName is a function's name as the source has it, without the types of its parameters, and a long one without the arguments of its templates; the
// body of a parallel region keeps gcc's number.
func FunctionName(symbol string) string {
	name, number, region := strings.Cut(clone.ReplaceAllString(symbol, ""), outlined)
	if plain := demangle.Filter(name, demangle.NoParams); len(plain) <= longest {
		name = plain
	} else {
		name = demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams)
	}
	if region {
		return name + outlined + number
	}
	return name
}
