import type { SyncTarget } from '../connections/sync-service.ts'

/**
 * What the person should do, as a sentence. Errors of sources carry one word for it (`reauthorize`); anything else is a
 * sentence already.
 */
export function remedySentence(remedy: string, { connector, name }: SyncTarget): string {
  switch (remedy) {
    case 'retry':
      return 'It is tried again at the next run; nothing has to be done.'
    case 'reauthorize':
      return `Give it access again: "recalld connect ${connector} --name ${name}".`
    case 'reconfigure':
      return `Edit \`connectors.${connector}\` (name: ${name}) in config.yaml, or run "recalld connect ${connector} --name ${name}".`
    case 'skip':
      return `It is left out; "recalld retry ${connector}/${name}" has it tried once more.`
    case 'restart':
      return 'The next run reads everything again and compares; nothing has to be done.'
    default:
      return remedy
  }
}
