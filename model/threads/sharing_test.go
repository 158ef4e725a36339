package threads_test

import (
	"testing"

	"foresee/model/threads"
)

func TestStream(t *testing.T) {
	for _, c := range []struct{ threads, sharedBy, group int }{
		{1, 1, 1}, {8, 1, 1}, {8, 8, 8}, {8, 4, 4}, {2, 8, 2}, {6, 4, 4}, {1, 8, 1},
	} {
		o := threads.Stream(c.threads, c.sharedBy, 64)
		if o.Group != c.group || o.Threads != c.threads {
			t.Errorf("%d threads, shared by %d: group %d, want %d", c.threads, c.sharedBy, o.Group, c.group)
		}
	}
}

func TestScope(t *testing.T) {
	if threads.Scope(1) != "private" || threads.Scope(2) != "shared" {
		t.Error("a group of one is private, of two shared")
	}
}
