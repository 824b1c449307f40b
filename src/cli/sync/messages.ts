import { counted } from '../terminal/layout.ts'

/** Messages of `sync` and `retry`. */
export const messages = {
  sync: 'sync your sources now: memorize what is new or changed',
  connectors: 'a connector such as slack, or a connection such as slack/acme (default: all)',
  once: 'run once, then exit (default)',
  full: 'read everything from the beginning and compare; unchanged items stay as they are',
  dryRun: 'show what would be read, without memorizing anything',
  noWait: "don't wait until new items are processed",
  jsonLines: 'print one JSON object per connection, each on its own line',
  help: `
Examples:
  $ recalld sync                         sync everything that is configured and not paused
  $ recalld sync slack github/me         sync all of Slack, and one GitHub connection
  $ recalld sync technical_docs --dry-run
  */30 * * * * recalld sync --once --json >> sync.log      in a crontab, instead of running the service

Exit codes: 0 success; 1 something failed or is incomplete, and the next sync retries it; 2 a connection needs your
attention: access or a setting.`,
  howToExclude: (connection: string) =>
    `To leave out some of ${connection}, list them under its exclude in config.yaml, then run this again.`,
  dryRunEnd: 'This was a dry run: nothing was memorized.',
  stopping: (signal: string) => `${signal}: finishing the items in progress. A second signal stops immediately.`,
  itemsProcessed: 'items processed',
  stoppedWaiting: 'Stopped waiting. Everything read so far is saved. The service or the next sync processes the rest.',
  canBeRecalled: 'The new items can be recalled now.',
  aborted: (notStarted: number) =>
    `Stopped.${notStarted === 0 ? '' : ` ${counted(notStarted, "connection wasn't", "connections weren't")} started.`} Everything read so far is saved. Run this again to continue.`,
  allPaused: (connectors: readonly string[]) =>
    `All configured connectors are paused (${connectors.join(', ')}). Run "recalld sync ${connectors[0]}" to sync one anyway.`,
  nothingConfigured: 'No source is configured yet.',
  needNothing: 'These need no settings:',
  syncOrConnect: 'Sync one now, or connect it so that the service syncs it regularly:',
  needSettings: 'These need a token or settings:',
  settingsIn: (file: string) => `Connector settings are under connectors: in ${file}`,

  // Progress
  waitingFor: (title: string, time: string) => `waiting for ${title} until ${time}`,
  items: (items: number, memorized: number) => `${counted(items, 'item', 'items')}, ${memorized} memorized`,
  failed: (taken: string, failed: number) => `${taken}, ${failed} failed`,
  reading: (partition: string) => `; reading ${partition}`,
  readingOf: (partition: string, number: number, total: number) => `; reading ${partition} (${number} of ${total})`,
  perMinute: (items: number) => `${items} a minute`,
  left: (span: string) => `about ${span} left`,
  recentReady: (days: number) => `last ${days} days ready`,

  // Results
  checkedItems: (items: number) => `${counted(items, 'item', 'items')} checked`,
  memorized: (items: number) => `${items} memorized`,
  unchanged: (items: number) => `${items} unchanged`,
  removed: (items: number) => `${items} removed`,
  failedItems: (items: number) => `${items} failed`,
  settling: (items: number) => `${items} postponed because they just changed`,
  duration: (seconds: string) => `in ${seconds}`,
  requests: (requests: number, seconds: string) => `${counted(requests, 'request', 'requests')} in ${seconds}`,
  waited: (seconds: string) => `, ${seconds} of it waiting`,
  moreFailures: (failures: number, connection: string) =>
    `... and ${failures} more. Run "recalld status" to see them, or "recalld retry ${connection}" to try them again.`,
  continuesAt: (time: string) => `It can continue at ${time}.`,
  note: (warning: string) => `Note: ${warning}`,
  total: 'total',
  secrets: (secrets: string) => `Secrets that would be removed: ${secrets}.`,

  // Failed items
  retry: 'retry failed items; works even when the service is stopped',
  retryConnectors: 'only failures of these, such as slack or slack/acme (default: all)',
  forgotten: 'also bring back items that you deleted from your memory',
  noneFailed: 'No items have failed.',
  queued: (items: number) => `Queued ${counted(items, 'failed item', 'failed items')} again.`,
  readAgain: (items: number) =>
    `The next sync reads ${counted(items, 'item', 'items')} again. Run "recalld sync" to sync now.`,
} as const
