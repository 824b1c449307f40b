import type { Field } from '../../../http/app/schemas/sources.ts'

const LABELS: Readonly<Record<string, string>> = {
  since: 'From this day on',
  include: 'Only these',
  exclude: 'Leave out',
  paths: 'Folders',
  path: 'Folder',
  urls: 'Addresses of the feeds',
  api_url: 'Address of the API',
  max_mb: 'Largest file, in MB',
  tool_output_kb: 'Output of tools, in KB',
  takeout: 'Folder of Google Takeout',
  service_account_file: 'File of a service account',
  subject: 'Person that a service account reads for',
  relist_days: 'Days that are compared at each run',
}

/** A setting, for people: `Private channels` for `private_channels`. */
export function fieldLabel(name: string): string {
  return LABELS[name] ?? choiceLabel(name)
}

/** One of the choices of a setting, likewise. */
export function choiceLabel(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LIST = /\[("[^\]]*")\]/g

/** What a setting is for: its description speaks of how config.yaml is written, a form has switches and lines instead. */
export function fieldAbout({ about, kind, options = [] }: Pick<Field, 'about' | 'kind' | 'options'>): string {
  const inLines = about.replaceAll(LIST, (_, entries: string) => entries.replaceAll('"', '`'))
  if (kind === 'boolean') return inLines.replaceAll('`true`:', 'On:').replaceAll('`false`:', 'Off:')
  return options.reduce((text, option) => text.replaceAll(`\`${option}\`:`, `${choiceLabel(option)}:`), inLines)
}
