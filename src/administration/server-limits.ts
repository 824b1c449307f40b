import { fileKey } from '../config/setting.ts'
import { type Config, SETTINGS } from '../config.ts'
import type { Limit } from '../http/app/schemas/settings.ts'
import { KEYS_PER_ACCOUNT } from '../service/keys.ts'
import { MAX_RECALL_LIMIT, QUERY_MAX_CHARACTERS } from '../service/recall.ts'
import { PDF_LIMIT_BYTES, TEXT_LIMIT_BYTES } from '../service/upload-checks.ts'
import { type ConnectionRetention, limitedSources } from '../sync/forget-expired.ts'

/** How much this server takes and gives, and the setting that changes it. */
export function serverLimits(config: Config, connections: readonly ConnectionRetention[]): Limit[] {
  const setting = (name: Limited, title: string, unit: Limit['unit']): Limit => {
    return { title, unit, value: config[name], setting: fileKey(name), about: SETTINGS[name].describe }
  }
  const fixed = (title: string, value: number, unit: Limit['unit'], about: string): Limit => {
    return { title, unit, value, setting: null, about }
  }
  return [
    setting('rateLimitPerMinute', 'Requests in a minute', 'requests'),
    setting('maxConcurrentAsks', 'Questions at a time', 'questions'),
    setting('maxConcurrentSearches', 'Searches at a time', 'searches'),
    setting('maxUploadsWaitingPerAccount', 'Waiting uploads of an account', 'uploads'),
    setting('maxUploadsWaiting', 'Waiting uploads of all accounts', 'uploads'),
    setting('maxConcurrentUploads', 'Large uploads at a time', 'uploads'),
    setting('pipelineThreads', 'Threads that make memories', 'threads'),
    setting('activityDays', 'Activity is kept for', 'days'),
    setting('auditDays', 'Acts of administration are kept for', 'days'),
    ...limitedSources(config.retention).map(
      ([source, value]): Limit => ({
        title: `Items of ${source} are kept for`,
        ...{ value, unit: 'days', setting: 'retention' },
        about: 'What is older is forgotten once a day, and connectors leave it out.',
      }),
    ),
    ...connections.map(
      ({ connection, days }): Limit => ({
        title: `What ${connection} brings is kept for`,
        ...{ value: days, unit: 'days', setting: 'retention_days' },
        about: 'Wins over the limit of its source, if there is one.',
      }),
    ),
    fixed('Size of a text file', TEXT_LIMIT_BYTES, 'bytes', 'The largest upload that is not a PDF.'),
    fixed('Size of a PDF', PDF_LIMIT_BYTES, 'bytes', 'The largest PDF.'),
    fixed('Length of a question', QUERY_MAX_CHARACTERS, 'characters', 'The longest text to recall or ask by.'),
    fixed('Results of a recall', MAX_RECALL_LIMIT, 'results', 'The most memories that one recall may ask for.'),
    fixed('Keys of an account', KEYS_PER_ACCOUNT, 'keys', 'The default key counts.'),
  ]
}

/** Settings that are numbers. */
type Limited = {
  [Name in keyof typeof SETTINGS]: Name extends keyof Config ? (Config[Name] extends number ? Name : never) : never
}[keyof typeof SETTINGS]
