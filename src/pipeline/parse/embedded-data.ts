import type { ParseContext } from './parse-context.ts'

const DATA_URI = /data:[\w.+-]{1,40}\/[\w.+-]{1,80}(?:;[\w=.-]{1,60}){0,4},[A-Za-z0-9+/=%_.~-]{40,}/g

/** Text without the bytes of embedded pictures and fonts, which no question is about and which crowd out the words. */
export function withoutEmbeddedData(text: string, context: ParseContext): string {
  if (!text.includes('data:')) return text
  let found = 0
  const without = text.replace(DATA_URI, () => {
    found++
    return 'data:'
  })
  context.skip('binary_part', found, 'embedded file')
  return without
}
