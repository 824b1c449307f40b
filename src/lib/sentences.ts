import { isMonthName } from './calendar-names.ts'

// A period after these abbreviations does not end a sentence. Lower case, without the period.
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'mr mrs ms dr prof sr jr st ext apt vs etc eg e.g ie i.e cf approx no nr fig sec dept inc ltd co corp est min max ' +
    'dra sra srta hr tfno avda pág núm mme mlle evtl vgl bspw sog u.a z.t ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun incl excl inkl exkl zzgl ggf tel rs a.m p.m u.s z.b d.h bzw ca usw т.е т.д'
  ).split(' '),
)

const SENTENCE_END =
  /[.!?…]+["'”’)\]]*(?=\s|$)|[!?]+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|[。！？｡]+[」』”）"']*/gu
const LIST_ITEM = /^\s*(?:[-*+•–]|\d{1,3}[.)]|\[[ xX]\])\s+/
const CHECK_BOX = /^\s*[-*+]\s+\[[ xX]\]\s+/
const FENCE = /^\s*(?:```|~~~)/
const BOLD_LINE = /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_]{1,100})(?:\*\*|__):?\s*$/
/** System messages of chat programs. */
const CHROME =
  /^\s*(?:\d{1,4} (?:repl(?:y|ies)|reactions?)|\(edited\)|<Media omitted>|(?:image|video|audio|sticker) omitted|\[(?:スタンプ|写真|動画|Sticker|Photo|Video|Photos|Album|アルバム)\])\s*$/i

/**
 * If all lines are shorter than this and begin like sentences, they were not wrapped by a program, and each stands
 * alone.
 */
const SHORT_LINE = 50
/** `Check-in: Thursday, from 15:00`, as confirmations and forms have them. */
const LABELED_LINE = /^\s*\p{Lu}[\p{L}\d'’/() -]{1,30}:\s+\S/u
/** Placeholder for omitted code that the text announces. */
export const LEFT_OUT = '[…]'

/** Longest sentence in characters; longer ones are cut, such as dumps without full stops. */
const LONGEST_SENTENCE = 600

/**
 * The sentences of a passage as plain text: hard line breaks joined, Markdown removed, fenced code skipped. Own rules
 * rather than `Intl.Segmenter`, which ends a sentence at every line break and after `e.g.`.
 */
export function sentencesOf(text: string, labels: Labels = 'apart'): string[] {
  return paragraphsOf(text, labels).flatMap(splitSentences)
}

/** Whether lines such as `Check-in: Thursday, from 15:00` are sentences of their own, or one with the lines around them. */
export type Labels = 'apart' | 'joined'

/** Paragraphs and list items, one string each, without code fences, table rules and Markdown marks. */
export function paragraphsOf(text: string, labels: Labels = 'apart'): string[] {
  const paragraphs: string[] = []
  let open: string[] = []
  let isItem = false
  let inFence = false
  const close = () => {
    for (const part of isItem ? [open.join(' ')] : unwrapped(open, labels)) {
      const paragraph = plainText(part)
      if (paragraph !== '') paragraphs.push(paragraph)
    }
    open = []
    isItem = false
  }
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) {
      close()
      inFence = !inFence
      if (inFence && paragraphs.at(-1)?.endsWith(':')) paragraphs.push(`${paragraphs.pop()} ${LEFT_OUT}`)
    } else if (!inFence && !CHROME.test(line)) {
      const label = BOLD_LINE.exec(line)?.[1]
      const isRow = TABLE_ROW.test(line)
      const isBelowItem = isItem && isOwnSentence(line, open.at(-1) ?? '')
      if (line.trim() === '' || label || isRow || isBelowItem || BLOCK_LINE.test(line) || LIST_ITEM.test(line)) close()
      if (/^[\s|:=_*-]*$/.test(line) || isTableHead(line, lines[at + 1])) continue
      isItem ||= LIST_ITEM.test(line)
      open.push(
        label ? `${label.replace(/(?<![:\s])[:\s]+$/, '')}${/[.!?…]$/.test(label) ? '' : ':'}` : withoutMarker(line),
      )
      if (label || isRow || /^\s*(?:#{1,6}\s|\|)/.test(line)) close()
    }
  }
  close()
  return paragraphs
}

/** Whether a line below a short list item is a sentence of its own, and not the rest of the item: `Pay 400 euros to` needs more. */
function isOwnSentence(line: string, item: string): boolean {
  const isWhole = /^\p{Lu}(?:\S* ){3,}.*[.!?]\)?\s*$/u.test(line)
  return isWhole && item.length < SHORT_LINE && !/(?<!\p{L})\p{Ll}{1,4}$|,$/u.test(item.trimEnd())
}

/** The lines of a paragraph that their writer broke, and the others joined. */
function unwrapped(lines: readonly string[], labels: Labels): readonly string[] {
  if (lines.every((line) => line.length < SHORT_LINE && !/^\p{Ll}/u.test(line))) return lines
  if (labels === 'joined' || lines.filter((line) => LABELED_LINE.test(line)).length < 2) return [lines.join(' ')]
  const parts: string[] = []
  for (const line of lines) {
    if (parts.length === 0 || LABELED_LINE.test(line)) parts.push(line)
    else parts.push(`${parts.pop()} ${line}`)
  }
  return parts
}

/** Columns aligned with spaces, or separated by bars. */
const TABLE_ROW = /\S {3,}\S|\S \| \S.* \| \S/
const BLOCK_LINE = /^\s*(?:#{1,6}\s|\||[-=_*]{3,}\s*$)/

const TABLE_RULE = /^\s*(?:\|\s*)?(?::?-+:?\s*\|\s*)+(?::?-+:?\s*)?$/

/** The names of columns state nothing. */
function isTableHead(line: string, next = ''): boolean {
  return line.includes('|') && TABLE_RULE.test(next)
}

function withoutMarker(line: string): string {
  return line
    .replace(CHECK_BOX, '')
    .replace(LIST_ITEM, '')
    .replace(/^\s*(?:#{1,6}|>+)\s*/, '')
}

/** Removes Markdown and chat markup: emphasis, links, images, table bars, emoji codes, HTML tags. */
export function plainText(text: string): string {
  let plain = text
  // A linked picture is a badge, and a short alternative text has no content.
  if (plain.includes('[![')) plain = plain.replace(/\[!\[[^\][]{0,300}\]\([^()\s]{0,500}\)\]\([^()\s]{0,500}\)/g, ' ')
  if (plain.includes('![')) plain = plain.replace(/!\[(?:[^\][\s]{0,40} ?){0,2}\]\([^()]{0,2000}\)/g, ' ')
  if (plain.includes('<')) plain = withoutSlackMarks(plain)
  if (plain.includes('[[')) plain = plain.replace(/\[\[(?:[^\][|]{1,200}\|)?([^\][|]{1,200})\]\]/g, '$1')
  if (plain.includes('](')) plain = plain.replace(/!?\[([^\][]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
  if (plain.includes('<')) plain = plain.replace(/<\/?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,300})?\/?>/gi, ' ')
  if (plain.includes('*') || plain.includes('__')) {
    plain = plain.replace(/(\*\*|__)(?=\S)([^*_]{1,300})\1/g, '$2')
    plain = plain.replace(/(?<![\w*])\*(?=[^\s*])([^*]{1,300})\*(?![\w*])/g, '$1')
  }
  if (plain.includes('_')) plain = plain.replace(/(?<![\w_])_(?=[^\s_])([^_]{1,300})_(?![\w_])/g, '$1')
  if (plain.includes('|')) plain = plain.replace(/^\s*\|\s*|(?<!\s)\s*\|\s*$/g, '').replace(/(?<! ) *\| */g, ' | ')
  if (plain.includes(':')) plain = plain.replace(/(?<=^|\s):[a-z0-9_+-]{2,40}:(?=\s|$|[.,!?])/g, '')
  return plain.replace(/\s{2,}|[\t\n\r]/g, ' ').trim()
}

const WORD = '[\\p{L}\\p{N}\\p{M}#+]'
/** Between two words that are one term, see `analyze`. */
const JOINT = "['’.,\\-/\\\\@:&]"
/** The marks that `plainText` removes: of emphasis, but no underscore as in `file_name`, and of links. */
const MARK = '(?:\\[\\[[^\\[\\]|\\n]{1,200}\\||[*[\\]]|_(?![A-Za-z\\d])|(?<![A-Za-z\\d])_|\\]\\([^()\\s]{0,500}\\))'
const MARK_IN_WORD = new RegExp(`${WORD}${JOINT}{0,2}${MARK}(?:${MARK}|${JOINT}){0,8}${WORD}`, 'u')
const SLACK_MARK = /<(?:[@#][A-Z0-9]{3,20}|!(?:here|channel|everyone)|(?:https?|mailto):[^<>|\s]{1,500})[|>]/

/** Whether the sentences of a text may have words that the text lacks, because a mark within is removed: `data**base**`. */
export function joinsWords(text: string): boolean {
  return MARK_IN_WORD.test(text) || SLACK_MARK.test(text)
}

/** `<@U02BOB>`, `<@U02BOB|bob>`, `<#C04|general>`, `<!here>`, `<https://a.b|text>` as Slack exports them. */
function withoutSlackMarks(text: string): string {
  return text
    .replace(/<([@#])[A-Z0-9]{3,20}(?:\|([^<>|]{1,80}))?>:?/g, (_, mark: string, name: string | undefined) =>
      name === undefined ? '' : `${mark}${name}`,
    )
    .replace(/<!(here|channel|everyone)(?:\|[^<>]{0,80})?>/g, '@$1')
    .replace(/<(?:https?|mailto):[^<>|\s]{1,500}\|([^<>|]{1,300})>/g, '$1')
    .replace(/<(https?:[^<>|\s]{1,500})>/g, '$1')
}

/** Splits one paragraph of plain text; text without a final mark is a sentence too. */
export function splitSentences(paragraph: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const match of paragraph.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (match[0].startsWith('.') && !endsSentence(paragraph, match.index, end)) continue
    if (isInCode(paragraph.slice(Math.max(start, end - MOST_CODE), match.index), paragraph.slice(end, end + MOST_CODE)))
      continue
    sentences.push(paragraph.slice(start, end).trim())
    start = end
  }
  sentences.push(paragraph.slice(start).trim())
  return sentences.filter((sentence) => sentence !== '').map(shortened)
}

/** Longest code between two backticks; bounds the work for a stray one. */
const MOST_CODE = 120
/** Not an apostrophe. */
const BACKTICK = /(?<!\p{L})`|`(?!\p{L})/gu

/** Between two backticks: `a ?? b` is no question. */
function isInCode(before: string, after: string): boolean {
  return (before.match(BACKTICK)?.length ?? 0) % 2 === 1 && after.search(BACKTICK) >= 0
}

function endsSentence(paragraph: string, dot: number, end: number): boolean {
  const next = paragraph.slice(end, end + 3).trimStart()
  if (next !== '' && /^\p{Ll}/u.test(next)) return false
  if (isOrdinal(paragraph.slice(Math.max(0, dot - 12), dot), paragraph.slice(end, end + 14))) return false
  if (isInGermanDate(paragraph, dot, end) || isHouseNumber(paragraph, dot, end)) return false
  if (isDenial(paragraph, dot, end)) return true
  const word = wordBefore(paragraph, dot)
  return !ABBREVIATIONS.has(word) && !(/^\p{L}$/u.test(word) && /^\p{Lu}/u.test(next) && word !== 'i')
}

function wordBefore(text: string, dot: number): string {
  // `don't` is a word, of which the last letter is no initial.
  return (
    /(?:[\p{L}.]|(?<=\p{L})['’](?=\p{L})){1,8}$/u.exec(text.slice(Math.max(0, dot - 8), dot))?.[0].toLowerCase() ?? ''
  )
}

/** Whether the period at the end belongs to an abbreviation: `Acme Inc.` */
export function endsWithAbbreviation(text: string): boolean {
  return text.endsWith('.') && ABBREVIATIONS.has(wordBefore(text, text.length - 1))
}

/** `bis 20.11. Bescheid`: the period belongs to the date, unless a clause begins behind it. */
function isInGermanDate(paragraph: string, dot: number, end: number): boolean {
  const around = paragraph.slice(Math.max(0, dot - 100), end + 100)
  const [, preposition] = GERMAN_DATE.exec(paragraph.slice(Math.max(0, dot - 12), dot)) ?? []
  if (preposition === undefined || CLAUSE_BEGINS.test(paragraph.slice(end, end + 14))) return false
  return preposition.toLowerCase() !== 'am' || GERMAN.test(around)
}
const GERMAN_DATE = /(?<!\p{L})(am|ab|bis|den|dem|vom|zum|seit|nach|vor) \d{1,2}\.\d{1,2}$/iu
const GERMAN =
  /(?<!\p{L})(?:und|ist|sind|nicht|mit|für|das|wir|ich|ihr|ein|eine|einen|wird|von|zum|zur|im|den|dem|bitte|sich|auf|bei|nach|findet)(?!\p{L})/iu
const CLAUSE_BEGINS =
  /^\s+(?:Ab|Aber|Alle|Alles|Als|Am|Auch|Auf|Außerdem|Bei|Bis|Bitte|Da|Danach|Dann|Das|Davor|Dein|Deine|Den|Der|Deshalb|Die|Dies|Diese|Dieser|Dort|Du|Ein|Eine|Einen|Er|Es|Falls|Für|Hier|Ich|Ihr|Im|In|Ist|Jetzt|Kann|Man|Mein|Meine|Mit|Nach|Noch|Nur|Oder|Ohne|Sein|Seine|Seit|Sie|Sind|So|Sonst|Später|Und|Unser|Unsere|Vor|Vorher|Wann|Was|Weil|Wenn|Wer|Wie|Wir|Wo|Zu|Zum|Zur|A|An|And|At|But|He|I|If|It|My|She|So|That|The|Then|There|They|This|We|What|You)(?!\p{L})/u

/** `Florastr. 12`, `Hausnr. 14` */
function isHouseNumber(paragraph: string, dot: number, end: number): boolean {
  return (
    /\p{L}(?:str|nr)$/u.test(paragraph.slice(Math.max(0, dot - 6), dot)) && /^ \d/.test(paragraph.slice(end, end + 2))
  )
}

/** `No. 20 minutes later we were done`: at the beginning of a sentence and before an amount of time, "No." is no number. */
function isDenial(paragraph: string, dot: number, end: number): boolean {
  return (
    /(?:^|[.!?…]["'”’)\]]?\s)No$/.test(paragraph.slice(Math.max(0, dot - 6), dot)) &&
    /^ \d{1,4} (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) \p{Ll}/u.test(paragraph.slice(end, end + 20))
  )
}

/** "Am 14. April", "der 3. Versuch": in German and related languages the period marks an ordinal number. */
function isOrdinal(before: string, after: string): boolean {
  if (!/(?<!\d)\d{1,2}$/.test(before)) return false
  const isDay = isMonthName(/^\s(\p{L}+)/u.exec(after)?.[1] ?? '')
  return isDay || /(?<!\p{L})(?:am|der|das|den|dem|vom|zum|im|beim)\s\d+$/iu.test(before)
}

function shortened(sentence: string): string {
  return clip(sentence, LONGEST_SENTENCE)
}

/** At most `most` characters, cut at a word boundary if possible, with an ellipsis. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const space = text.lastIndexOf(' ', most - 1)
  let end = space > most * 0.6 ? space : most - 1
  const code = text.charCodeAt(end - 1)
  if (code >= 0xd800 && code <= 0xdbff) end--
  return `${text.slice(0, end).replace(/(?<![\s,;:])[\s,;:]+$/, '')}…`
}
