const SENTENCE_END = /[.!?。！？\n](?=\s|$)/g

/** The beginning of a text, up to the end of a sentence where one comes late enough. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const beginning = text.slice(0, most).toWellFormed()
  const end = [...beginning.matchAll(SENTENCE_END)].at(-1)?.index ?? 0
  return end > most / 2 ? beginning.slice(0, end + 1) : `${beginning.trimEnd()} …`
}
