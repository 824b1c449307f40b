/** The lines that the parser writes above the description of a calendar entry, by name, and what is below them. */
export interface EventText {
  readonly when?: string
  readonly where?: string
  readonly with?: string
  /** `every week on Tuesday` */
  readonly repeats?: string
  readonly isCancelled: boolean
  readonly description: string
}

const CANCELLED = /^This (?:event|task) was cancelled\.$/
const FIELD = /^(What|When|Due|Where|Organizer|With): (.*)$/

/** Names in the `With` line of an event. */
export function invitedTo(event: EventText): string[] {
  return event.with?.split(/, | and /).filter((name) => name !== '') ?? []
}

export function splitEvent(text: string): EventText {
  const fields: Record<string, string> = {}
  let isCancelled = false
  const lines = text.split('\n')
  const description = lines.filter((line) => {
    const [, name, value] = FIELD.exec(line.slice(0, 5_000)) ?? []
    if (name === undefined || value === undefined) {
      const repeats = /^Repeats (.{1,300})\.$/.exec(line)?.[1]
      if (repeats !== undefined) fields.repeats ??= repeats
      isCancelled ||= CANCELLED.test(line)
      return repeats === undefined && !CANCELLED.test(line)
    }
    fields[name === 'Due' ? 'when' : name.toLowerCase()] ??= value
    return false
  })
  return { ...fields, isCancelled, description: description.join('\n').trim() }
}
