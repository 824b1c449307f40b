import { setTimeout } from 'node:timers/promises'
import { serverAddress } from '../config/local-address.ts'
import { AppError } from '../domain/errors.ts'
import type { Attention, Connection, Sources } from '../http/app/schemas/sources.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { alertChannels } from './alerts/alert-channels.ts'
import { readAlertRecord } from './alerts/alert-record.ts'
import { alertsOverview, testAlerts } from './alerts/source-alerts.ts'
import { requireConnector } from './candidate-connection.ts'
import { notConfigured, removalFact, sourceChanges } from './change-sources.ts'
import { wireConnection, wireConnectionDetail } from './connection-answer.ts'
import { connectionState, knownConnections } from './connection-status.ts'
import { wireConnector } from './connector-view.ts'
import { sourceImports } from './imports/imports-service.ts'
import { sourcePreviews } from './preview-source.ts'
import { settingFields } from './setting-fields.ts'
import {
  homeOf,
  idOf,
  isOf,
  lockedReason,
  OTHER_ACCOUNT,
  type SourcesContext,
  type SourcesHome,
} from './sources-context.ts'
import type { ConnectionId, SourcesService } from './sources-contract.ts'

/** The connections of this home, as the web app shows and changes them. */
export function sourcesService(context: SourcesContext): SourcesService {
  const views = sourceViews(context)
  return {
    ...views,
    ...sourceChanges(context, views.connection),
    ...sourcePreviews(context),
    ...sourceImports(context),
    ...sourceRuns(context),
    async alerts() {
      const { environment } = await context.home()
      return alertsOverview(alertChannels(context.config), await readAlertRecord(environment.ledger))
    },
    testAlerts: () => testAlerts(alertChannels(context.config), serverAddress(context.config), systemClock()),
  }
}

function sourceViews(context: SourcesContext): Pick<SourcesService, 'sources' | 'attention' | 'connection' | 'fields'> {
  const { settings, registry } = context
  const warmUp = onceSoon(() => loadConnectors(context), context.log)
  return {
    async sources(viewer): Promise<Sources> {
      const all = await context.providers()
      const connectors = await Promise.all(
        Object.values(registry).map(async (load) => wireConnector(await load(), all)),
      )
      const base = { connectors, connections: [], notice: null }
      const home = await context.home().catch(asProblem)
      if (home instanceof AppError) return { ...base, ...editability(home.message), memory_of_other: false }
      if (home.accountId !== viewer.principal.accountId) {
        return { ...base, ...editability(OTHER_ACCOUNT), memory_of_other: true }
      }
      const { configured, problem } = await settings.current()
      return {
        ...base,
        connections: await wireConnections(context, home, configured),
        notice: !context.runsHere && (await home.shared.differFrom(configured.connections)) ? OTHER_FILE : null,
        ...editability(lockedReason(context, viewer) ?? (problem && `${problem}. ${AS_BEFORE}`)),
        memory_of_other: false,
      }
    },
    async attention(viewer): Promise<Attention> {
      warmUp()
      const home = await context.home().catch(asProblem)
      if (home instanceof AppError || home.accountId !== viewer.principal.accountId) return { connections: 0 }
      return { connections: await countTroubled(context, home) }
    },
    async connection(viewer, ref) {
      const home = await homeOf(context, viewer)
      const { known, text } = await findConnection(context, home, ref)
      const detail = await wireConnectionDetail(known, context, home, { grants: await home.grants.list(), text })
      // Settings can contain secrets, such as the address of a private feed: only administrators see them.
      return viewer.isAdmin ? detail : { ...detail, fields: [] }
    },
    async fields(viewer, id) {
      await homeOf(context, viewer)
      return { fields: settingFields((await requireConnector(context, id)).manifest) }
    },
  }
}

/** Every page of the app asks for the number of troubled connections. By then, the first question is answered. */
const WARM_UP_MS = 10_000
/** Between two connectors, for what people wait for. */
const PAUSE_MS = 50

function onceSoon(work: () => Promise<void>, log: Log): () => void {
  let isWanted = false
  return () => {
    if (isWanted) return
    isWanted = true
    // An error must not end the service: whoever opens the list gets it.
    setTimeout(WARM_UP_MS, undefined, { ref: false })
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, 'connectors could not be loaded'))
  }
}

/**
 * Loads the connectors before somebody opens the list of them, which would wait for half a second of processor time
 * (decision 123). Other requests are answered in between.
 */
