import { accountCommands } from './accounts/account-writes.ts'
import { activityCommands } from './activity/activity-writes.ts'
import { authorizationCommands } from './authorizations/authorization-writes.ts'
import { bodyCommands } from './bodies/body-writes.ts'
import { taskCommands } from './daily-tasks.ts'
import { identityCommands } from './database-identity.ts'
import { deletionCommands } from './deletions/deletion-writes.ts'
import { editCommands } from './edits/edit-writes.ts'
import type { WriteContext } from './engine.ts'
import { goldenCommands } from './golden/golden-writes.ts'
import { grantCommands } from './grants/grant-writes.ts'
import { itemCommands } from './items/item-writes.ts'
import { connectionCommands } from './ledger/connection-writes.ts'
import { ledgerCommands } from './ledger/ledger-writes.ts'
import { nameCommands } from './names/name-writes.ts'
import { personCommands } from './people/person-writes.ts'
import { signInCommands } from './people/sign-in-writes.ts'
import { completionCommands } from './queue/complete-item.ts'
import { queueCommands } from './queue/queue-writes.ts'
import { refinementQueueCommands } from './refinements/refinement-queue.ts'
import { refinementCommands } from './refinements/refinement-writes.ts'
import { indexCommands } from './search/index-writes.ts'
import { spaceCommands } from './spaces/space-writes.ts'
import { tagCommands } from './tags/tag-writes.ts'

/** All write commands by name: each call is one commit, completely or not at all. */
export const WRITE_COMMANDS = {
  ...accountCommands,
  ...activityCommands,
  ...authorizationCommands,
  ...bodyCommands,
  ...deletionCommands,
  ...editCommands,
  ...goldenCommands,
  ...grantCommands,
  ...itemCommands,
  ...connectionCommands,
  ...ledgerCommands,
  ...nameCommands,
  ...personCommands,
  ...signInCommands,
  ...queueCommands,
  ...completionCommands,
  ...refinementQueueCommands,
  ...refinementCommands,
  ...indexCommands,
  ...spaceCommands,
  ...tagCommands,
  ...taskCommands,
  ...identityCommands,
  /** Checks that the database is writable. */
  ping: ({ db, engine }: WriteContext) => engine.probe(db),
} as const

export type CommandName = keyof typeof WRITE_COMMANDS

export type CommandArguments<Name extends CommandName> =
  Parameters<(typeof WRITE_COMMANDS)[Name]> extends [WriteContext, ...infer Rest] ? Rest : []

export type CommandResult<Name extends CommandName> = Awaited<ReturnType<(typeof WRITE_COMMANDS)[Name]>>

/** Runs write commands: on SQLite on a separate thread, on PostgreSQL each in its own transaction. */
export interface WriteCommandRunner {
  /**
   * Resolves when the command is durable; rejects when it had no effect, or with `unavailable` when that is unknown.
   */
  call<Name extends CommandName>(name: Name, ...parameters: CommandArguments<Name>): Promise<CommandResult<Name>>
  /** Like `call`, and transfers these buffers: the caller can no longer read them. */
  callWith<Name extends CommandName>(
    transfer: readonly ArrayBuffer[],
    name: Name,
    ...parameters: CommandArguments<Name>
  ): Promise<CommandResult<Name>>
}
