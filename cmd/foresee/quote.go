package main

import (
	"regexp"
	"strings"
)

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// commandLine writes the command so that a shell reads it back.
func commandLine(args []string) string {
	words := []string{"foresee"}
	for _, a := range args {
		if !plainWord.MatchString(a) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}
