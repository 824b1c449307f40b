import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { connectionEntryIn, withoutConnectionEntry } from '../config/connection-entry.ts'
import { prepareHome } from '../config/home-folder.ts'
import { AppError } from '../domain/errors.ts'
import type { ConnectRequest, RemoveAnswer } from '../http/app/schemas/sources.ts'
import { writePrivateFile } from '../lib/files.ts'
import { actorOf } from '../service/activity.ts'
import type { Viewer } from '../service/principal.ts'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import { forgetConnection } from '../sync/forget-connection.ts'
import {
  candidateConnection,
  checkCandidate,
  requireConnector,
  requireToken,
  tokenFileOf,
} from './candidate-connection.ts'
import { grantUsesNow } from './grant-views.ts'
import { givenSettings } from './setting-fields.ts'
import type { SettingsText } from './source-settings.ts'
import { homeOf, idOf, isOf, type SourcesContext, type SourcesHome } from './sources-context.ts'
import type { ConnectionId, SourcesService } from './sources-contract.ts'

/** Settings of the schedule, which do not affect what is read, so the source need not be checked. */
const OF_RUNS = ['schedule', 'paused']

type Changes = Pick<SourcesService, 'check' | 'connect' | 'change' | 'remove'>

/** @param show the current state of a connection */
export function sourceChanges(context: SourcesContext, show: SourcesService['connection']): Changes {
  /** A check ends with its request, or with the service. */
  const ending = (signal: AbortSignal) => AbortSignal.any([signal, context.stopping])
  const candidateOf = (before: SettingsText, ref: ConnectionId, settings: Record<string, unknown>, token?: string) =>
    candidateConnection(context, before.text, { ref, settings, ...(token && { token }) })
  return {
    async check(viewer, request, signal) {
      const { account, warnings } = await checkedCandidate(context, viewer, { request, signal: ending(signal) })
      return { account, warnings: [...warnings] }
    },
    connect(viewer, request, signal) {
      const ref = { connector: request.connector, name: request.name }
      return context.serialize(async () => {
        const { environment, writing, account, warnings } = await checkedCandidate(context, viewer, {
          request,
          signal: ending(signal),
        })
        await store(context, writing)
        await endRemoval(environment.ledger, ref)
        note(context, viewer, 'source_connected', ref)
        await context.runSoon(ref, { full: false })
        return { connection: await show(viewer, ref), account, warnings: [...warnings] }
      })
    },
    change(viewer, ref, request, signal) {
      return context.serialize(async () => {
        const { environment } = await homeOf(context, viewer)
        const before = readSettings(context)
        const { manifest } = await requireConnector(context, ref.connector)
        const entry = connectionEntryIn(before.text, ref, context.settings.fileName)
        if (entry === undefined) throw notConfigured(ref)
        const token = request.token === undefined ? undefined : requireToken(request.token, manifest)
        const settings = givenSettings(manifest, request.settings ?? {})
        const tokenFile = tokenFileOf(context, ref)
        const all = { ...settings, ...(token !== undefined && { token_file: tokenFile, token: null }) }
        if (Object.keys(all).length === 0) return show(viewer, ref)
        const candidate = await candidateOf(before, ref, all, token)
        const isOfRuns = Object.keys(all).every((name) => OF_RUNS.includes(name))
        if (!isOfRuns) await checkCandidate(candidate, environment, ending(signal))
        await store(context, { before, text: candidate.text, tokenFile, token })
        note(context, viewer, changeKind(entry, candidate.connection.config.paused), ref)
        if (token !== undefined) await context.runSoon(ref, { full: false, again: true })
        return show(viewer, ref)
      })
    },
    async remove(viewer, ref, options) {
      const { access } = await show(viewer, ref)
      return removeSource(context, viewer, ref, { ...options, grant: access.grant?.id })
    },
  }
}

interface Asked {
  readonly request: ConnectRequest
  readonly signal: AbortSignal
}

/** A new connection whose name is free and whose source does not refuse it; nothing is saved yet. */
async function checkedCandidate(context: SourcesContext, viewer: Viewer, { request, signal }: Asked) {
  const { connector: id, name, token: given, settings: asked = {} } = request
  const ref = { connector: id, name }
  const { environment } = await homeOf(context, viewer)
  const before = readSettings(context)
  const { manifest } = await requireConnector(context, id)
  await requireFree(context, before, ref)
  const token = given === undefined ? undefined : requireToken(given, manifest)
  if (token !== undefined && manifest.auth === 'none') {
    throw new AppError('invalid', `${manifest.title} doesn't use a token.`, { field: 'token' })
  }
  const tokenFile = tokenFileOf(context, ref)
  const settings = { ...givenSettings(manifest, asked), ...(token !== undefined && { token_file: tokenFile }) }
  const candidate = await candidateConnection(context, before.text, { ref, settings, ...(token && { token }) })
  const { account, warnings } = await checkCandidate(candidate, environment, signal)
  return { environment, writing: { before, text: candidate.text, tokenFile, token }, account, warnings }
}

function changeKind(entry: Readonly<Record<string, unknown>>, paused = false) {
  if ((entry.paused === true) === paused) return 'source_changed'
  return paused ? 'source_paused' : 'source_resumed'
}

/** @throws AppError when config.yaml cannot be read or written */
function readSettings({ settings }: SourcesContext): SettingsText {
  const why = settings.lockedReason()
  if (why !== undefined) throw new AppError('conflict', why)
  return settings.read()
}

