import type { Command } from 'commander'
import { messages as administration } from './administration/messages.ts'
import type { ConnectContext } from './connect/connect.ts'
import { messages as connect } from './connect/messages.ts'
import { messages as health } from './health/messages.ts'
import { messages as install } from './install/messages.ts'
import { messages as memory } from './memory/messages.ts'
import { messages } from './messages.ts'
import { messages as serve } from './serve/messages.ts'
import { messages as sync } from './sync/messages.ts'

/** Adds one command, or some that belong together, to the program. */
export type AddCommand = (program: Command, context: ConnectContext) => void

/** A command as the help of the program lists it, so that the help loads none. */
type ListedCommand = readonly [names: string, usage: string, summary: string, load: () => Promise<AddCommand>]

/** In the order of the help text, by heading. */
const GROUPS: readonly (readonly [heading: string, commands: readonly ListedCommand[]])[] = [
  [
    messages.groups.start,
    [
      ['up', '[options]', serve.up, async () => (await import('./serve/serve.ts')).addUp],
      ['demo', '', serve.demo, async () => (await import('./serve/demo.ts')).addDemo],
      [
        'install-service',
        '[options]',
        install.installService,
        async () => (await import('./install/install-service.ts')).addInstallService,
      ],
      ['status', '[options]', health.status, async () => (await import('./health/status.ts')).addStatus],
      ['doctor', '[options]', health.doctor, async () => (await import('./health/doctor.ts')).addDoctor],
      ['alerts', '[options]', health.alerts, async () => (await import('./health/alerts.ts')).addAlerts],
    ],
  ],
  [
    messages.groups.ask,
    [
      ['ask', '[options] <question...>', memory.ask, async () => (await import('./memory/recall.ts')).addAsk],
      ['recall', '[options] <query...>', memory.recall, async () => (await import('./memory/recall.ts')).addRecall],
      ['recent', '[options]', memory.recent, async () => (await import('./memory/recall.ts')).addRecent],
      ['profile', '[options]', memory.profile, async () => (await import('./memory/profile.ts')).addProfile],
      [
        'person',
        '[options] [name...]',
        memory.aboutPerson,
        async () => (await import('./memory/profile.ts')).addSubjects,
      ],
      [
        'project',
        '[options] [name...]',
        memory.aboutProject,
        async () => (await import('./memory/profile.ts')).addSubjects,
      ],
      [
        'place',
        '[options] [name...]',
        memory.aboutPlace,
        async () => (await import('./memory/profile.ts')).addSubjects,
      ],
    ],
  ],
  [
    messages.groups.keep,
    [
      [
        'memorize',
        '[options] <file...>',
        memory.memorize,
        async () => (await import('./memory/memorize.ts')).addMemorize,
      ],
      ['list', '[options]', memory.list, async () => (await import('./memory/items.ts')).addList],
      ['download', '[options] <item-id>', memory.download, async () => (await import('./memory/items.ts')).addDownload],
      ['tag', '[options] <item-id> [tag...]', memory.tag, async () => (await import('./memory/items.ts')).addTag],
      [
        'correct',
        '[options] <memory> [text...]',
        memory.statements.correct.about,
        async () => (await import('./memory/correct.ts')).addCorrect,
      ],
      [
        'note',
        '[options] <memory> [text...]',
        memory.statements.note.about,
        async () => (await import('./memory/correct.ts')).addNote,
      ],
      ['pin', '[options] <memory>', memory.marks.pin.about, async () => (await import('./memory/correct.ts')).addPin],
      [
        'hide',
        '[options] <memory>',
        memory.marks.hide.about,
        async () => (await import('./memory/correct.ts')).addHide,
      ],
      ['edits', '[options]', memory.edits, async () => (await import('./memory/edits.ts')).addEdits],
      ['forget', '[options] <item-id>', memory.forget, async () => (await import('./memory/items.ts')).addForget],
    ],
  ],
  [
    messages.groups.sources,
    [
      [
        'connect',
        '[options] [provider]',
        connect.connect,
        async () => (await import('./connect/connect.ts')).addConnect,
      ],
      ['sync', '[options] [connector...]', sync.sync, async () => (await import('./sync/sync.ts')).addSync],
      ['retry', '[options] [connector...]', sync.retry, async () => (await import('./sync/retry.ts')).addRetry],
      ['photos', '', connect.photos, async () => (await import('./connect/photos.ts')).addPhotos],
      [
        'create-connector',
        '<name> [folder]',
        connect.createConnector,
        async () => (await import('./connect/create-connector.ts')).addCreateConnector,
      ],
    ],
  ],
  [
    messages.groups.agents,
    [
      [
        'install-agent|install-mcp',
        '[options] <host>',
        install.installAgent,
        async () => (await import('./install/install-agent.ts')).addInstallAgent,
      ],
      ['mcp', '', serve.mcp, async () => (await import('./serve/serve.ts')).addMcp],
      ['hook', '[event]', install.hook, async () => (await import('./install/hook-status.ts')).addHook],
    ],
  ],
  [
    messages.groups.models,
    [
      ['models', '', memory.models, async () => (await import('./memory/models.ts')).addModels],
      ['reindex', '[options]', memory.reindex, async () => (await import('./memory/reindex.ts')).addReindex],
      ['refine', '[options]', memory.refine, async () => (await import('./memory/refine.ts')).addRefine],
      ['golden', '', memory.golden, async () => (await import('./memory/golden.ts')).addGolden],
    ],
  ],
  [
    messages.groups.administration,
    [
      ['keys', '', administration.keys, async () => (await import('./administration/keys.ts')).addKeys],
      ['accounts', '', administration.accounts, async () => (await import('./administration/accounts.ts')).addAccounts],
      ['people', '', administration.people, async () => (await import('./administration/people.ts')).addPeople],
      ['billing', '', administration.billing, async () => (await import('./administration/billing.ts')).addBilling],
      [
        'activity',
        '[options]',
        administration.activity,
        async () => (await import('./administration/activity.ts')).addActivity,
      ],
      [
        'retention',
        '[options]',
        administration.retention,
        async () => (await import('./administration/retention.ts')).addRetention,
      ],
      [
        'backup',
        '[options] <file>',
        administration.backup,
        async () => (await import('./administration/backup.ts')).addBackup,
      ],
      [
        'restore',
        '[options] <file>',
        administration.restore,
        async () => (await import('./administration/backup.ts')).addRestore,
      ],
      [
        'migrate-store',
        '[options]',
        administration.migrateStore,
        async () => (await import('./administration/migrate-store.ts')).addMigrateStore,
      ],
      ['blobs', '', administration.blobs, async () => (await import('./administration/blobs.ts')).addBlobs],
    ],
  ],
]

