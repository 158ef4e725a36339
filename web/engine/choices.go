package engine

import (
	"context"
	"fmt"
	"strings"

	"foresee/examples"
	"foresee/machine"
	"foresee/predict"
)

// ChoicesSchema is that of what the page offers.
const ChoicesSchema = "foresee.page-choices/v1"

// Choices are what the page offers.
type Choices struct {
	predict.Header
	Calls    []string `json:"calls"`
	Machines []string `json:"machines"`
	Examples []string `json:"examples"`
	Compiler string   `json:"compiler"` // with its flags, of whose code times can be; "": there is none
}

// choices tells what there is to choose from.
func (e *Engine) choices(context.Context, *Request, func(done, total int)) (any, error) {
	out := &Choices{
		Header: predict.Header{Schema: ChoicesSchema, Version: predict.Version, Input: "", Warnings: []string{}},
		Calls:  e.Calls(), Machines: machine.Library(), Examples: examples.Kernels(), Compiler: strings.Join(e.Compiler, " "),
	}
	if e.Host != nil {
		out.Machines = append([]string{Local}, out.Machines...)
	}
	return out, nil
}

// ExampleSchema is that of an example.
const ExampleSchema = "foresee.page-example/v1"

// Example is the source of an example.
type Example struct {
	predict.Header
	Text string `json:"text"`
}

// example gives the source of the kernel that the request names.
func (e *Engine) example(_ context.Context, r *Request, _ func(done, total int)) (any, error) {
	text, ok := examples.Kernel(r.Name)
	if !ok {
		return nil, fmt.Errorf("there is no example %.80q", r.Name)
	}
	return &Example{predict.Header{Schema: ExampleSchema, Version: predict.Version, Input: r.Name, Warnings: []string{}}, string(text)}, nil
}
