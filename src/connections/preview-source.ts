import { connectionEntryIn } from '../config/connection-entry.ts'
import { AppError } from '../domain/errors.ts'
import type { Choices, Preview, PreviewRequest } from '../http/app/schemas/sources.ts'
import type { ConnectionName } from '../store/ledger/ledger.ts'
import type { Connection } from '../sync/connection.ts'
import type { PreviewReport } from '../sync/run-report.ts'
import { candidateConnection, requireConnector, requireToken } from './candidate-connection.ts'
import { notConfigured } from './change-sources.ts'
import { sourceChoices } from './check-source.ts'
import { givenSettings } from './setting-fields.ts'
import { homeOf, type SourcesContext } from './sources-context.ts'
import type { SourcesService } from './sources-contract.ts'

/** Time limit, because a person waits; the counts so far are then shown. */
const LONGEST_MS = 60_000
/**
 * Name of a connection that does not exist yet; the ledger cannot have it, because names begin with a letter or digit.
 */
const NO_NAME = '0-preview'

type Previews = Pick<SourcesService, 'preview' | 'previewNew' | 'choices' | 'choicesNew'>

/** What settings would sync, before they are saved. */
export function sourcePreviews(context: SourcesContext): Previews {
  const configured = (ref: ConnectionName): ConnectionName => {
    const { settings } = context
    if (connectionEntryIn(settings.read().text, ref, settings.fileName) === undefined) throw notConfigured(ref)
    return ref
  }
  const unsaved = (connector: string): ConnectionName => ({ connector, name: NO_NAME })
  return {
    async preview(viewer, ref, request, signal) {
      const home = await homeOf(context, viewer)
      return previewed(context, home, { ref: configured(ref), request, signal })
    },
    async previewNew(viewer, connector, request, signal) {
      return previewed(context, await homeOf(context, viewer), { ref: unsaved(connector), request, signal })
    },
    async choices(viewer, ref, request, signal) {
      const home = await homeOf(context, viewer)
      return choicesOf(context, home, { ref: configured(ref), request, signal })
    },
    async choicesNew(viewer, connector, request, signal) {
      return choicesOf(context, await homeOf(context, viewer), { ref: unsaved(connector), request, signal })
    },
  }
}

type Home = Awaited<ReturnType<typeof homeOf>>

interface Wanted {
  readonly ref: ConnectionName
  readonly request: PreviewRequest
  readonly signal: AbortSignal
}

async function previewed(context: SourcesContext, { environment }: Home, wanted: Wanted): Promise<Preview> {
  const connection = await requestedConnection(context, wanted)
  const { previewConnection } = await import('../sync/preview.ts')
  const ending = waitingSignal(context, wanted)
  return wirePreview(await previewConnection(connection, environment, { signal: ending }), ending.aborted)
}

async function choicesOf(context: SourcesContext, { environment }: Home, wanted: Wanted): Promise<Choices> {
  const connection = await requestedConnection(context, wanted)
  const ending = waitingSignal(context, wanted)
  const found = await sourceChoices(connection, environment, ending).catch((error: unknown) => {
    throw ending.aborted ? new AppError('conflict', "The list couldn't be read in time. Try again.") : error
  })
  if (found === undefined) throw new AppError('invalid', `${wanted.ref.connector} offers nothing to choose from.`)
  return {
    setting: found.setting,
    choices: found.choices.map(({ value, group, groupValue, isPrivate, updatedAt, isChosen }) => ({
      value,
      group,
      group_value: groupValue,
      private: isPrivate,
      updated_at: updatedAt?.toISOString() ?? null,
      chosen: isChosen,
    })),
  }
}

async function requestedConnection(context: SourcesContext, { ref, request }: Wanted): Promise<Connection> {
  const { manifest } = await requireConnector(context, ref.connector)
  const settings = givenSettings(manifest, request.settings ?? {})
  const token = request.token === undefined ? undefined : requireToken(request.token, manifest)
  const { text } = context.settings.read()
  return (await candidateConnection(context, text, { ref, settings, ...(token && { token }) })).connection
}

function waitingSignal({ stopping }: SourcesContext, { signal }: Wanted): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS), stopping])
}

function wirePreview({ account, partitions, duration_ms, problem }: PreviewReport, isCutOff: boolean): Preview {
  return {
    account,
    partitions: partitions.map((partition) => ({
      ...partition,
      examples: [...partition.examples],
      secrets: { ...partition.secrets },
      problem: partition.problem === undefined ? null : partition.problem,
    })),
    duration_ms,
    cut_off: isCutOff,
    problem: isCutOff || problem === undefined ? null : problem,
  }
}
