/** The lines that the parser writes above the description of a calendar entry, by name, and what is below them. */
export interface EventText {
  readonly when?: string
  readonly where?: string
  readonly with?: string
  readonly description: string
}

const FIELD = /^(When|Due|Where|Organizer|With): (.*)$/

/** Names in the `With` line of an event. */
export function invitedTo(event: EventText): string[] {
  return event.with?.split(/, | and /).filter((name) => name !== '') ?? []
}

export function splitEvent(text: string): EventText {
  const fields: Record<string, string> = {}
  const lines = text.split('\n')
  const description = lines.filter((line) => {
    const [, name, value] = FIELD.exec(line.slice(0, 5_000)) ?? []
    if (name === undefined || value === undefined) return true
    fields[name === 'Due' ? 'when' : name.toLowerCase()] ??= value
    return false
  })
  return { ...fields, description: description.join('\n').trim() }
}
