/** Gives the focus to the page as a whole, when what had it is gone; after the dialog that was closed has given it back. */
export function focusPage(): void {
  setTimeout(() => document.getElementById('page')?.focus(), 0)
}