export const COMMANDS: readonly ListedCommand[] = GROUPS.flatMap(([, commands]) => commands)

/** What adds the command that a command line runs or asks about; `undefined` where it names none. */
export async function loadCommand(argv: readonly string[]): Promise<AddCommand | undefined> {
  const name = wantedCommand(argv)
  return COMMANDS.find(([names]) => name !== undefined && names.split('|').includes(name))?.[3]()
}

/** Lists all commands, without loading them: that takes longer than most of them run. */
export function listCommands(program: Command): void {
  const terms = new Map<string, string>()
  program.commandsGroup(messages.groups.start).helpCommand('help [command]')
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading)
    for (const [names, usage, summary] of commands) {
      const [name = '', ...aliases] = names.split('|')
      program.command(name).aliases(aliases).description(summary)
      terms.set(name, `${names} ${usage}`.trim())
    }
  }
  const shown = program.createHelp()
  program.configureHelp({ subcommandTerm: (command) => terms.get(command.name()) ?? shown.subcommandTerm(command) })
}

/** The first word that is neither an option of the program nor its value; behind `help`, the word that it is about. */
function wantedCommand(argv: readonly string[]): string | undefined {
  const [first, value, ...rest] = argv
  if (first === '--home' && value !== undefined) return wantedCommand(rest)
  if (first === '--' || first === 'help' || first?.startsWith('--home=')) return wantedCommand(argv.slice(1))
  return first
}
