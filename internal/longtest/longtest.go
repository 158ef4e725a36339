// Package longtest tells tests apart that repeat with more compilers, sizes and inputs what others check already: make test-long runs them, make test
// does not.
package longtest

import (
	"os"
	"testing"
)

// Variable is the variable of the environment that asks for the long tests.
const Variable = "FORESEE_LONG_TESTS"

// Asked reports whether the long tests are asked for.
func Asked() bool { return os.Getenv(Variable) != "" }

// Skip skips a test that is run only where the long ones are asked for, and says what it is that takes long.
func Skip(t testing.TB, why string) {
	t.Helper()
	if !Asked() {
		t.Skip("a long test, for make test-long: " + why)
	}
}
