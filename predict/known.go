package predict

import (
	"fmt"

	"foresee/application"
	"foresee/application/nest"
	"foresee/model/threads"
)

// known unpacks the localities that were saved with a signature.
func known(s *application.Signature) (map[*nest.Program]*threads.Signature, error) {
	if len(s.Locality) == 0 {
		return nil, nil
	}
	out := map[*nest.Program]*threads.Signature{}
	for _, p := range s.Loops {
		saved, ok := s.Locality[p]
		if !ok {
			continue
		}
		one := &threads.Signature{}
		err := one.UnmarshalBinary(saved.Data)
		if err == nil && (one.Line != saved.Line || one.Accesses != saved.Accesses) {
			err = fmt.Errorf("%w (its parts are of different programs)", threads.ErrDamaged)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: region %s: %w", s.Name, p.Region, err)
		}
		out[p] = one
	}
	return out, nil
}
