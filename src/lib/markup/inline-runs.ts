import { openableAddress } from './openable-address.ts'

/** Part of a line in one style; ends are UTF-16 units of the line, whose markup between the runs is not shown. */
export interface InlineRun extends InlineStyle {
  readonly start: number
  readonly end: number
}

interface InlineStyle {
  readonly isStrong?: boolean
  readonly isEmphasized?: boolean
  readonly isStruck?: boolean
  readonly isCode?: boolean
  /** Safe to open. */
  readonly href?: string | undefined
  /** The last run of a link whose words are not its address. */
  readonly isLabelEnd?: boolean
}

/** Lengths are limited, so that stray marks take no quadratic time. */
const MARKUP = new RegExp(
  [
    /\\(?<escaped>[*_`[\]#<>|~])/,
    /(?<ticks>`{1,3})(?<code>[^`]{1,500})\k<ticks>(?!`)/,
    /\[!\[(?<badge>[^\][]{0,300})\]\([^()\s]{0,1000}\)\]\((?<behind>[^()\s]{0,1000})\)/,
    /!\[(?<alt>[^\][]{0,300})\]\([^()]{0,1000}\)/,
    /\[(?<label>[^\][]{1,300})\]\((?<to>[^()\s]{1,1000}(?:\([^()\s]{0,100}\)[^()\s]{0,100})?)(?:\s"[^"]{0,200}")?\)/,
    /<(?<auto>(?:https?|mailto):[^<>\s|]{1,1000})>/,
    /(?<bare>https?:\/\/[^\s<>"`|]{0,999}[^\s<>"`|.,;:!?()[\]'*_])/,
    /\*\*(?=\S)(?<strong>(?:[^*]|\*(?!\*)){1,500}?)(?<=\S)\*\*(?!\*)/,
    /(?<!\w)__(?=\S)(?![a-z]+__)(?<heavy>[^_]{1,300})(?<=\S)__(?!\w)/,
    /(?<![\w*])\*(?=[^\s*])(?<emphasis>[^*\n]{1,300})(?<=\S)\*(?![\w*])/,
    /(?<![\w_])_(?=[^\s_])(?<slanted>[^_\n]{1,300})(?<=\S)_(?![\w_])/,
    /~~(?=\S)(?<struck>[^~]{1,300})(?<=\S)~~/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'dg',
)

/** The runs of a line of Markdown: emphasis, code and links; of a picture, only its description. */
export function inlineRuns(line: string, from = 0, style: InlineStyle = {}): InlineRun[] {
  const runs: InlineRun[] = []
  const add = (start: number, end: number) => {
    if (end > start) runs.push({ ...style, start: from + start, end: from + end })
  }
  let at = 0
  for (const match of line.matchAll(MARKUP)) {
    add(at, match.index)
    at = match.index + match[0].length
    const name = SHOWN.find((group) => match.groups?.[group] !== undefined)!
    const [start, end] = match.indices!.groups![name]!
    runs.push(...shownRuns(name, line.slice(start, end), from + start, { ...style, ...styleOf(name, match.groups!) }))
  }
  add(at, line.length)
  return runs
}

/** Groups whose text is shown. */
const SHOWN = [
  ...(['escaped', 'code', 'badge', 'alt', 'label', 'auto', 'bare'] as const),
  ...(['strong', 'heavy', 'emphasis', 'slanted', 'struck'] as const),
] as const
type Shown = (typeof SHOWN)[number]

function shownRuns(name: Shown, text: string, start: number, style: InlineStyle): InlineRun[] {
  switch (name) {
    case 'label':
      // A link has none within.
      return inlineRuns(text, start, style).map((run, index, { length }) => {
        return { ...run, href: style.href, isLabelEnd: index === length - 1 }
      })
    case 'strong':
    case 'heavy':
    case 'emphasis':
    case 'slanted':
    case 'struck':
      return inlineRuns(text, start, style)
    default:
      return text === '' ? [] : [{ ...style, start, end: start + text.length }]
  }
}

function styleOf(name: Shown, groups: Readonly<Record<string, string | undefined>>): InlineStyle {
  switch (name) {
    case 'code':
      return { isCode: true }
    case 'strong':
    case 'heavy':
      return { isStrong: true }
    case 'emphasis':
    case 'slanted':
      return { isEmphasized: true }
    case 'struck':
      return { isStruck: true }
    case 'badge':
    case 'label':
    case 'auto':
    case 'bare':
      return { href: openableAddress(groups.behind ?? groups.to ?? groups.auto ?? groups.bare) }
    default:
      return {}
  }
}
