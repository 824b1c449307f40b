/** A passage as an agent sees it. */
export interface SeenPassage {
  readonly handle: string
  /** Behind the handle: source, time and facts; empty of a further passage of the same item and minute. */
  readonly head: string
  readonly text: string
}

export interface SeenResult {
  /** Of the fence; `undefined` when nothing is quoted. */
  readonly fence: string | undefined
  readonly passages: readonly SeenPassage[]
  /** Sentences below the fence. */
  readonly notes: readonly string[]
}

const RESULT = /^(?:<recalled:([a-z0-9]{8,64})>\n([\s\S]*)\n<\/recalled:\1>\n)?([\s\S]*)$/
const MARK = /^\[(r\d[\d.-]*|[a-z_-]+\/[^\]\s]+)\](?: (.*))?$/

/** The parts of what `recall` and `open` answer with; throws when it has another form. */
export function readRecalled(answered: string): SeenResult {
  const [, fence, inner = '', notes = ''] = RESULT.exec(answered) ?? []
  const passages: { handle: string; head: string; lines: string[] }[] = []
  for (const line of inner === '' ? [] : inner.split('\n')) {
    const [, handle, head = ''] = MARK.exec(line) ?? []
    if (handle !== undefined) passages.push({ handle, head, lines: [] })
    else if (passages.length === 0) throw new Error(`there is no passage above ${JSON.stringify(line)}`)
    else passages.at(-1)?.lines.push(line)
  }
  return {
    fence,
    passages: passages.map(({ handle, head, lines }) => ({ handle, head, text: lines.join('\n').trim() })),
    notes: notes.split('\n').filter((note) => note !== ''),
  }
}
