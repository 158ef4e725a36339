package nest

import "math/rand/v2"

// FirstUsers draws lines of an object, one from each of so many parts of equal size that the touched lines are cut into, and counts by reference who
// uses them first where threads run one after the other. Lines that nothing touches count nowhere. With more references to an object than those
// whose candidates are listed there is no answer: nil.
func (s *Stream) FirstUsers(object *Object, parts int) ([]int, error) {
	for i, o := range s.model.objects {
		if o != object {
			continue
		}
		list := s.model.byObject[i]
		if len(list) > listedCandidates {
			return nil, nil
		}
		return s.firstUsers(list, parts)
	}
	return nil, nil
}

func (s *Stream) firstUsers(list []*access, parts int) ([]int, error) {
	c := s.model.newCursor()
	first, last, ok := c.extent(list, nil)
	if !ok {
		return nil, nil
	}
	lines := last - first + 1
	parts = int(min(int64(parts), lines))
	counts := make([]int, s.References())
	draw := rand.New(rand.NewPCG(uint64(lines), uint64(parts)))
	var best found
	for i := range int64(parts) {
		begin, end := i*lines/int64(parts), (i+1)*lines/int64(parts)
		line := first + begin + draw.Int64N(end-begin)
		hit, ok := c.firstUse(list, nil, line*s.model.line, &best)
		switch {
		case !ok:
			return nil, ErrGaveUp
		case s.model.exhausted.Load():
			return nil, ErrIrregular
		case hit:
			counts[best.b.id]++
		}
	}
	return counts, nil
}
