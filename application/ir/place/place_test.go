package place

import (
	"testing"

	"foresee/application/csource"
)

// TestArrayAt: what asks for an array is read as the array that it asks for.
func TestArrayAt(t *testing.T) {
	for p, want := range map[csource.Place]Array{
		TableOf("f", "%a", 8, true):              {Pointer: "%a", Size: 8, Signed: true},
		RowsOf("f", "@a", 2, 3, 4, false):        {Pointer: "@a", Rows: true, First: 2, Step: 3, Size: 4},
		MembersOf("f", "%a.b", 8, 24, 4, true):   {Pointer: "%a.b", First: 8, Step: 24, Size: 4, Signed: true},
		Of("f", "a"):                             {},
		WhereOf("f", "%a"):                       {},
		{Text: "foresee_rows(@a, 2, 3, 4, 0, )"}: {},
	} {
		if got, ok := ArrayAt(p); got != want || ok != (want.Size > 0) {
			t.Errorf("%s: %+v, %v, want %+v", p.Text, got, ok, want)
		}
	}
}

// TestValueAt: what asks for a value of the IR is read as that value, also where its name has brackets.
func TestValueAt(t *testing.T) {
	for _, name := range []string{"n", "12", "call.i(int)"} {
		for p, want := range map[csource.Place]Form{
			Of("f", name): Value, SpanOf("f", name): Span, IterationsOf("f", name): Iterations, WhereOf("f", "%"+name): Where, InOrderOf("f", name): InOrder, PhaseOf("f", "%"+name): Phase,
		} {
			if got, form := ValueAt(p); got != name || form != want || p.Function != "f" || IsPhase(p) != (want == Phase) {
				t.Errorf("%s: %s, %v, want %s, %v", p.Text, got, form, name, want)
			}
		}
	}
	if got, form := ValueAt(WhereOf("f", "@table")); got != "@table" || form != Where {
		t.Errorf("of a global variable: %s, %v", got, form)
	}
}
