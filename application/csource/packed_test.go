package csource

import (
	"strings"
	"testing"
)

// TestPacked: what lies elsewhere because its structure is packed is refused, and nothing else is.
func TestPacked(t *testing.T) {
	const loop = "rec s[30];\nvoid f(void) { for (int i = 0; i < 30; i++) s[i].v += 1; }\n"
	for _, c := range []struct {
		name, def string
		refused   bool
	}{
		{"behind", "typedef struct { char tag; double v; } __attribute__((packed)) rec;", true},
		{"before", "struct __attribute__((__packed__, aligned(8))) r { char tag; double v; }; typedef struct r rec;", true},
		{"by a macro", "#define PACKED __attribute__((packed))\ntypedef struct PACKED { char tag; double v; } rec;", true},
		{"within another", "typedef struct { struct { char tag; double v; } __attribute__((packed)); int k; } rec;", true},
		{"no gaps", "typedef struct { int a, b; double v; } __attribute__((packed)) rec;", false},
		{"end alone", "typedef struct { double v; char tag; } __attribute__((packed)) rec;", true},
		{"pragma", "#pragma pack(1)\ntypedef struct { char tag; double v; } rec;", true},
		{"pragma that is over", "#pragma pack(push, 1)\nstruct other { char tag; double v; };\n#pragma pack(pop)\ntypedef struct { char tag; double v; } rec;", false},
		{"pragma within another", "#pragma pack(push)\n#pragma pack(4)\n#pragma pack(push, 8)\n#pragma pack(pop)\ntypedef struct { char tag; double v; } rec;\n#pragma pack()", true},
		{"pragma as it is", "#pragma pack(8)\ntypedef struct { char tag; double v; } rec;", false},
		{"pragma behind", "typedef struct { char tag; double v; } rec;\n#pragma pack(1)", false},
		{"a member", "typedef struct { char tag; double v __attribute__((packed)); } rec;", true},
		{"a union", "typedef union { char tag[9]; double v; } __attribute__((packed)) rec;", true},
		{"a union without a gap", "typedef union { char tag[8]; double v; } __attribute__((aligned(16))) rec;", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load("a.c", []byte(c.def+"\n"+loop), Options{})
			if refused := err != nil && strings.Contains(err.Error(), "the structure of s[i].v is packed"); refused != c.refused || err != nil && !refused {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestAttributesNotUnderstood: a file is read without the attributes that its parser refuses, and says so.
func TestAttributesNotUnderstood(t *testing.T) {
	const text = "double a[30] __attribute__((aligned(8), aligned(64)));\nvoid f(void) { for (int i = 0; i < 30; i++) a[i] += 1; }\n"
	u, err := Load("a.c", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(u.Warnings, "\n"), "a.c: attributes aligned and packed are not taken into account") {
		t.Errorf("%q", u.Warnings)
	}
}
