import type { Command } from 'commander'
import type { ConnectContext } from './connect/connect.ts'

/** Adds one command, or some that belong together, to the program. */
export type AddCommand = (program: Command, context: ConnectContext) => void

/** By name, in the order of the help text. */
const COMMANDS: readonly (readonly [names: readonly string[], load: () => Promise<AddCommand>])[] = [
  [['up'], async () => (await import('./serve/serve.ts')).addUp],
  [['demo'], async () => (await import('./serve/demo.ts')).addDemo],
  [['memorize'], async () => (await import('./memory/memorize.ts')).addMemorize],
  [['recall'], async () => (await import('./memory/recall.ts')).addRecall],
  [['ask'], async () => (await import('./memory/recall.ts')).addAsk],
  [['recent'], async () => (await import('./memory/recall.ts')).addRecent],
  [['profile'], async () => (await import('./memory/profile.ts')).addProfile],
  [['person', 'project', 'place'], async () => (await import('./memory/profile.ts')).addSubjects],
  [['list'], async () => (await import('./memory/items.ts')).addList],
  [['download'], async () => (await import('./memory/items.ts')).addDownload],
  [['tag'], async () => (await import('./memory/items.ts')).addTag],
  [['forget'], async () => (await import('./memory/items.ts')).addForget],
  [['correct'], async () => (await import('./memory/correct.ts')).addCorrect],
  [['pin'], async () => (await import('./memory/correct.ts')).addPin],
  [['connect'], async () => (await import('./connect/connect.ts')).addConnect],
  [['sync'], async () => (await import('./sync/sync.ts')).addSync],
  [['photos'], async () => (await import('./connect/photos.ts')).addPhotos],
  [['create-connector'], async () => (await import('./connect/create-connector.ts')).addCreateConnector],
  [['install-agent', 'install-mcp'], async () => (await import('./install/install-agent.ts')).addInstallAgent],
  [['hook'], async () => (await import('./install/hook-status.ts')).addHook],
  [['install-service'], async () => (await import('./install/install-service.ts')).addInstallService],
  [['status'], async () => (await import('./health/status.ts')).addStatus],
  [['retry'], async () => (await import('./sync/retry.ts')).addRetry],
  [['golden'], async () => (await import('./memory/golden.ts')).addGolden],
  [['reindex'], async () => (await import('./memory/reindex.ts')).addReindex],
  [['models'], async () => (await import('./memory/models.ts')).addModels],
  [['refine'], async () => (await import('./memory/refine.ts')).addRefine],
  [['mcp'], async () => (await import('./serve/serve.ts')).addMcp],
  [['doctor'], async () => (await import('./health/doctor.ts')).addDoctor],
  [['keys'], async () => (await import('./administration/keys.ts')).addKeys],
  [['accounts'], async () => (await import('./administration/accounts.ts')).addAccounts],
  [['people'], async () => (await import('./administration/people.ts')).addPeople],
  [['billing'], async () => (await import('./administration/billing.ts')).addBilling],
  [['activity'], async () => (await import('./administration/activity.ts')).addActivity],
  [['retention'], async () => (await import('./administration/retention.ts')).addRetention],
  [['backup'], async () => (await import('./administration/backup.ts')).addBackup],
  [['restore'], async () => (await import('./administration/backup.ts')).addRestore],
  [['migrate-store'], async () => (await import('./administration/migrate-store.ts')).addMigrateStore],
  [['blobs'], async () => (await import('./administration/blobs.ts')).addBlobs],
]

/** Adds the command that a command line runs, or all where it names none of them: loading all takes as long as running one. */
export async function loadCommands(argv: readonly string[]): Promise<AddCommand[]> {
  const name = firstWord(argv)
  const named = COMMANDS.filter(([names]) => name !== undefined && names.includes(name))
  const needed = named.length > 0 ? named : COMMANDS
  return Promise.all(needed.map(([, load]) => load()))
}

/** The first word that is neither an option of the program nor its value. */
function firstWord(argv: readonly string[]): string | undefined {
  const [first, value, ...rest] = argv
  if (first === '--home' && value !== undefined) return firstWord(rest)
  if (first?.startsWith('--home=')) return firstWord(argv.slice(1))
  return first
}
