import { connectionEntryIn } from '../config/connection-entry.ts'
import type { Preview, PreviewRequest } from '../http/app/schemas/sources.ts'
import type { ConnectionName } from '../store/ledger/ledger.ts'
import type { PreviewReport } from '../sync/run-report.ts'
import { candidateConnection, requireConnector, requireToken } from './candidate-connection.ts'
import { notConfigured } from './change-sources.ts'
import { givenSettings } from './setting-fields.ts'
import { homeOf, type SourcesContext } from './sources-context.ts'
import type { SourcesService } from './sources-contract.ts'

/** Time limit, because a person waits; the counts so far are then shown. */
const LONGEST_MS = 60_000
/**
 * Name of a connection that does not exist yet; the ledger cannot have it, because names begin with a letter or digit.
 */
const NO_NAME = '0-preview'

export function sourcePreviews(context: SourcesContext): Pick<SourcesService, 'preview' | 'previewNew'> {
  async function run(
    home: Awaited<ReturnType<typeof homeOf>>,
    { ref, request, signal }: { ref: ConnectionName; request: PreviewRequest; signal: AbortSignal },
  ): Promise<Preview> {
    const { manifest } = await requireConnector(context, ref.connector)
    const settings = givenSettings(manifest, request.settings ?? {})
    const token = request.token === undefined ? undefined : requireToken(request.token)
    const { text } = context.settings.read()
    const { connection } = await candidateConnection(context, text, { ref, settings, ...(token && { token }) })
    const { previewConnection } = await import('../sync/preview.ts')
    const late = AbortSignal.timeout(LONGEST_MS)
    const ending = AbortSignal.any([signal, late, context.stopping])
    return wirePreview(await previewConnection(connection, home.environment, { signal: ending }), ending.aborted)
  }
  return {
    async preview(viewer, ref, request, signal) {
      const home = await homeOf(context, viewer)
      const { settings } = context
      if (connectionEntryIn(settings.read().text, ref, settings.fileName) === undefined) throw notConfigured(ref)
      return run(home, { ref, request, signal })
    },
    async previewNew(viewer, connector, request, signal) {
      const home = await homeOf(context, viewer)
      return run(home, { ref: { connector, name: NO_NAME }, request, signal })
    },
  }
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
