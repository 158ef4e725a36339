package browser_test

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"foresee/web/browser"
)

// replace writes text over all that the focused editor holds, as if it were pasted.
func replace(t *browser.Tab, text string) error {
	if err := t.Do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))); err != nil {
		return err
	}
	return t.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// point moves the pointer to a place in the window.
func point(t *browser.Tab, x, y float64) error {
	return t.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}
