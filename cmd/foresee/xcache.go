package main

import (
	"context"
	"strings"

	"foresee/cmd/foresee/cli"
	"foresee/machine"
	"foresee/model/xmodel"
	"foresee/predict"
)

// A size of the cache that a program's threads share is no parameter beside the others: which of the program's lines such a cache holds is asked of the program
// again, on a machine with it. What a share of the cache does to one thread says nothing of lines that threads share.

// resized is a machine with the size of the shared cache that is asked for last in lists of parameters, and the lists without it. Where none is asked for, or the
// machine shares no cache, all stays.
func resized(m *machine.Machine, threads int, lists []string, flag string) (*machine.Machine, []string, error) {
	base, shared := predict.SharedBytes(m, threads)
	if !shared {
		return m, lists, nil
	}
	asked := xmodel.Params{Cache: &xmodel.Cache{Size: base}}
	var rest []string
	found := false
	for _, list := range lists {
		for item := range strings.SplitSeq(list, ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(item), "=")
			if !strings.EqualFold(name, "size") {
				rest = append(rest, item)
				continue
			}
			found = true
			if err := setParams(&asked, []string{item}, flag); err != nil {
				return nil, nil, err
			}
		}
	}
	if !found || asked.Cache.Size <= 0 { // without a cache it is a roofline, which needs no hits
		return m, lists, nil
	}
	other, err := predict.WithSharedBytes(m, threads, asked.Cache.Size)
	if err != nil {
		return nil, nil, cli.Usagef("%w", err)
	}
	return other, rest, nil
}

// compared finds the parameters of a program with another size of the cache that its threads share, where --against names one.
func (x *xFlags) compared(ctx context.Context, c *scenario, request predict.XRequest) error {
	m, rest, err := resized(request.Machine, request.Threads, x.against, "--against")
	if err != nil || m == request.Machine {
		return err
	}
	request.Machine = m
	other, err := predict.XModel(ctx, request)
	if err != nil {
		return err
	}
	c.against, x.against = &other.Params, rest
	return setParams(c.against, x.params, "--param")
}
