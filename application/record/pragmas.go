package record

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Kinds of schedules, as the virtual OpenMP decodes them (runtime/loops.c).
var scheduleCodes = map[string]int{"static": 1, "dynamic": 2, "guided": 3, "runtime": 4, "auto": 5}

// rewriteSchedules replaces the schedules of worksharing loops in preprocessed source, so that the run time library deals
// all iterations and knows what the schedule was. Lines keep their numbers.
func rewriteSchedules(source []byte) []byte {
	if !bytes.Contains(source, []byte("omp")) {
		return source
	}
	lines := bytes.SplitAfter(source, []byte("\n"))
	for i, l := range lines {
		t := bytes.TrimLeft(l, " \t")
		if !bytes.HasPrefix(t, []byte("#")) {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(string(t[1:]), " \t"), "pragma")
		if !ok {
			continue
		}
		fields := strings.TrimSpace(rest)
		if clauses, ok := strings.CutPrefix(fields, "omp "); ok {
			lines[i] = []byte("#pragma omp " + rewriteDirective(strings.TrimSpace(clauses)) + "\n")
		}
	}
	return bytes.Join(lines, nil)
}

// rewriteDirective takes what follows "#pragma omp".
func rewriteDirective(text string) string {
	names, clauses := splitDirective(text)
	if !isLoop(names) {
		return text
	}
	for _, c := range clauses {
		if strings.HasPrefix(c, "reduction") && strings.Contains(c, "inscan") {
			return text // which may have no schedule
		}
	}
	schedule := "schedule(monotonic: guided, 1)"
	var kept []string
	for _, c := range clauses {
		if body, ok := clauseBody(c, "schedule"); ok {
			schedule = encodeSchedule(body)
		} else {
			kept = append(kept, c)
		}
	}
	if schedule == "" {
		return text
	}
	return strings.Join(append(append(names, kept...), schedule), " ")
}

// isLoop tells worksharing loops from other directives.
func isLoop(names []string) bool {
	loop := false
	for _, n := range names {
		switch n {
		case "for":
			loop = true
		case "distribute", "target", "teams", "declare", "cancel", "cancellation":
			return false
		}
	}
	return loop
}

// splitDirective gives the words of the directive and its clauses.
func splitDirective(text string) (names, clauses []string) {
	for text = strings.TrimLeft(text, " ,\t"); text != ""; text = strings.TrimLeft(text, " ,\t") {
		n := 0
		for n < len(text) && (text[n] == '_' || text[n] >= 'a' && text[n] <= 'z' || text[n] >= 'A' && text[n] <= 'Z' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		if n == 0 {
			return names, append(clauses, text)
		}
		word := text[:n]
		after := strings.TrimLeft(text[n:], " \t")
		body := ""
		if strings.HasPrefix(after, "(") {
			k := closing(after)
			body = after[:k]
			after = after[k:]
		}
		if body == "" && len(clauses) == 0 && directiveWords[word] {
			names = append(names, word)
		} else {
			clauses = append(clauses, word+body)
		}
		text = after
	}
	return names, clauses
}

var directiveWords = map[string]bool{
	"parallel": true, "for": true, "simd": true, "sections": true, "section": true, "single": true, "task": true, "taskloop": true,
	"target": true, "teams": true, "distribute": true, "declare": true, "reduction": true, "critical": true, "atomic": true,
	"barrier": true, "master": true, "masked": true, "ordered": true, "loop": true, "scope": true, "cancel": true, "cancellation": true,
	"threadprivate": true, "flush": true, "taskwait": true, "taskyield": true, "taskgroup": true,
}

// closing gives the length up to the bracket that closes the first one.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			for q := s[i]; i+1 < len(s) && s[i+1] != q; i++ {
				if s[i+1] == '\\' {
					i++
				}
			}
			i++
		}
	}
	return len(s)
}

// clauseBody is what stands in parentheses behind a clause's name.
func clauseBody(clause, name string) (string, bool) {
	rest, ok := strings.CutPrefix(clause, name)
	rest = strings.TrimSpace(rest)
	if !ok || !strings.HasPrefix(rest, "(") || !strings.HasSuffix(rest, ")") {
		return "", false
	}
	return rest[1 : len(rest)-1], true
}

// encodeSchedule gives the clause that stands for a schedule, empty where it is not understood.
func encodeSchedule(body string) string {
	kind, chunk, hasChunk := strings.Cut(body, ",")
	if before, after, ok := strings.Cut(body, ":"); ok && !strings.Contains(before, "(") && !strings.Contains(before, "?") && !strings.HasPrefix(after, ":") {
		kind, chunk, hasChunk = strings.Cut(after, ",")
	}
	code, known := scheduleCodes[strings.TrimSpace(kind)]
	if !known {
		return ""
	}
	if !hasChunk {
		return fmt.Sprintf("schedule(monotonic: guided, %d)", code)
	}
	chunk = strings.TrimSpace(chunk)
	if n, err := strconv.ParseInt(chunk, 0, 64); err == nil {
		return fmt.Sprintf("schedule(monotonic: guided, %d)", min(max(n, 1), largestChunk)*8+int64(code))
	}
	return fmt.Sprintf("schedule(monotonic: guided, __extension__ ({ long long fr_chunk_ = (long long)(%s); (int)(fr_chunk_ > %d ? %d : fr_chunk_ < 1 ? 1 : fr_chunk_); })*8+%d)",
		chunk, largestChunk, largestChunk, code)
}

// largestChunk keeps a chunk with its schedule in an int; loops with more iterations for a thread at a time are rare.
const largestChunk = 1 << 27
