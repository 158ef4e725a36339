package record

import "slices"

// In C++ threads call functions that no brackets show: operators, and what makes and copies objects.

// numbers are the words of types that no function belongs to.
var numbers = wordsOf("int unsigned signed long short char float double bool void const volatile static size_t ptrdiff_t wchar_t" +
	" int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t register constexpr")

// streams tells an operator that writes to where people read.
func (s *teamSource) streams(i int) bool {
	for ; i >= 0 && s.at(i) != ";" && s.at(i) != "{" && s.at(i) != "}" && s.at(i) != "#"; i-- {
		if t := s.at(i); t == "cout" || t == "cerr" || t == "clog" {
			return true
		}
	}
	return false
}

// makesObject says whether a token is a type, other than of numbers, of a variable that is declared after it.
func (s *teamSource) makesObject(i int) bool {
	name, next := s.at(i+1), s.at(i+2)
	if !nameForm.MatchString(name) || keywords[name] || !slices.Contains([]string{";", "=", ",", "{"}, next) {
		return false
	}
	t := s.at(i)
	return t == ">" || nameForm.MatchString(t) && !numbers[t] && !keywords[t]
}

// ofClass says whether a variable is declared somewhere with a type that is not of numbers.
func (s *teamSource) ofClass(v string) bool {
	for i := range s.tokens {
		if s.at(i+1) == v && (s.makesObject(i) || s.at(i+2) == "(" && nameForm.MatchString(s.at(i)) && !numbers[s.at(i)] && !keywords[s.at(i)]) {
			return true
		}
	}
	return false
}
