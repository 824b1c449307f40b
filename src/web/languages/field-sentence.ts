import { uiMessages } from '../ui/messages.ts'
import { serviceSentence } from './catalog.ts'

const LABELS: Readonly<Record<string, string>> = { ...uiMessages.settingLabels, ...uiMessages.fieldLabels }

/** The label of a field: `Private channels` for `private_channels`, unless the catalog has one. */
export function fieldLabel(name: string): string {
  return LABELS[name] ?? wordsOf(name)
}

/** A name as words: `Private channels` for `private_channels`. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What the service says of a field, with the label of that in a form instead of its name. */
export function fieldSentence(field: string, message: string): string {
  const name = field.split('.').at(-1) ?? field
  const said = [`${field} `, `${name} `].find((start) => message.startsWith(start))
  const predicate = said === undefined ? message : message.slice(said.length)
  if (!/^(?:must|is) /.test(predicate)) return serviceSentence(message)
  const whole = `${fieldLabel(name)} ${predicate}`
  const shown = serviceSentence(whole)
  return shown === whole && !/[.?]$/.test(whole) ? `${whole}.` : shown
}
