package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foresee/internal/hostile"
	"foresee/web/engine"
	"foresee/web/server"
)

// serve serves a folder until the test ends, and gives the page's address.
func serve(t *testing.T, dir string) string {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Engine: &engine.Engine{}, Folder: root.FS()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, func(a string) { address <- a }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("closing: %v", err)
		}
		root.Close()
	})
	return <-address
}

// post asks with some headers, and gives the status and the body.
func post(t *testing.T, address string, r engine.Request, headers map[string]string) (int, []byte) {
	t.Helper()
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, http.MethodPost, address+"api/ask", body, headers)
}

func send(t *testing.T, method, address string, body []byte, headers map[string]string) (int, []byte) {
	t.Helper()
	q, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json")
	for name, value := range headers {
		if name == "Host" {
			q.Host = value
			continue
		}
		q.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	out, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, out
}

const loop = "double x[1000];\nvoid f(void) { for (int i = 0; i < 1000; i++) x[i] = 0; }\n"

// TestWhoMayAsk lets only the page itself in.
func TestWhoMayAsk(t *testing.T) {
	address := serve(t, t.TempDir())
	r := engine.Request{Call: "predict", Name: "f.c", Text: loop, Machine: "zen4"}
	host := strings.Split(address, "/")[2]
	_, port, _ := net.SplitHostPort(host)
	for name, tt := range map[string]struct {
		headers map[string]string
		want    int
	}{
		"nobody says where it comes from": {nil, 200},
		"its own page":                    {map[string]string{"Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}, 200},
		"by the name localhost":           {map[string]string{"Host": "localhost:" + port, "Origin": "http://localhost:" + port}, 200},
		"another page":                    {map[string]string{"Origin": "https://example.org"}, 403},
		"another page of this machine":    {map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		"no origin":                       {map[string]string{"Origin": "null"}, 403},
		"another site":                    {map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"a neighbour":                     {map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		"another name that leads here":    {map[string]string{"Host": "evil.example:" + port}, 403},
		"another port":                    {map[string]string{"Host": "127.0.0.1:1"}, 403},
		"a form":                          {map[string]string{"Content-Type": "text/plain"}, 415},
	} {
		if got, out := post(t, address, r, tt.headers); got != tt.want {
			t.Errorf("%s: %d %s, want %d", name, got, out, tt.want)
		}
	}
	for name, at := range map[string]string{
		"without a token":   "http://" + host + "/",
		"with another one":  "http://" + host + "/AAAAAAAAAAAAAAAAAAAAAAAA/",
		"with a part of it": strings.TrimSuffix(address, "/")[:len(address)-4] + "/",
	} {
		if got, _ := post(t, at, r, nil); got != 403 {
			t.Errorf("%s: %d", name, got)
		}
	}
	got, _ := send(t, http.MethodGet, address, nil, nil)
	if got != 200 {
		t.Errorf("the page: %d", got)
	}
}

// TestHeaders says what the page may load.
func TestHeaders(t *testing.T) {
	response, err := http.Get(serve(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	policy := response.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("policy %q", policy)
	}
	if response.Header.Get("X-Content-Type-Options") != "nosniff" || response.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%v", response.Header)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(body), "<script>") || strings.Contains(string(body), "onclick") || strings.Contains(string(body), "style=") {
		t.Error("the page has a script or a style within")
	}
}

// TestFolder reads sources of the folder and nothing else, whichever way a name leads out.
func TestFolder(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "work")
	for name, text := range map[string]string{"work/a.c": loop, "work/sub/b.c": loop, "work/secret.txt": "no", "out.c": "secret"} {
		path := filepath.Join(outside, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "out.c"), filepath.Join(dir, "link.c")); err != nil {
		t.Fatal(err)
	}
	address := serve(t, dir)
	_, listed := send(t, http.MethodGet, address+"api/folder", nil, nil)
	if string(listed) != `{"files":["a.c","sub/b.c"],"open":""}`+"\n" {
		t.Errorf("listed %s", listed)
	}
	if got, text := send(t, http.MethodGet, address+"api/file?name=sub/b.c", nil, nil); got != 200 || string(text) != loop {
		t.Errorf("sub/b.c: %d %s", got, text)
	}
	for _, name := range []string{"../out.c", "link.c", "secret.txt", "/etc/passwd", "sub/../../out.c", "", ".", "sub", "%2e%2e/out.c", "nothing.c"} {
		if got, text := send(t, http.MethodGet, address+"api/file?name="+name, nil, nil); got == 200 {
			t.Errorf("%q was read: %s", name, text)
		}
	}
	for _, name := range []string{"../out.c", "link.c", filepath.Join(outside, "out.c")} {
		r := engine.Request{Call: "predict", Name: "a.c", Text: "#include \"" + name + "\"\n" + loop, Machine: "zen4"}
		if got, out := post(t, address, r, nil); got == 200 || strings.Contains(string(out), "secret") {
			t.Errorf("%q was included: %d %s", name, got, out)
		}
	}
}

// sample is one in how many hostile inputs is tried: the command is tried with all, and what reads them is the same.
const sample = 7

// TestHostile asks about sources that are made to bring foresee down: each is answered or refused in time, and the server goes on.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("some of them take seconds")
	}
	t.Parallel()
	dir := t.TempDir()
	address := serve(t, dir)
	tried := 0
	for i, c := range hostile.Cases() {
		if i%sample != 0 {
			continue
		}
		for name, text := range c.Files {
			if filepath.Ext(name) != ".c" {
				continue
			}
			source := text()
			if len(source) > engine.MostText {
				continue
			}
			tried++
			began := time.Now()
			status, out := post(t, address, engine.Request{Call: "predict", Name: "h.c", Text: string(source), Machine: "zen4", Threads: []int{1, 8}, Effort: 0.02}, nil)
			if took := time.Since(began); took > time.Minute { // ten seconds on a machine that does nothing else
				t.Errorf("%s took %v", c.Name, took)
			}
			if status != 413 && !json.Valid(out) || status != 200 && status != 422 && status != 413 {
				t.Errorf("%s: %d %.200s", c.Name, status, out)
			}
		}
	}
	if tried < 3 {
		t.Errorf("%d sources only", tried)
	}
	if status, out := post(t, address, engine.Request{Call: "predict", Name: "f.c", Text: loop, Machine: "zen4"}, nil); status != 200 {
		t.Errorf("after them: %d %s", status, out)
	}
}

// TestAnswered asks often: whoever has not gone away is answered.
func TestAnswered(t *testing.T) {
	address := serve(t, t.TempDir())
	for range 200 {
		if status, out := post(t, address, engine.Request{Call: "choices"}, nil); status != 200 {
			t.Fatalf("%d %s", status, out)
		}
	}
}

// TestHeld holds a file for the requests that are about it, the last few only, and runs none.
func TestHeld(t *testing.T) {
	address := serve(t, t.TempDir())
	bytes := map[string]string{"Content-Type": "application/octet-stream"}
	content, err := os.ReadFile("../../cmd/foresee/testdata/golden/inputs/schedules.rec")
	if err != nil {
		t.Fatal(err)
	}
	hold := func(content []byte) string {
		t.Helper()
		var kept struct{ Held string }
		if status, out := send(t, http.MethodPost, address+"api/hold", content, bytes); status != 200 || json.Unmarshal(out, &kept) != nil {
			t.Fatalf("%d %s", status, out)
		}
		return kept.Held
	}
	about := func(held string) engine.Request {
		return engine.Request{Call: "predict", Name: "schedules.rec", Held: held, Machine: "zen4", Threads: []int{1, 2}}
	}
	first := hold(content)
	if status, out := post(t, address, about(first), nil); status != 200 || !strings.Contains(string(out), `"accesses"`) {
		t.Errorf("a recording: %d %s", status, out)
	}
	if status, out := post(t, address, about(hold([]byte("\x7fELF\x02\x01\x01"))), nil); status != 422 || !strings.Contains(string(out), "program") {
		t.Errorf("a program: %d %s", status, out)
	}
	if status, out := post(t, address, about(hold(content[:len(content)/2])), nil); status != 422 {
		t.Errorf("half a recording: %d %s", status, out)
	}
	for i := range 4 {
		hold([]byte{byte(i)})
	}
	if status, out := post(t, address, about(first), nil); status != 422 || !strings.Contains(string(out), "again") {
		t.Errorf("long ago: %d %s", status, out)
	}
	if status, _ := send(t, http.MethodPost, address+"api/hold", content, map[string]string{"Content-Type": "text/plain"}); status != 415 {
		t.Errorf("of a form: %d", status)
	}
	if status, _ := send(t, http.MethodPost, address+"api/hold", make([]byte, engine.MostData+1), bytes); status != 413 {
		t.Errorf("too long: %d", status)
	}
}

// TestReport writes the report of foresee predict --html.
func TestReport(t *testing.T) {
	address := serve(t, t.TempDir())
	r := engine.Request{Call: "report", Name: "f.c", Text: loop, Machine: "zen4", Threads: []int{1, 2}, Command: "foresee predict <f.c>"}
	var report engine.Report
	status, out := post(t, address, r, nil)
	if err := json.Unmarshal(out, &report); err != nil || status != 200 {
		t.Fatalf("%d %v %.300s", status, err, out)
	}
	for _, has := range []string{"<!doctype html>", "foresee predict &lt;f.c&gt;", "<svg", "zen4"} {
		if !strings.Contains(strings.ToLower(report.HTML), has) {
			t.Errorf("the report lacks %q", has)
		}
	}
}

// TestLong refuses what is larger than anybody asks.
func TestLong(t *testing.T) {
	address := serve(t, t.TempDir())
	if status, _ := send(t, http.MethodPost, address+"api/ask", bytes.Repeat([]byte(" "), 8<<20), nil); status != 413 {
		t.Errorf("8 MiB: %d", status)
	}
	if status, _ := send(t, http.MethodPost, address+"api/ask", []byte("{"), nil); status != 400 {
		t.Errorf("half of a request: %d", status)
	}
	r := engine.Request{Call: "predict", Text: strings.Repeat("x", engine.MostText+1)}
	if status, _ := post(t, address, r, nil); status != 422 {
		t.Errorf("a long source: %d", status)
	}
}
