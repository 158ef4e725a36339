package parse

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// Attributes decide how structures lie, or are of no meaning here. Those that decide nothing get another name, of the same length, before they are read.
// What aligned means by itself is the most that any type of x86-64 asks for without AVX.
const (
	biggestAlignment = "16"
	attributesNamed  = "#define __attribut0__(x) __attributes x\n#define __attribut0(x) __attributes x\n#define __attribute__(x) __layout x\n#define __attribute(x) __layout x\n"
	othersDropped    = "#define __attribut0__(x)\n#define __attribut0(x)\n#define __attribute __attribute__\n"
	allDropped       = "#define __attribut0__(x)\n#define __attribut0(x)\n#define __attribute__(x)\n#define __attribute(x)\n"
	attributeOfOther = "__attribut0"
)

var (
	bracketed     = regexp.MustCompile(`\[\[[\w:, \t]*(\([^()\n]*\))?[\w:, \t]*\]\]`)
	attributeWord = regexp.MustCompile(`\b__attribute(__)?\b`)
	ofLayout      = regexp.MustCompile(`\b(__)?(aligned|packed)`)
	bareAligned   = regexp.MustCompile(`\b((?:__)?aligned(?:__)?)[ \t]*([,)])`)
	// vectorType finds attributes that make a vector of a type.
	vectorType = regexp.MustCompile(`\b__(?:attributes|layout) [^;{}]*\b(_*vector_size_*|ext_vector_type)\b`)
)

// onlyLayout gives attributes that say nothing of how things lie in memory another name, and blanks those of C23, of which none does.
func onlyLayout(text string) string {
	if strings.Contains(text, "[[") {
		text = bracketed.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	}
	if !strings.Contains(text, "__attribute") {
		return text
	}
	var b strings.Builder
	end := 0
	for _, at := range attributeWord.FindAllStringIndex(text, -1) {
		b.WriteString(text[end:at[0]])
		end = at[1]
		if inside := parenthesised(text[end:]); ofLayout.MatchString(inside) {
			b.WriteString(text[at[0]:end])
			end += len(inside)
			b.WriteString(bareAligned.ReplaceAllString(inside, "$1("+biggestAlignment+")$2"))
		} else {
			b.WriteString(strings.Replace(text[at[0]:end], "__attribute", attributeOfOther, 1))
		}
	}
	return b.String() + text[end:]
}

// parenthesised is what stands in double parentheses at the begin of a text, with them and what is before; nothing where there are none.
func parenthesised(text string) string {
	start := strings.TrimLeft(text, " \t")
	if !strings.HasPrefix(start, "((") {
		return ""
	}
	depth := 0
	for i, c := range start {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:len(text)-len(start)+i+1]
			}
		case ';', '{', '}':
			return ""
		}
	}
	return ""
}

// packing is a #pragma pack.
type packing struct {
	pos   nest.Pos
	words []word
}

// packed is to how many bytes the members of structures align that are defined at a place, by what pragmas of its file stand before it; 0: as they do by themselves.
func (s *Source) packed(at nest.Pos) (bytes int64) {
	var kept []int64
	for _, p := range s.packings {
		if p.pos.File != at.File || p.pos.Line > at.Line {
			continue
		}
		given := int64(0)
		for _, w := range p.words {
			switch n, err := strconv.ParseInt(w.text, 10, 64); {
			case err == nil:
				given = n
			case w.text == "push":
				kept = append(kept, bytes)
				given = bytes
			case w.text == "pop" && len(kept) > 0:
				given, kept = kept[len(kept)-1], kept[:len(kept)-1]
			}
		}
		bytes = given
	}
	return bytes
}

// Elsewhere tells whether a member of a structure lies somewhere else than the parser's library says, which knows no packed structures.
func (s *Source) Elsewhere(f *cc.Field) bool {
	if s.elsewhere == nil {
		s.elsewhere = map[nest.Pos]bool{}
		if s.packs {
			for t := s.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
				s.notePackedIn(t.ExternalDeclaration)
			}
		}
	}
	return len(s.elsewhere) > 0 && f.Declarator() != nil && s.elsewhere[Position(f.Declarator())]
}

// notePackedIn notes the members of structures that are packed, where they lie elsewhere by that.
func (s *Source) notePackedIn(e *cc.ExternalDeclaration) {
	var in cc.Node
	switch {
	case e == nil:
		return
	case e.FunctionDefinition != nil:
		in = e.FunctionDefinition.CompoundStatement
	case e.Declaration != nil:
		in = e.Declaration
	default:
		return
	}
	tree.Each(in, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for x := d.DeclarationSpecifiers; x != nil; x = x.DeclarationSpecifiers {
				s.notePackedType(x.TypeSpecifier)
			}
		}
		return true
	})
}

// notePackedType notes the members of what a type defines.
func (s *Source) notePackedType(t *cc.TypeSpecifier) {
	if t == nil || t.StructOrUnionSpecifier == nil || t.StructOrUnionSpecifier.Case != cc.StructOrUnionSpecifierDef {
		return
	}
	def := t.StructOrUnionSpecifier
	most := cmp.Or(s.packed(Position(def)), unpacked)
	if saysPacked(def.AttributeSpecifierList) || saysPacked(def.AttributeSpecifierList2) {
		most = 1
	}
	alone := map[nest.Pos]bool{} // members that are packed by themselves
	for m := def.StructDeclarationList; m != nil; m = m.StructDeclarationList {
		for q := m.StructDeclaration.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
			s.notePackedType(q.TypeSpecifier)
		}
		for l := m.StructDeclaration.StructDeclaratorList; l != nil && saysPacked(m.StructDeclaration.AttributeSpecifierList); l = l.StructDeclaratorList {
			alone[Position(l.StructDeclarator.Declarator)] = true
		}
	}
	switch t := def.Type().(type) {
	case *cc.StructType:
		s.notePackedMembers(t, false, most, alone)
	case *cc.UnionType:
		s.notePackedMembers(t, true, most, alone)
	}
}

// unpacked is more than anything aligns to.
const unpacked = 1 << 30

// members are those of a structure or a union.
type members interface {
	NumFields() int
	FieldByIndex(i int) *cc.Field
	Size() int64
}

// notePackedMembers notes the members of a structure or a union if any of them, or its end, lies elsewhere where all align to so many bytes at most, and some
// to none.
func (s *Source) notePackedMembers(t members, union bool, most int64, alone map[nest.Pos]bool) {
	at, end, widest, same, less := int64(0), int64(0), int64(1), true, false
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		own := int64(f.Type().Align())
		align := min(own, most)
		if f.Declarator() != nil && alone[Position(f.Declarator())] {
			align = 1
		}
		align, less = max(1, align), less || align < own
		at, widest = (at+align-1)/align*align, max(widest, align)
		same = same && !f.IsBitfield() && at == f.Offset()
		end = max(end, at+f.Type().Size())
		if !union {
			at = end
		}
	}
	if !less || same && (end+widest-1)/widest*widest == t.Size() {
		return
	}
	for i := range t.NumFields() {
		if d := t.FieldByIndex(i).Declarator(); d != nil {
			s.elsewhere[Position(d)] = true
		}
	}
}

// saysPacked tells whether attributes hold packed.
func saysPacked(all *cc.AttributeSpecifierList) (packed bool) {
	for ; all != nil; all = all.AttributeSpecifierList {
		for v := all.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			packed = packed || v.AttributeValue != nil && strings.Trim(v.AttributeValue.Token.SrcStr(), "_") == "packed"
		}
	}
	return packed
}
