package parse

import (
	"strconv"
	"strings"

	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// vectorHeader says in C what intrinsics do, lane by lane.
const vectorHeader = headerDir + "/immintrin.h"

// InVectorHeader tells what that header declares.
func InVectorHeader(n cc.Node) bool { return Position(n).File == vectorHeader }

// IsVector tells the types of vectors.
func IsVector(t cc.Type) bool {
	d := t.Typedef()
	return d != nil && InVectorHeader(d)
}

// VectorLane is which lane of a vector a statement of an intrinsic computes, told by the member or the element that it sets.
func VectorLane(e cc.ExpressionNode) nest.Lane {
	if !InVectorHeader(e) {
		return nest.NoLane
	}
	to, _ := Assigned(tree.Strip(e))
	lane := 0
	if p, ok := tree.Strip(to).(*cc.PostfixExpression); ok {
		switch p.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			lane, _ = strconv.Atoi(strings.TrimPrefix(p.Token2.SrcStr(), "x"))
		case cc.PostfixExpressionIndex:
			_, index := tree.Subscript(p)
			v, _ := IntegerValue(index.Value())
			lane = int(v)
		}
	}
	if lane > 0 {
		return nest.OtherLane
	}
	return nest.FirstLane
}
