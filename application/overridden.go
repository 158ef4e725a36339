package application

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"foresee/application/csource"
	"foresee/internal/claims"
)

// OverriddenError is a source that defines what the caller defines as well, and that is compiled as it is.
type OverriddenError struct{ Name string }

func (e *OverriddenError) Error() string {
	return e.Name + ": it defines by itself what is defined for it, and is compiled as it is"
}

// Copied is where compilers find a source without its definitions that others are taken for, and with a change, if that is not nil: a copy in a folder, and the
// folder of the source, whose headers it includes; the path of the source, and no folder, where it stays as it is.
func (c *Code) Copied(folder string, change func([]byte) []byte) (path, beside string, err error) {
	if c.Path == "" {
		return c.Path, "", nil
	}
	text := c.Text
	if text == nil {
		if text, err = claims.ReadFile(c.Path); err != nil {
			return "", "", err
		}
	}
	changed := csource.Overridden(string(text), c.Overrides)
	if change != nil {
		changed = string(change([]byte(changed)))
	}
	if changed == string(text) {
		return c.Path, "", nil
	}
	path = filepath.Join(folder, filepath.Base(c.Path))
	name := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(c.Path)
	return path, filepath.Dir(c.Path), os.WriteFile(path, []byte("#line 1 \""+name+"\"\n"+changed), 0o600)
}

// overrides says which definitions are taken instead of those of the source.
func (c *Code) overrides() (said []string) {
	for _, d := range c.Overrides {
		if text := string(c.Text); csource.Overridden(text, []string{d}) != text {
			said = append(said, fmt.Sprintf("the definition %s is taken instead of that of %s", d, c.Name))
		}
	}
	return said
}
