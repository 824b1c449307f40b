/** Gives the focus to an element when what had it is gone, in the next frame: a dialog has given it back by then. */
export function focusIfLost(element: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) element?.focus()
  })
}

/** Gives the focus to the page as a whole, when what had it is gone; after the dialog that was closed has given it back. */
export function focusPage(): void {
  setTimeout(() => document.getElementById('page')?.focus(), 0)
}
