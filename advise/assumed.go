package advise

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/csource"
)

// assumed are conditions of the values that whoever asks gave variables: dependences are those of these.
func assumed(defines, macros []string) (all []string) {
	for _, d := range defines {
		if name, value, ok := strings.Cut(d, "="); ok && !slices.Contains(macros, d) {
			all = append(all, sized(name, value))
		}
	}
	return all
}

// taken are conditions of the values that the source gives variables and a run may give others, by the warnings of its reader.
func taken(warnings []string) (all []string) {
	for _, w := range warnings {
		if name, value, ok := csource.Assumption(w); ok {
			all = append(all, sized(name, value))
		}
	}
	return all
}

func sized(name, value string) string {
	return fmt.Sprintf("if %s is %s, or its size changes no order of accesses", name, value)
}
