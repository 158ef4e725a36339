package caliper

import (
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters/input"
)

// Nodes of every Caliper file, which it does not write: ids 0 to 7 are the types of attributes.
const (
	caliperProperty = 10  // attribute of a node that holds an attribute's properties
	caliperBuiltin  = 11  // the last node that is not written
	caliperNested   = 256 // the bit of the properties that makes an attribute a region
)

// deepestNodes bounds the nodes of the tree above one another.
const deepestNodes = 1 << 10

// caliperNode is one node of the tree in which Caliper keeps attributes and regions.
type caliperNode struct {
	attribute, parent int // parent −1 at the root
	data              string
	depth             int // nodes above
}

// ids reads node numbers that the file must have given before.
func (c *caliper) ids(key string, texts []string) ([]int, error) {
	ids := make([]int, len(texts))
	for i, text := range texts {
		id, err := strconv.Atoi(text)
		if err != nil {
			return nil, c.in.Fail("%s=%s is no node number; the file is damaged: run again", key, input.Quote(text))
		}
		if _, known := c.nodes[id]; !known {
			return nil, c.in.Fail("%s=%d is a node that the file has not given before; a part of it is missing: run again", key, id)
		}
		ids[i] = id
	}
	return ids, nil
}

// node takes over a node of the tree that paths are written in.
func (c *caliper) node(fields map[string][]string) error {
	attribute, err := c.ids("attr", fields["attr"])
	if err != nil {
		return err
	}
	parent, err := c.ids("parent", fields["parent"])
	if err != nil {
		return err
	}
	if len(fields["id"]) != 1 || len(attribute) != 1 || len(fields["data"]) == 0 || len(parent) > 1 {
		return c.in.Fail("a node must have id, attr and data; the file may be cut off here: run again")
	}
	id, err := strconv.Atoi(fields["id"][0])
	if err != nil {
		return c.in.Fail("id=%s is no number; the file is damaged: run again", input.Quote(fields["id"][0]))
	}
	node := caliperNode{attribute: attribute[0], parent: -1, data: unescape(strings.Join(fields["data"], "="))}
	if len(parent) == 1 {
		node.parent, node.depth = parent[0], c.nodes[parent[0]].depth+1
	}
	if node.depth > deepestNodes {
		return c.in.Fail("node %d has more than %d nodes above it; regions of a program do not nest so deep", id, deepestNodes)
	}
	// A node that could change its parent could become its own ancestor.
	if before, known := c.nodes[id]; known && before != node {
		return c.in.Fail("node %d is there twice with different contents; give files of one run each", id)
	}
	c.nodes[id] = node
	return nil
}

// attribute tells what a node says of an attribute: its own name and, above it, alias and properties.
func (c *caliper) attribute(id int) (name, alias string, nested bool) {
	name = c.nodes[id].data
	for up := c.nodes[id].parent; up >= 0; up = c.nodes[up].parent {
		node := c.nodes[up]
		switch {
		case node.attribute == caliperProperty:
			bits, err := strconv.Atoi(node.data)
			nested = err == nil && bits&caliperNested != 0
		case node.attribute >= 0 && c.nodes[node.attribute].data == "attribute.alias":
			alias = node.data
		}
	}
	return name, alias, nested
}

// path is the names of the regions from the root to a node; other attributes on the way go into others.
func (c *caliper) path(ref int, others map[string]string) []string {
	var names []string
	for id := ref; id >= 0; id = c.nodes[id].parent {
		node := c.nodes[id]
		if node.attribute < 0 {
			continue
		}
		if name, _, nested := c.attribute(node.attribute); nested {
			names = append(names, node.data)
		} else if _, there := others[name]; !there {
			others[name] = node.data
		}
	}
	slices.Reverse(names)
	return names
}

// splitEscaped splits where the separator stands without a backslash before it. Escapes stay, for unescape.
func splitEscaped(text string, separator byte) []string {
	var parts []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case separator:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// unescape takes back the backslashes before commas, equal signs and backslashes.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if text[i] == 'n' {
				out.WriteByte('\n')
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
