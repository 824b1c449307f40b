import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { connectionEntryIn } from '../config/connection-entry.ts'
import { prepareHome } from '../config/home-folder.ts'
import { writePrivateFile } from '../config/private-file.ts'
import { AppError } from '../domain/errors.ts'
import { actorOf } from '../service/activity.ts'
import type { Viewer } from '../service/principal.ts'
import {
  candidateConnection,
  checkCandidate,
  requireConnector,
  requireToken,
  tokenFileOf,
} from './candidate-connection.ts'
import { endRemoval } from './remove-source.ts'
import { givenSettings } from './setting-fields.ts'
import type { SettingsText } from './source-settings.ts'
import { homeOf, idOf, isOf, type SourcesContext } from './sources-context.ts'
import type { ConnectionId, SourcesService } from './sources-contract.ts'

/** Settings that say when it runs, not what is read: the source need not be asked. */
const OF_RUNS = ['schedule', 'paused']

type Changes = Pick<SourcesService, 'connect' | 'change'>

/** @param show a connection as it is now */
export function sourceChanges(context: SourcesContext, show: SourcesService['connection']): Changes {
  /** Nobody waits for a source when the service ends. */
  const ending = (signal: AbortSignal) => AbortSignal.any([signal, context.stopping])
  return {
    connect(viewer, request, signal) {
      const { connector: id, name, token: given, settings: asked = {} } = request
      const ref = { connector: id, name }
      return context.inTurn(async () => {
        const { environment } = await homeOf(context, viewer)
        const before = readSettings(context)
        const { manifest } = await requireConnector(context, id)
        await requireFree(context, before, ref)
        const token = given === undefined ? undefined : requireToken(given)
        if (token !== undefined && manifest.auth === 'none') {
          throw new AppError('invalid', `${manifest.title} needs no token.`, { field: 'token' })
        }
        const settings = givenSettings(manifest, asked)
        const tokenFile = tokenFileOf(context, ref)
        const all = { ...settings, ...(token !== undefined && { token_file: tokenFile }) }
        const candidate = await candidateConnection(context, before.text, {
          ref,
          settings: all,
          ...(token && { token }),
        })
        const { account, warnings } = await checkCandidate(candidate, environment, ending(signal))
        await store(context, { before, text: candidate.text, tokenFile, token })
        await endRemoval(environment.ledger, ref)
        note(context, viewer, 'source_connected', ref)
        await context.runSoon(ref, { full: false })
        return { connection: await show(viewer, ref), account, warnings: [...warnings] }
      })
    },
    change(viewer, ref, request, signal) {
      return context.inTurn(async () => {
        const { environment } = await homeOf(context, viewer)
        const before = readSettings(context)
        const { manifest } = await requireConnector(context, ref.connector)
        const entry = connectionEntryIn(before.text, ref, context.settings.fileName)
        if (entry === undefined) throw notConfigured(ref)
        const token = request.token === undefined ? undefined : requireToken(request.token)
        const settings = givenSettings(manifest, request.settings ?? {})
        const tokenFile = tokenFileOf(context, ref)
        const all = { ...settings, ...(token !== undefined && { token_file: tokenFile, token: null }) }
        if (Object.keys(all).length === 0) return show(viewer, ref)
        const candidate = await candidateConnection(context, before.text, {
          ref,
          settings: all,
          ...(token && { token }),
        })
        const isOfRuns = Object.keys(all).every((name) => OF_RUNS.includes(name))
        if (!isOfRuns) await checkCandidate(candidate, environment, ending(signal))
        await store(context, { before, text: candidate.text, tokenFile, token })
        note(context, viewer, changeKind(entry, candidate.connection.config.paused), ref)
        if (token !== undefined) await context.runSoon(ref, { full: false, again: true })
        return show(viewer, ref)
      })
    },
  }
}

function changeKind(entry: Readonly<Record<string, unknown>>, paused = false) {
  if ((entry.paused === true) === paused) return 'source_changed'
  return paused ? 'source_paused' : 'source_resumed'
}

/** @throws AppError when config.yaml cannot be read or written */
export function readSettings({ settings }: SourcesContext): SettingsText {
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
  throw new AppError('conflict', `There is a connection ${idOf(ref)} already: give this one another name.`, {
    field: 'name',
  })
}

export function notConfigured(ref: ConnectionId): AppError {
  return new AppError('not_found', `There is no connection ${idOf(ref)}.`)
}

interface Writing {
  readonly before: SettingsText
  readonly text: string
  readonly tokenFile: string
  readonly token: string | undefined
}

/** Token and config.yaml together, or neither; then it runs as it stands there. */
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
}

function note(
  { service }: SourcesContext,
  { principal }: Viewer,
  kind: 'source_connected' | 'source_changed' | 'source_paused' | 'source_resumed',
  ref: ConnectionId,
): void {
  service.activity.note(principal.accountId, actorOf(principal), { kind, connection: idOf(ref) })
}
