// Command pagepictures takes the pictures of the page that the documentation shows: it serves the page and looks at it with Chromium.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"foresee/web/browser"
	"foresee/web/engine"
	"foresee/web/server"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pagepictures FOLDER")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pagepictures:", err)
		os.Exit(1)
	}
}

// picture is one view of the page.
type picture struct {
	name          string
	width, height int64
	phone, dark   bool
	script        string // that leads to it
	until         string // what is waited for then
}

var pictures = []picture{
	{name: "page-1280.png", width: 1280, height: 1000},
	{name: "page-390.png", width: 390, height: 1500, phone: true},
	{name: "page-dark.png", width: 1280, height: 900, dark: true, script: `document.getElementById("tab-where").click()`},
	{name: "page-advise.png", width: 1280, height: 900, script: `document.getElementById("tab-advise").click()`, until: `document.querySelector("#panel-advise .change") && !document.getElementById("panel-advise").textContent.includes("First look")`},
	{name: "page-level.png", width: 1280, height: 1150, script: `{ const at = [...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-served")].find((e) => e.textContent.startsWith("B")); at.closest(".cm-content").focus(); getSelection().collapse(at.firstChild, 1); setTimeout(() => document.querySelector("#caret button[data-level=L2]").click(), 300) }`, until: `document.querySelector("#caret button[aria-pressed=true]")`},
}

// run serves the page and takes all pictures.
func run(ctx context.Context, dir string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := server.New(server.Options{Engine: &engine.Engine{}, Longest: time.Minute})
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, func(a string) { address <- a }) }()
	tab, closeAll, err := browser.Open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	at := <-address
	for _, p := range pictures {
		if err := p.take(tab, at, dir); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	cancel()
	return <-ended
}

// take takes one picture, once the page shows all.
func (p *picture) take(tab *browser.Tab, address, dir string) error {
	if err := tab.Size(p.width, p.height, p.phone); err != nil {
		return err
	}
	if err := tab.Dark(p.dark); err != nil {
		return err
	}
	if err := tab.Go("about:blank"); err != nil {
		return err
	}
	if err := tab.Go(address); err != nil {
		return err
	}
	if err := tab.Wait(`document.documentElement.dataset.done`, 2*time.Minute); err != nil {
		return err
	}
	if p.script != "" {
		if _, err := browser.Value[any](tab, p.script+"; 1"); err != nil {
			return err
		}
	}
	if p.until != "" {
		if err := tab.Wait(p.until, 2*time.Minute); err != nil {
			return err
		}
	}
	time.Sleep(400 * time.Millisecond) // for what fades
	png, err := tab.Picture()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, p.name), png, 0o644)
}
