package rewrite

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"foresee/application/assembly"
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

// byClang finds the names that clang gives to bodies of parallel regions.
var byClang = regexp.MustCompile(`[\w.]*\bomp_outlined[\w.]*`)

// bodies are the names of bodies of parallel regions that clang made: after the function that opens the region, in the order in which it does.
func bodies(f *assembly.File) map[string]string {
	owner := map[string]string{}
	var order []string
	for _, fn := range f.Functions {
		for _, b := range fn.Blocks {
			for _, x := range b.Instructions {
				if !strings.Contains(x.Text, "omp_outlined") {
					continue
				}
				symbol := byClang.FindString(x.Text)
				if _, known := owner[symbol]; !known && symbol != fn.Name {
					owner[symbol] = fn.Name
					order = append(order, symbol)
				}
			}
		}
	}
	all, opened := map[string]string{}, map[string]int{}
	for _, symbol := range order {
		name := symbol
		for range order { // out of regions within others
			if outer, inner := owner[name]; inner {
				name = outer
			}
		}
		all[symbol] = fmt.Sprintf("%s.omp_outlined.%d", FunctionName(name), opened[name])
		opened[name]++
	}
	return all
}
