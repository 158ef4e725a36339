package parse

import (
	"regexp"
	"strconv"
	"strings"

	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// Attributes decide how structures lie, or are of no meaning here. Those that decide nothing get another name, of the same length, before they are read.
const (
	attributesNamed  = "#define __attribut0__(x) __attributes x\n#define __attribut0(x) __attributes x\n#define __attribute__(x) __layout x\n#define __attribute(x) __layout x\n"
	othersDropped    = "#define __attribut0__(x)\n#define __attribut0(x)\n#define __attribute __attribute__\n"
	allDropped       = "#define __attribut0__(x)\n#define __attribut0(x)\n#define __attribute__(x)\n#define __attribute(x)\n"
	attributeOfOther = "__attribut0"
)

var (
	bracketed     = regexp.MustCompile(`\[\[[\w:, \t]*(\([^()\n]*\))?[\w:, \t]*\]\]`)
	attributeWord = regexp.MustCompile(`\b__attribute(__)?\b`)
	ofLayout      = regexp.MustCompile(`\b(__)?(aligned(__)?[ \t]*\(|packed)`)
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
		if ofLayout.MatchString(parenthesised(text[end:])) {
			b.WriteString(text[at[0]:end])
		} else {
			b.WriteString(strings.Replace(text[at[0]:end], "__attribute", attributeOfOther, 1))
		}
	}
	return b.String() + text[end:]
}

// parenthesised is what stands in double parentheses at the begin of a text, with them; nothing where there are none.
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
				return start[:i]
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
	most := s.packed(Position(def))
	if saysPacked(def.AttributeSpecifierList) || saysPacked(def.AttributeSpecifierList2) {
		most = 1
	}
	if t, ok := def.Type().(*cc.StructType); ok && most > 0 {
		s.notePackedMembers(t, most)
	}
	for m := def.StructDeclarationList; m != nil; m = m.StructDeclarationList {
		for q := m.StructDeclaration.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
			s.notePackedType(q.TypeSpecifier)
		}
	}
}

// notePackedMembers notes the members of a structure if any of them, or its end, lies elsewhere where all align to so many bytes at most.
func (s *Source) notePackedMembers(t *cc.StructType, most int64) {
	at, widest, same := int64(0), int64(1), true
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		align := max(1, min(int64(f.Type().Align()), most))
		at, widest = (at+align-1)/align*align, max(widest, align)
		same = same && !f.IsBitfield() && at == f.Offset()
		at += f.Type().Size()
	}
	if same && (at+widest-1)/widest*widest == t.Size() {
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
