import { rmSync } from 'node:fs'
import { connectionEntryIn, withoutConnectionEntry } from '../config/connection-entry.ts'
import { actorOf } from '../service/activity.ts'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import { forgetConnection } from '../sync/forget-connection.ts'
import { tokenFileOf } from './candidate-connection.ts'
import { readSettings } from './change-sources.ts'
import { grantUsesNow } from './grant-views.ts'
import { homeOf, idOf, type SourcesContext, type SourcesHome } from './sources-context.ts'
import type { ConnectionId, SourcesService } from './sources-contract.ts'

/**
 * Removing a connection. Its entry goes first, so that no process reads it again while it is being forgotten. Until
 * everything is gone the ledger knows it, with a mark: whoever was cut off removes it once more.
 *
 * @param show a connection as it is now
 */
export function sourceRemovals(
  context: SourcesContext,
  show: SourcesService['connection'],
): Pick<SourcesService, 'remove'> {
  return {
    async remove(viewer, ref, { forget, revoke }) {
      const home = await homeOf(context, viewer)
      const { access } = await show(viewer, ref)
      const wasConfigured = await context.inTurn(() => takeOut(context, ref))
      const { ledger } = home.environment
      // What was taken out before, or brought nothing, has nothing to be listed for.
      const isDone = !wasConfigured || (await ledger.countItems(ref)).length === 0
      const forgotten = forget ? await forgetAll(context, home, ref) : 0
      if (!forget) await endRemoval(ledger, ref)
      if (!forget && isDone) await ledger.removeConnection(ref)
      const { principal } = viewer
      const entry = { kind: 'source_disconnected', connection: idOf(ref), ...(forget && { forgotten }) } as const
      context.service.activity.note(principal.accountId, actorOf(principal), entry)
      const revoked = revoke && access.grant !== null && (await revokeUnused(context, home, access.grant.id))
      await context.tell()
      return { forgotten, revoked }
    },
  }
}

async function revokeUnused(context: SourcesContext, home: SourcesHome, grant: string): Promise<boolean> {
  const uses = await grantUsesNow(context, home)
  if (uses.some((use) => use.grant.id === grant && use.connections.length > 0)) return false
  await home.grants.revoke(grant, context.stopping)
  return true
}

/** Out of config.yaml, with the token that was kept for it; its run is ended. `false`: it was not there. */
async function takeOut(context: SourcesContext, ref: ConnectionId): Promise<boolean> {
  const before = context.settings.read()
  const { fileName } = context.settings
  const wasConfigured = connectionEntryIn(before.text, ref, fileName) !== undefined
  const after = withoutConnectionEntry(before.text, ref, fileName)
  if (wasConfigured) {
    readSettings(context)
    context.settings.write(before, after)
  }
  // Also when it was cut off before this; but another connection may be read with it.
  const tokenFile = tokenFileOf(context, ref)
  if (!after.includes(tokenFile)) rmSync(tokenFile, { force: true })
  if (wasConfigured) await context.reload()
  return wasConfigured
}

async function forgetAll(context: SourcesContext, { environment }: SourcesHome, ref: ConnectionId): Promise<number> {
  const { ledger } = environment
  await ledger.writeFact(removalFact(ref), environment.clock().toISOString())
  await context.tell()
  let toldAt = performance.now()
  const forgotten = await forgetConnection(ref, environment, {
    signal: context.stopping,
    onProgress: () => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return
      toldAt = performance.now()
      void context.tell()
    },
  })
  await endRemoval(ledger, ref)
  return forgotten
}

const TELL_EVERY_MS = 1_000

/** Of the ledger: not empty while what came by a connection is being forgotten. */
export function removalFact({ connector, name }: ConnectionName): string {
  return `removing ${connector}/${name}`
}

/** It is through, or was thought better of. */
export async function endRemoval(ledger: Ledger, ref: ConnectionName): Promise<void> {
  const fact = removalFact(ref)
  if (await ledger.readFact(fact)) await ledger.writeFact(fact, '')
}
