const QUOTED_LINE = /^[ \t]{0,3}>.*$/gm

/** A message without the lines it quotes (`> ...`), which are somebody else's; all of it when it is nothing but a quote. */
export function ownWords(text: string): string {
  if (!/^[ \t]{0,3}>/m.test(text)) return text
  const own = text.replace(QUOTED_LINE, '').trim()
  return own === '' ? text : own
}