async function loadConnectors(context: SourcesContext): Promise<void> {
  const providers = await context.providers()
  for (const [connector, load] of Object.entries(context.registry)) {
    if (context.stopping.aborted) return
    try {
      wireConnector(await load(), providers)
    } catch (error) {
      context.log.warn({ err: error, connector }, 'a connector could not be loaded')
    }
    await setTimeout(PAUSE_MS, undefined, { ref: false })
  }
}

/** As the list of sources counts them, without reading the items and parts that it shows. */
async function countTroubled(context: SourcesContext, { environment: { ledger } }: SourcesHome): Promise<number> {
  const { configured } = await context.settings.current()
  const known = await knownConnections(configured, await ledger.listConnections(), context.registry)
  const now = systemClock()
  const troubled = await Promise.all(
    known
      .filter((one) => connectionState(one, now) === 'needs attention')
      .map(async ({ ref, connection }) => {
        if (context.scheduler()?.runState(ref) === 'running') return false
        return connection !== undefined || !(await ledger.readFact(removalFact(ref)))
      }),
  )
  return troubled.filter(Boolean).length
}

async function wireConnections(
  context: SourcesContext,
  home: SourcesHome,
  configured: Parameters<typeof knownConnections>[0],
): Promise<Connection[]> {
  const rows = await home.environment.ledger.listConnections()
  const grants = await home.grants.list()
  const known = await knownConnections(configured, rows, context.registry)
  return Promise.all(known.map((one) => wireConnection(one, context, home, grants)))
}

function sourceRuns(context: SourcesContext): Pick<SourcesService, 'sync' | 'stop' | 'retry'> {
  return {
    async sync(viewer, ref, { full }) {
      const home = await homeOf(context, viewer)
      const { known } = await findConnection(context, home, ref)
      if (known.connection === undefined) {
        throw new AppError('conflict', `${idOf(ref)} has a configuration problem. Fix it first.`)
      }
      if (known.connection.config.paused === true) {
        throw new AppError('conflict', `${idOf(ref)} is paused. Resume it first.`)
      }
      const { running } = known.row ?? {}
      const isHere = context.scheduler()?.runState(ref) === 'running'
      if (!isHere && running !== undefined && running.until > home.environment.clock()) {
        throw new AppError('conflict', `${idOf(ref)} is already syncing in another process.`)
      }
      if (context.runsHere && context.scheduler() === undefined) await context.serialize(() => context.reload())
      if (!(await context.runSoon(ref, { full, again: full }))) {
        throw new AppError('conflict', `${idOf(ref)} can't run here yet. Try again in a moment.`)
      }
      await context.publish()
    },
    async stop(viewer, ref) {
      const home = await homeOf(context, viewer)
      const { known } = await findConnection(context, home, ref)
      if (await context.scheduler()?.abort(ref)) return context.publish()
      const { running, asked, report = '{}' } = known.row ?? {}
      const { ledger } = home.environment
      if (asked !== undefined) await ledger.updateConnection(ref, { asked: null })
      // A run in another process notices within seconds that its lease was ended, and stops.
      if (running !== undefined) {
        await ledger.endRun(ref, running.holder, { outcome: 'aborted', problem: 'Stopped in the app.', report })
      }
      await context.publish()
    },
    async retry(viewer, ref, options) {
      const home = await homeOf(context, viewer)
      await findConnection(context, home, ref)
      const retried = await home.environment.ledger.retryItems(ref, options)
      await context.runSoon(ref, { full: false, again: true })
      await context.publish()
      return retried
    },
  }
}

/** @throws AppError `not_found` */
async function findConnection({ settings, registry }: SourcesContext, home: SourcesHome, ref: ConnectionId) {
  const { text, configured } = await settings.current()
  const rows = await home.environment.ledger.listConnections()
  const known = await knownConnections(configured, rows, registry)
  const found = known.find((one) => isOf(one.ref, ref))
  if (found === undefined) throw notConfigured(ref)
  return { known: found, text }
}

const OTHER_FILE =
  'The process that syncs your sources uses a different config.yaml than this page. Use the same file for both.'
const AS_BEFORE = 'Sources keep running with the previous settings until you fix the file.'

function editability(why: string | undefined): Pick<Sources, 'editable' | 'why_not_editable'> {
  return { editable: why === undefined, why_not_editable: why ?? null }
}

function asProblem(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
