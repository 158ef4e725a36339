package input

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// largestNumber is the largest that a tool may write, so that sums stay finite.
const largestNumber = 1e300

// Number reads a finite number.
func Number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a number", Quote(text))
	}
	if math.IsNaN(v) || math.Abs(v) > largestNumber {
		return 0, fmt.Errorf("%s is not a finite number", Quote(text))
	}
	return v, nil
}

// Measured reads a number that may be "nan", "-" or nothing where a tool measured nothing.
func Measured(text string) (float64, error) {
	switch strings.ToLower(strings.Trim(text, " +-")) {
	case "", "nan", "inf":
		return math.NaN(), nil
	}
	return Number(text)
}

// Numbers reads finite numbers.
func Numbers(fields []string) ([]float64, error) {
	values := make([]float64, len(fields))
	for i, field := range fields {
		v, err := Number(field)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}
