/** Maximum words of a name, and letters per word, in the format of a turn. */
const NAME_WORDS = 5
const WORD_LETTERS = 40

/** A spoken turn in the format that the parser reads: `Ada Lovelace [2026-03-04 10:12 UTC]: text`. */
export function spokenTurn(name: string, at: Date, text: string): string {
  const time = at.toISOString().slice(0, 16).replace('T', ' ')
  const [first = '', ...others] = text.split('\n')
  return [`${speakerName(name)} [${time} UTC]: ${first}`, ...others.map(ownLine)].join('\n').trimEnd()
}

/** As the format of a turn requires: at most five words of letters and digits, beginning with a letter. */
export function speakerName(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}._'’&-]+/gu, ' ')
    .trim()
    .split(' ')
  const text = words
    .map((word) => [...word].slice(0, WORD_LETTERS).join(''))
    .slice(0, NAME_WORDS)
    .join(' ')
  return /^\p{L}/u.test(text) ? text : `User ${text}`.trim()
}

/** Indents a pasted conversation, so that its lines don't look like turns of others. */
function ownLine(line: string): string {
  return /\d{1,2}:\d{2}/.test(line.slice(0, 160)) && /^[\p{L}\d@[*(-]/u.test(line) ? `> ${line}` : line
}
