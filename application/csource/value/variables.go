package value

import (
	"iter"

	"modernc.org/cc/v4"
)

// Variables is what is known of variables. A copy of it costs nothing and stays as it is when another changes, so that every statement can be returned to: it is
// a trie over the numbers of the variables, of which a change makes the nodes on its way anew (Bagwell, Ideal hash trees, 2001, without the hash).
type Variables[V any] struct {
	known  *knownNode[V]
	levels int // of branches above the leaves
	places *places
}

// places number the variables, in the order in which something became known of them; all copies share them.
type places struct {
	of  map[*cc.Declarator]int
	all []*cc.Declarator
}

// variablesBits is the binary logarithm of what a node holds. Chosen: a change then makes three nodes anew among some thousand variables.
const variablesBits = 4

type knownNode[V any] struct {
	below  [1 << variablesBits]*knownNode[V]
	values *[1 << variablesBits]knownValue[V] // of a leaf
}

type knownValue[V any] struct {
	value V
	known bool
}

// NewVariables knows of none.
func NewVariables[V any]() Variables[V] {
	return Variables[V]{places: &places{of: map[*cc.Declarator]int{}}}
}

// Of is what is known of a variable; the zero value where nothing is.
func (v *Variables[V]) Of(d *cc.Declarator) V {
	x, _ := v.Get(d)
	return x
}

// Get is what is known of a variable, and whether anything is.
func (v *Variables[V]) Get(d *cc.Declarator) (x V, ok bool) {
	place, numbered := v.places.of[d]
	if !numbered || place>>((v.levels+1)*variablesBits) != 0 {
		return x, false
	}
	n := v.known
	for level := v.levels; n != nil && level > 0; level-- {
		n = n.below[digit(place, level)]
	}
	if n == nil {
		return x, false
	}
	found := n.values[digit(place, 0)]
	return found.value, found.known
}

func digit(place, level int) int { return place >> (level * variablesBits) & (1<<variablesBits - 1) }

// Set notes what is known of a variable.
func (v *Variables[V]) Set(d *cc.Declarator, x V) {
	place, numbered := v.places.of[d]
	if !numbered {
		place = len(v.places.all)
		v.places.of[d] = place
		v.places.all = append(v.places.all, d)
	}
	v.put(place, knownValue[V]{x, true})
}

// Delete forgets a variable.
func (v *Variables[V]) Delete(d *cc.Declarator) {
	if _, ok := v.Get(d); ok {
		v.put(v.places.of[d], knownValue[V]{})
	}
}

func (v *Variables[V]) put(place int, x knownValue[V]) {
	for ; place>>((v.levels+1)*variablesBits) != 0; v.levels++ {
		if v.known != nil {
			above := &knownNode[V]{}
			above.below[0] = v.known
			v.known = above
		}
	}
	v.known = v.known.with(place, v.levels, x)
}

// with is the node with another value.
func (n *knownNode[V]) with(place, level int, x knownValue[V]) *knownNode[V] {
	out := &knownNode[V]{}
	if n != nil {
		*out = *n
	}
	at := digit(place, level)
	if level > 0 {
		out.below[at] = out.below[at].with(place, level-1, x)
		return out
	}
	out.values = new([1 << variablesBits]knownValue[V])
	if n != nil {
		*out.values = *n.values
	}
	out.values[at] = x
	return out
}

// All are the variables of which something is known, in the order in which something became so first.
func (v Variables[V]) All() iter.Seq2[*cc.Declarator, V] {
	return func(yield func(*cc.Declarator, V) bool) {
		for _, d := range v.places.all[:len(v.places.all):len(v.places.all)] {
			if x, ok := v.Get(d); ok && !yield(d, x) {
				return
			}
		}
	}
}
