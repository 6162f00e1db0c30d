// Keeps the keyboard's place on the page. A browser takes the focus from a control that is removed, hidden or disabled, and
// Tab then begins at the top again. Chromium 150 does so at once, others when they draw the page, so keepFocus notes the
// focus before the change, and nothing here is ever disabled.

// The controls of an element's kind in a container that Tab can reach.
const alike = (container, element) => [...container.querySelectorAll(element.localName)]
  .filter((one) => one.tabIndex >= 0 && one.getClientRects().length > 0);

// Makes a change that may remove or hide controls of a container. If the focused one is among them, the control of its kind
// that now has its place gets the focus, or the last of its kind, or else heir().
export function keepFocus(container, change, heir) {
  const focused = document.activeElement;
  if (!container.contains(focused)) {
    change();
    return;
  }
  const place = alike(container, focused).indexOf(focused);
  change();
  const isLost = [focused, document.body].includes(document.activeElement);
  if (!isLost || (focused.isConnected && focused.getClientRects().length > 0)) return;
  const left = alike(container, focused);
  (left[Math.min(place, left.length - 1)] ?? heir()).focus();
}

// Turns a control off or on. One that is off keeps the focus, and h() lets no click through to it.
export function setOff(control, off) {
  if (off) control.setAttribute("aria-disabled", "true");
  else control.removeAttribute("aria-disabled");
}
