/** The file name in a `Content-Disposition` (RFC 6266): `filename*` before `filename`. */
export function downloadName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const whole = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header)?.[1]
  const decoded = whole === undefined ? undefined : decode(whole)
  return decoded ?? /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
