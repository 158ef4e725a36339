package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/cmd/foresee/cli"
)

// flagsOfOthers are of other tools than foresee.
var flagsOfOthers = []string{
	"help", "tool", "trace-mem", "log-fd", "build", "hostfile", "oversubscribe", "allow-run-as-root",
	"with", // of foresee cc, c++ and fc, whose other arguments are the compiler's
}

// TestDocumentedFlags looks every flag up that a page names.
func TestDocumentedFlags(t *testing.T) {
	known := slices.Clone(flagsOfOthers)
	for _, verb := range verbs(newRoot(&cli.Streams{})) {
		collect := func(f *pflag.Flag) { known = append(known, f.Name) }
		verb.Flags().VisitAll(collect)
		verb.InheritedFlags().VisitAll(collect)
	}
	flag := regexp.MustCompile("(?:^|[\\s`(])--([a-z][a-z-]*[a-z])")
	named := 0
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range flag.FindAllStringSubmatch(string(text), -1) {
			if named++; !slices.Contains(known, m[1]) {
				t.Errorf("%s: there is no flag --%s", page, m[1])
			}
		}
	}
	if named < 100 {
		t.Errorf("only %d flags were found", named)
	}
}

// TestDocumentedVerbs looks every command up that a page writes as code.
func TestDocumentedVerbs(t *testing.T) {
	root := newRoot(&cli.Streams{})
	command := regexp.MustCompile("`foresee ([a-z+-]+)(?: ([a-z]+))?")
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			if problem := unknown(root, m[1], m[2]); problem != "" {
				t.Errorf("%s: %s: %s", page, m[0], problem)
			}
		}
	}
}

// unknown says what is wrong with a verb, and with a word behind it where the verb has verbs of its own.
func unknown(root *cobra.Command, verb, word string) string {
	found, _, err := root.Find([]string{verb})
	if err != nil || found == root {
		return "no such verb"
	}
	if inner, _, err := found.Find([]string{word}); word != "" && found.HasSubCommands() && (err != nil || inner == found) {
		return fmt.Sprintf("%s has no verb %s", verb, word)
	}
	return ""
}

// TestValidationsHaveTheirPages finds the marks between which validate -o writes, in the page that its help names.
func TestValidationsHaveTheirPages(t *testing.T) {
	for _, v := range validations {
		text, err := os.ReadFile(filepath.Join(repository, v.document))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, mark := range []string{"<!-- foresee validate " + v.name + " -->", "<!-- end of " + v.name + " -->"} {
			if strings.Count(string(text), mark) != 1 {
				t.Errorf("%s has not one line %q", v.document, mark)
			}
		}
	}
}
