// Package server serves the page of foresee to browsers of the machine that it runs on, and answers its requests.
//
// What it may be asked is bounded: only by who knows its token, which is part of every address; only from its own page, as Host and Origin must be its
// own; only sources of some size, whose headers are looked for in the one folder that it is given. A few analyses run at a time, each for some
// seconds and within some memory; the rest wait or are refused. Files that are dropped onto the page are held in memory, a few at a time. Nothing is written.
package server

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"foresee/examples"
	"foresee/machine"
	"foresee/predict"
	report "foresee/report/page"
	"foresee/web/engine"
	"foresee/web/page"
)

// Options say what is served.
type Options struct {
	Engine *engine.Engine // to which New gives files, recordings and reports
	Folder fs.FS          // of the sources that the page offers, and their headers; nil: there is none
	Open   string         // the source that the page begins with, by its path in the folder; "": an example
	// Longest is how long an analysis may take; 0: ten seconds.
	Longest time.Duration
	Hosts   []string // names and addresses, without port, that browsers may call the server by, beside those of the loopback; "*": any
}

// Server serves the page.
type Server struct {
	options Options
	token   string
	port    string
	running chan struct{}
	held    holder
	http    *http.Server
}

// Longest is how long an analysis may take where nothing else is said. Chosen: longer than anybody waits.
const Longest = 10 * time.Second

// Bounds. All are chosen.
const (
	mostAtOnce = 4               // analyses at a time
	patience   = 5 * time.Second // that one waits for its turn
	tokenBytes = 18              // of the token: 144 bits
	farewell   = 2 * time.Second // that requests have to end when the server is closed
)

// New makes a server.
func New(o Options) (*Server, error) {
	token := make([]byte, tokenBytes)
	if _, err := rand.Read(token); err != nil {
		return nil, err
	}
	if o.Longest <= 0 {
		o.Longest = Longest
	}
	e := o.Engine
	e.Files, e.Recorded, e.Report = joined{o.Folder, examples.Headers()}, engine.Recorded, writeReport
	return &Server{options: o, token: base64.RawURLEncoding.EncodeToString(token), running: make(chan struct{}, mostAtOnce)}, nil
}

// writeReport writes a report, as foresee predict --html.
func writeReport(w io.Writer, p *predict.PredictionResult, c *predict.CurveResult, m *machine.Machine, command string) error {
	return report.Prediction(w, report.Contents{Command: command, Prediction: p, Curves: c, Machines: []*machine.Machine{m}})
}

// Serve serves on a listener until ctx is done, and calls ready with the page's address.
func (s *Server) Serve(ctx context.Context, l net.Listener, ready func(address string)) error {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	s.port = port
	s.http = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(quiet{}, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(l) }()
	ready("http://" + net.JoinHostPort(host, port) + "/" + s.token + "/")
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := s.http.Shutdown(last); err != nil {
		_ = s.http.Close() // what does not end is cut off
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// quiet takes what the HTTP library says of broken connections, which nobody needs to know.
type quiet struct{}

func (quiet) Write(p []byte) (int, error) { return len(p), nil }

// handler answers requests of who may ask.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/folder", s.folder)
	mux.HandleFunc("GET /api/file", s.file)
	mux.HandleFunc("POST /api/ask", s.ask)
	mux.HandleFunc("POST /api/hold", s.hold)
	mux.HandleFunc("GET /engine.js", script(page.NativeEngine))
	mux.HandleFunc("GET /xmodel.js", script(page.XModel()))
	mux.Handle("GET /", http.FileServerFS(page.Files()))
	return s.guarded(mux)
}

// script gives a script that is no file of the page.
func script(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = io.WriteString(w, text) // of a browser that is gone nobody needs to know
	}
}

// policy is what the page may load: what comes from here alone, and no script within the page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded lets through what comes from the page itself.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case !s.isOurs(r.Host):
			http.Error(w, "this server is not called by that name", http.StatusForbidden)
			return
		case !s.isFromPage(r):
			http.Error(w, "only its own page may ask this server", http.StatusForbidden)
			return
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
			http.Error(w, "the address needs its token: take the whole one that the command printed", http.StatusForbidden)
			return
		}
		r.URL.Path, r.URL.RawPath = "/"+rest, ""
		next.ServeHTTP(w, r)
	})
}

// isOurs says whether the name that a browser calls the server by is its own: others may lead here by a name server of theirs.
func (s *Server) isOurs(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = hostport, "80"
	}
	if port != s.port {
		return false
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return true
	}
	for _, name := range s.options.Hosts {
		if name == "*" || strings.EqualFold(name, host) {
			return true
		}
	}
	return false
}

// isFromPage says whether a request comes from the page, or from who types the address.
func (s *Server) isFromPage(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && (site != "none" || r.Method != http.MethodGet) {
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || origin == "http://"+r.Host
}
