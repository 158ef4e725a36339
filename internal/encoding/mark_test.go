package encoding

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""}, {"a", "a"}, {"\xef\xbb", "\xef\xbb"}, {"\ufeff", ""}, {"\ufeffabc", "abc"}, {"\ufeff\ufeffa", "\ufeffa"}, {"a\ufeff", "a\ufeff"},
	} {
		r := bufio.NewReader(strings.NewReader(test.text))
		SkipMark(r)
		if got, err := io.ReadAll(r); err != nil || string(got) != test.want {
			t.Errorf("%q: %q, not %q (%v)", test.text, got, test.want, err)
		}
		if got := WithoutMark([]byte(test.text)); string(got) != test.want {
			t.Errorf("%q: %q, not %q", test.text, got, test.want)
		}
	}
	for text, want := range map[string]bool{"\xff\xfea\x00": true, "\xfe\xff\x00a": true, "\xef\xbb\xbfa": false, "a": false, "": false} {
		if IsUTF16([]byte(text)) != want {
			t.Errorf("%q: not %v", text, want)
		}
	}
}
