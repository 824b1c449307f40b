import type { LabelledPassage } from './labelled-passages.ts'

const FIRST_PERSON = /\b(?:I|me|[Mm]y|mine|[Ww]e|us|[Oo]ur)\b/

/** Grammar that no sentence of an account has, outside of quotation marks. */
const SLIPS: readonly RegExp[] = [
  /\b[Tt]hey (?:is|was|has|does|am|isn['’]t|wasn['’]t|hasn['’]t|doesn['’]t)\b/,
  /\bI (?:is|are|has|does|aren['’]t|hasn['’]t|doesn['’]t)\b/,
  /\b(?:he|she|it) (?:are|have|am)\b/,
  // A sentence of its own behind "that".
  /\bthat (?:One|The|This|That|These|A|An|We|It|They|There|Is|Are|Can|Please|Yes|No|Ok|My|Our|Your)\b/,
  /\bthat (?:please|yes|yeah|no worries|ok|okay|thanks|hi|hello|let['’]s)\b/i,
  // What "that" cannot be followed by: half a sentence, or a request.
  /\b(?:said|wrote|told [^"]{1,40}) that (?:then|because|and|but|or|so)\b|\bplease\b/,
  // A title is no first name.
  /\b(?:Dr|Mr|Mrs|Ms|Prof)\. (?:said|wrote|asked|told|also)\b/,
  /\b(?!(?:that|had|is) )([a-z]+) \1\b/,
  /\b(?:my|your|their) (?:me|I|them|they)\b|\bthem (?:is|are|was|were)\b|\bmy too\b/,
  / [,.;!?]|,,|;;|[^.]\.\.(?!\.)|(?<!\w)\(\)|""/,
  /\b(?:said|wrote|told \S+) that\s*[.,]/,
]

/** A narrative without what it quotes; a title or an utterance is somebody's own words. */
export function outsideQuotes(narrative: string): string {
  return narrative.replace(/"[^"]*"/g, '"…"')
}

/** Slips of grammar outside of quotation marks, and quotation marks that do not close. */
export function grammarSlips(narrative: string): string[] {
  const outside = outsideQuotes(narrative)
  const found = SLIPS.flatMap((slip) => slip.exec(outside)?.[0] ?? [])
  return (narrative.match(/"/g)?.length ?? 0) % 2 === 1 ? [...found, 'open quotation mark'] : found
}

/** What is wrong with who speaks in the narratives of a passage; empty when all is right. */
export function voiceFaults(narratives: readonly string[], { expect, userName }: LabelledPassage): string[] {
  const told = narratives.join('\n')
  const outside = outsideQuotes(told)
  const isMine = expect.who.length === 0 || expect.who.includes(userName)
  return [
    ...(isMine && !FIRST_PERSON.test(outside) ? ['no first person'] : []),
    ...(outside.includes(userName) ? ['names me'] : []),
    ...expect.says.filter((part) => !part.split('|').some((one) => told.includes(one))).map((part) => `lacks: ${part}`),
    ...expect.never.filter((part) => outside.includes(part)).map((part) => `says: ${part}`),
    ...expect.absent.filter((part) => told.includes(part)).map((part) => `quotes: ${part}`),
  ]
}

const FILLER =
  /^(?:hi|hey|hello|dear|thanks|thank you(?! for)|good morning|good afternoon|morning|ok|okay|yes|no|sure|well|so|um|haha|moin|hallo|hola|bonjour|привет|oui|ja|sí|да|нет)(?:\p{P}|\s|$)/iu

/** What is wrong with the headlines of a passage; empty when all is right. */
export function headlineFaults(headlines: readonly string[], { expect }: LabelledPassage): string[] {
  const wanted = expect.headline.map((pattern) => new RegExp(pattern, 'i'))
  const isThere = headlines.some((headline) => wanted.every((pattern) => pattern.test(headline)))
  return [
    ...(isThere ? [] : ['does not say what it is about']),
    ...headlines.flatMap((headline) => [
      ...(headline.length < 3 || headline.length > 160 ? [`${headline.length} characters`] : []),
      ...(FILLER.test(headline) ? ['begins with a greeting or filler'] : []),
      ...(/[,:;]$/.test(headline) ? ['ends in the middle'] : []),
    ]),
    ...(new Set(headlines).size < headlines.length ? ['two are equal'] : []),
  ]
}
