/** Between characters of the private use area: a kind, then values between other such characters. */
const MARK = /\u{e200}([a-z_]{1,30})(?![a-z_])\u{e202}?([^\u{e200}\u{e201}]{0,2000})\u{e201}/gu
const REST_OF_MARKS = /[\u{e200}-\u{e206}]/gu
/** Marks of older answers, in place of links to what was read. */
const REFERENCE = /:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?|【\d{1,3}(?::\d{1,3})?†[^】\n]{0,200}】/gu

/** What is shown of an answer of ChatGPT: without marks of citations, and with the names and links that marks hold. */
export function shownAnswer(text: string): string {
  return text
    .replace(MARK, (_, kind: string, values: string) => markedWords(kind, values))
    .replace(REST_OF_MARKS, '')
    .replace(REFERENCE, '')
}

function markedWords(kind: string, values: string): string {
  if (kind === 'entity') return /^\["[^"]*",\s*"((?:[^"\\]|\\.)*)"/u.exec(values)?.[1]?.replace(/\\(.)/gu, '$1') ?? ''
  if (kind !== 'url') return ''
  const [title = '', address = ''] = values.split('\u{e202}')
  return address === '' || address === title ? title : `${title} (${address})`
}
