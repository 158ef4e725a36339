package trace

import (
	"fmt"
	"math"
)

// check tells what an event breaks of what Event promises, where there are so many regions; nil where nothing.
func check(e Event, regions int) error {
	switch {
	case e.Kind >= kinds:
		return fmt.Errorf("kind %d is unknown", e.Kind)
	case e.Kind <= Fetch && e.Size == 0:
		return fmt.Errorf("an access of 0 bytes at %#x", e.Address)
	case e.Kind <= Fetch && e.Size > MostAccess:
		return fmt.Errorf("an access of %d bytes at %#x, more than %d", e.Size, e.Address, MostAccess)
	case e.Kind <= Fetch && e.Address > lastAddress(e.Size):
		return fmt.Errorf("%d bytes at %#x reach past the last address", e.Size, e.Address)
	case e.Kind > Fetch && e.Size != 0:
		return fmt.Errorf("a mark of %d bytes", e.Size)
	case (e.Kind == Enter || e.Kind == Leave) && e.Address >= uint64(regions):
		return fmt.Errorf("region %d of %d", e.Address, regions)
	case e.Kind == Barrier && e.Address != 0:
		return fmt.Errorf("a barrier with address %#x", e.Address)
	}
	return nil
}

// lastAddress is the greatest address at which an access of size bytes does not reach past the end.
func lastAddress(size uint32) uint64 { return math.MaxUint64 - uint64(size) + 1 }

// checkObject tells what is wrong with an object, nil where nothing.
func checkObject(o Object) error {
	switch {
	case o.Bytes == 0:
		return fmt.Errorf("object %q of 0 bytes", o.Name)
	case o.Address > math.MaxUint64-o.Bytes+1:
		return fmt.Errorf("object %q reaches past the last address", o.Name)
	}
	return checkName(o.Name)
}
