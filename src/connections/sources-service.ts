import { AppError } from '../domain/errors.ts'
import type { Sources } from '../http/app/schemas/sources.ts'
import { requireConnector } from './candidate-connection.ts'
import { notConfigured, sourceChanges } from './change-sources.ts'
import { wireConnection, wireConnectionDetail } from './connection-answer.ts'
import { knownConnections } from './connection-status.ts'
import { wireConnector } from './connector-view.ts'
import { sourcePreviews } from './preview-source.ts'
import { sourceRemovals } from './remove-source.ts'
import { settingFields } from './setting-fields.ts'
import { homeOf, idOf, isOf, lockedReason, type SourcesContext, type SourcesHome } from './sources-context.ts'
import type { ConnectionId, SourcesService } from './sources-contract.ts'

/** The connections of this home, as the web app shows and changes them. */
export function sourcesService(context: SourcesContext): SourcesService {
  const { settings, registry } = context

  async function find(home: SourcesHome, ref: ConnectionId) {
    const { text, configured } = await settings.current()
    const rows = await home.environment.ledger.listConnections()
    const known = await knownConnections(configured, rows, registry)
    const found = known.find((one) => isOf(one.ref, ref))
    if (found === undefined) throw notConfigured(ref)
    return { known: found, text }
  }
  const connection: SourcesService['connection'] = async (viewer, ref) => {
    const home = await homeOf(context, viewer)
    const { known, text } = await find(home, ref)
    const detail = await wireConnectionDetail(known, context, home, { grants: await home.grants.list(), text })
    // Settings hold secrets too, as the address of a private feed does: they are for who may change them.
    return viewer.isAdmin ? detail : { ...detail, fields: [] }
  }
  return {
    async sources(viewer): Promise<Sources> {
      const all = await context.providers()
      const connectors = await Promise.all(
        Object.values(registry).map(async (load) => wireConnector(await load(), all)),
      )
      const base = { connectors, connections: [], notice: null }
      const home = await context.home().catch(asProblem)
      if (home instanceof AppError) return { ...base, ...fixed(home.message), memory_of_other: false }
      if (home.accountId !== viewer.principal.accountId) {
        return { ...base, ...fixed(OF_OTHER), memory_of_other: true }
      }
      const { configured, problem } = await settings.current()
      const rows = await home.environment.ledger.listConnections()
      const grants = await home.grants.list()
      const known = await knownConnections(configured, rows, registry)
      return {
        ...base,
        connections: await Promise.all(known.map((one) => wireConnection(one, context, home, grants))),
        notice: !context.runsHere && (await home.shared.differFrom(configured.connections)) ? OTHER_FILE : null,
        ...fixed(lockedReason(context, viewer) ?? (problem && `${problem}. ${AS_BEFORE}`)),
        memory_of_other: false,
      }
    },
    connection,
    async fields(viewer, id) {
      await homeOf(context, viewer)
      return { fields: settingFields((await requireConnector(context, id)).manifest) }
    },
    ...sourceChanges(context, connection),
    ...sourcePreviews(context),
    ...sourceRemovals(context, connection),
    async sync(viewer, ref, { full }) {
      const home = await homeOf(context, viewer)
      const { known } = await find(home, ref)
      if (known.connection === undefined) throw new AppError('conflict', `${idOf(ref)} cannot run as it is configured.`)
      if (known.connection.config.paused === true) {
        throw new AppError('conflict', `${idOf(ref)} is paused: let it run again first.`)
      }
      const { running } = known.row ?? {}
      const isHere = context.scheduler()?.standing(ref) === 'running'
      if (!isHere && running !== undefined && running.until > home.environment.clock()) {
        throw new AppError('conflict', `${idOf(ref)} is being synchronized by another process right now.`)
      }
      if (context.runsHere && context.scheduler() === undefined) await context.inTurn(() => context.reload())
      if (!(await context.runSoon(ref, { full, again: full }))) {
        throw new AppError('conflict', `${idOf(ref)} is not run here; try it again in a moment.`)
      }
      await context.tell()
    },
    async stop(viewer, ref) {
      const home = await homeOf(context, viewer)
      const { known } = await find(home, ref)
      if (await context.scheduler()?.abort(ref)) return context.tell()
      const { running, asked, report = '{}' } = known.row ?? {}
      const { ledger } = home.environment
      if (asked !== undefined) await ledger.updateConnection(ref, { asked: null })
      // Whoever holds it elsewhere finds its lease gone within seconds, and ends.
      if (running !== undefined) {
        await ledger.endRun(ref, running.holder, { outcome: 'aborted', problem: 'It was stopped in the app.', report })
      }
      await context.tell()
    },
    async retry(viewer, ref, options) {
      const home = await homeOf(context, viewer)
      await find(home, ref)
      const retried = await home.environment.ledger.retryItems(ref, options)
      await context.runSoon(ref, { full: false, again: true })
      await context.tell()
      return retried
    },
  }
}

const OF_OTHER = 'The sources of this server fill another memory than the one you look at.'
const OTHER_FILE =
  'The process that runs the sources has another config.yaml than the one that shows this page: give both the same file.'
const AS_BEFORE = 'Sources run as before until this is corrected in the file.'

function fixed(why: string | undefined): Pick<Sources, 'editable' | 'why_not_editable'> {
  return { editable: why === undefined, why_not_editable: why ?? null }
}

function asProblem(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
