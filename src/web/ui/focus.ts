/** Focuses an element in the next frame if nothing else has the focus, after a closing dialog has returned it. */
export function focusIfLost(element: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) element?.focus()
  })
}

/** Focuses the page, after a closing dialog has returned the focus. */
export function focusPage(): void {
  setTimeout(() => document.getElementById('page')?.focus(), 0)
}
