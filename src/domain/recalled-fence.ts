/**
 * Text that came out of the memory is given to agents between `<recalled:ID>` and `</recalled:ID>`. The id is random, so
 * that no passage can close the fence it stands in; without quotes, the fence survives JSON unchanged.
 */
export function fenced(text: string, id: string): string {
  return `<recalled:${id}>\n${text}\n</recalled:${id}>`
}

const OPEN = /<recalled:([a-z0-9]{8,64})>/g

/**
 * The text without the passages between fences, so that what was recalled into a transcript is not memorized again as
 * something new. A fence that is not closed reaches to the end: a transcript may have been cut.
 */
export function withoutRecalled(text: string): string {
  if (!text.includes('<recalled:')) return text
  const parts: string[] = []
  let at = 0
  for (const open of text.matchAll(OPEN)) {
    if (open.index < at) continue
    parts.push(text.slice(at, open.index))
    const closing = `</recalled:${open[1]}>`
    const close = text.indexOf(closing, open.index)
    if (close < 0) return parts.join('')
    at = close + closing.length
  }
  parts.push(text.slice(at))
  return parts.join('')
}
