/** Puts a text on the clipboard, also on pages without TLS, where browsers have no `navigator.clipboard`. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  const focused = document.activeElement
  // Beside what has the focus: a dialog takes it back from whatever stands outside.
  const place = focused?.parentElement ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser does not let this page copy')
}
