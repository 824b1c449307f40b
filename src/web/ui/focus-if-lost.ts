/** Gives the focus to an element when what had it is gone, in the next frame: a dialog has given it back by then. */
export function focusIfLost(element: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) element?.focus()
  })
}
