package tree_test

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

const code = `int n, *p; double A[10];
double g(int a, double *b);
void f(void)
{
    int i = 3, k;
    for (i = 0; i < n; i++)
        A[i + 1] = ((A[i])) + g(i, p ? A : A + 1);
    k = 1 ? i++ : 2;
}
`

// expressions are those of a kind in f, in the order of evaluation: the right side of an assignment comes first.
func expressions[T cc.Node](t *testing.T) (all []T) {
	t.Helper()
	s, err := parse.Parse(nil, "k.c", []byte(code), nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Facts.Functions {
		tree.Each(f.CompoundStatement, func(n cc.Node) bool {
			if x, ok := n.(T); ok {
				all = append(all, x)
			}
			return true
		})
	}
	return all
}

func TestCallsAndSubscripts(t *testing.T) {
	var calls, bases []string
	for _, x := range expressions[*cc.PostfixExpression](t) {
		if name := tree.Callee(x); x.Case == cc.PostfixExpressionCall {
			calls = append(calls, name)
			if a := tree.Arguments(x); len(a) != 2 || tree.Variable(a[0]) == nil || tree.Variable(a[0]).Name() != "i" || tree.Variable(a[1]) != nil {
				t.Errorf("arguments %v", a)
			}
		}
		if x.Case == cc.PostfixExpressionIndex {
			base, index := tree.Subscript(x)
			bases = append(bases, tree.Variable(base).Name()+" "+strings.ReplaceAll(tree.Text(index), " ", ""))
		}
	}
	if !slices.Equal(calls, []string{"g"}) || !slices.Equal(bases, []string{"A i", "A i+1"}) {
		t.Errorf("calls %q, subscripts %q", calls, bases)
	}
}

func TestEffectsAndTypes(t *testing.T) {
	all := expressions[*cc.ConditionalExpression](t)
	if len(all) != 2 {
		t.Fatalf("%d conditional expressions", len(all))
	}
	pointer, counted := all[0], all[1]
	if !tree.IsPointer(pointer.Type()) || tree.IsInteger(pointer.Type()) || !tree.IsInteger(counted.Type()) || tree.IsUnsigned(counted.Type()) {
		t.Errorf("types %v and %v", pointer.Type(), counted.Type())
	}
	if tree.HasEffects(pointer) || !tree.HasEffects(counted) {
		t.Error("i++ has an effect, a choice of addresses none")
	}
	if d := tree.Variable(tree.Strip(pointer.LogicalOrExpression)); d == nil || d.Name() != "p" {
		t.Errorf("%v decides", d)
	}
}

func TestDeclarators(t *testing.T) {
	var names []string
	for _, d := range expressions[*cc.Declaration](t) {
		for _, i := range tree.Declarators(d) {
			names = append(names, i.Declarator.Name())
		}
	}
	if !slices.Equal(names, []string{"i", "k"}) {
		t.Errorf("%q: the parser's own __func__ must not be among them", names)
	}
}