async function requireFree({ settings }: SourcesContext, { text }: SettingsText, ref: ConnectionId): Promise<void> {
  const { connections, wrong } = await settings.connectionsIn(text)
  const names = [
    ...connections.map(({ connector, config }) => ({ connector: connector.manifest.id, name: config.name })),
  ]
  if (![...names, ...wrong].some((one) => isOf(one, ref))) return
  throw new AppError('conflict', `A connection ${idOf(ref)} already exists. Choose another name.`, {
    field: 'name',
  })
}

export function notConfigured(ref: ConnectionId): AppError {
  return new AppError('not_found', `Connection ${idOf(ref)} doesn't exist.`)
}

interface Writing {
  readonly before: SettingsText
  readonly text: string
  readonly tokenFile: string
  readonly token: string | undefined
}

/** Writes token and config.yaml, or neither; then reloads config.yaml. */
async function store(context: SourcesContext, { before, text, tokenFile, token }: Writing): Promise<void> {
  const known = existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8') : undefined
  if (token !== undefined) {
    prepareHome(context.files.home)
    mkdirSync(dirname(tokenFile), { recursive: true, mode: 0o700 })
    writePrivateFile(tokenFile, `${token}\n`)
  }
  try {
    if (text !== before.found) context.settings.write(before, text)
  } catch (error) {
    if (token !== undefined && known === undefined) rmSync(tokenFile, { force: true })
    else if (token !== undefined && known !== undefined) writePrivateFile(tokenFile, known)
    throw error
  }
  await context.reload()
  await context.imports.dropUnnamed(before.text, text)
}

function note(
  { service }: SourcesContext,
  { principal }: Viewer,
  kind: 'source_connected' | 'source_changed' | 'source_paused' | 'source_resumed',
  ref: ConnectionId,
): void {
  service.activity.note(principal.accountId, actorOf(principal), { kind, connection: idOf(ref) })
}

async function removeSource(
  context: SourcesContext,
  viewer: Viewer,
  ref: ConnectionId,
  { forget, revoke, grant }: { readonly forget: boolean; readonly revoke: boolean; readonly grant: string | undefined },
): Promise<RemoveAnswer> {
  const home = await homeOf(context, viewer)
  // The entry is removed first, so that no process syncs the connection while its items are being deleted.
  const wasConfigured = await context.serialize(() => takeOut(context, ref))
  const { ledger } = home.environment
  // A connection without an entry or items is not listed.
  const isDone = !wasConfigured || (await ledger.countItems(ref)).length === 0
  const forgotten = forget ? await forgetAll(context, home, ref) : 0
  if (!forget) await endRemoval(ledger, ref)
  if (!forget && isDone) await ledger.removeConnection(ref)
  const { principal } = viewer
  const entry = { kind: 'source_disconnected', connection: idOf(ref), ...(forget && { forgotten }) } as const
  context.service.activity.note(principal.accountId, actorOf(principal), entry)
  const revoked = revoke && grant !== undefined && (await revokeUnused(context, home, grant))
  await context.publish()
  return { forgotten, revoked }
}

async function revokeUnused(context: SourcesContext, home: SourcesHome, grant: string): Promise<boolean> {
  const uses = await grantUsesNow(context, home)
  if (uses.some((use) => use.grant.id === grant && use.connections.length > 0)) return false
  await home.grants.revoke(grant, context.stopping)
  return true
}

/** Removes the entry and token file of a connection, and ends its run. `false`: it had no entry. */
async function takeOut(context: SourcesContext, ref: ConnectionId): Promise<boolean> {
  const before = context.settings.read()
  const { fileName } = context.settings
  const wasConfigured = connectionEntryIn(before.text, ref, fileName) !== undefined
  const after = withoutConnectionEntry(before.text, ref, fileName)
  if (wasConfigured) {
    readSettings(context)
    context.settings.write(before, after)
  }
  // Also after an interrupted removal; but another connection may use the same file.
  const tokenFile = tokenFileOf(context, ref)
  if (!after.includes(tokenFile)) rmSync(tokenFile, { force: true })
  if (wasConfigured) await context.reload()
  await context.imports.dropUnnamed(before.text, after)
  return wasConfigured
}

async function forgetAll(context: SourcesContext, { environment }: SourcesHome, ref: ConnectionId): Promise<number> {
  const { ledger } = environment
  await ledger.writeFact(removalFact(ref), environment.clock().toISOString())
  await context.publish()
  let publishedAt = performance.now()
  const forgotten = await forgetConnection(ref, environment, {
    signal: context.stopping,
    onProgress: () => {
      if (performance.now() - publishedAt < PUBLISH_EVERY_MS) return
      publishedAt = performance.now()
      void context.publish()
    },
  })
  await endRemoval(ledger, ref)
  return forgotten
}

const PUBLISH_EVERY_MS = 1_000

/**
 * The ledger fact that is set while the items of a connection are being deleted; an interrupted removal can be
 * repeated.
 */
export function removalFact({ connector, name }: ConnectionName): string {
  return `removing ${connector}/${name}`
}

/** Clears the mark of a removal that is complete or was reverted. */
export async function endRemoval(ledger: Ledger, ref: ConnectionName): Promise<void> {
  const fact = removalFact(ref)
  if (await ledger.readFact(fact)) await ledger.writeFact(fact, '')
}
