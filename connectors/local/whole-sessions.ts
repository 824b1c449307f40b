import { z } from 'zod'
import type { Change, Context, Partition, SourceItem, StoredRef } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import type { AgentConfig, SessionChoice } from './agent-settings.ts'
import type { SessionPart } from './session-message.ts'
import { type AgentTool, segmentItem, segmentsOf } from './session-segments.ts'
import { parsedJson } from './tool-calls.ts'

/** A session that is read as a whole, because any part of it may change. */
export interface WholeSession {
  /** Its id within the partition, and where it is; of several with the same id, the first with content is used. */
  readonly key: string
  readonly id: string
  /** Changes when something is written. */
  readonly stamp: string
  readonly createdAt?: Date
  /** @throws SourceError `skip` when its format is unknown */
  load(): Promise<readonly SessionPart[]>
}

export interface SessionTool<Config extends SessionChoice = AgentConfig> extends AgentTool {
  /**
   * Every session of a partition; each is loaded before the next is requested.
   * @param known what was read earlier: unchanged sessions need not be opened
   * @param stamps receives the stamps of databases, which count once all of their sessions were read
   */
  sessions(
    partition: Partition,
    known: WholeSessionsCursor,
    stamps: Record<string, string>,
    context: Context<Config>,
  ): AsyncIterable<WholeSession>
}

const sessionState = z.object({
  stamp: z.string(),
  /** Prefixes of its segments' revisions: only changed segments are yielded again. */
  segments: z.array(z.string()),
})

export const wholeSessionsCursor = z.object({
  sessions: z.record(z.string(), sessionState),
  /** By path. */
  databases: z.record(z.string(), z.string()),
})
export type WholeSessionsCursor = z.infer<typeof wholeSessionsCursor>

const locatorSchema = z.object({ session: z.string(), segment: z.int() })

const NOTHING_KNOWN: WholeSessionsCursor = { sessions: {}, databases: {} }
const REVISION_DIGITS = 8
const SESSIONS_PER_CHECKPOINT = 20

/** The segments that are new or changed. */
export async function* wholeSessionChanges<Config extends SessionChoice>(
  tool: SessionTool<Config>,
  partition: Partition,
  cursor: WholeSessionsCursor | undefined,
  context: Context<Config>,
): AsyncGenerator<Change<WholeSessionsCursor>> {
  const known = cursor ?? NOTHING_KNOWN
  const stamps: Record<string, string> = {}
  const sessions: Record<string, z.infer<typeof sessionState>> = {}
  const ids = new Set<string>()
  let hasFailed = false
  let read = 0
  context.signal.throwIfAborted()
  for await (const session of tool.sessions(partition, known, stamps, context)) {
    context.signal.throwIfAborted()
    if (ids.has(session.id)) continue
    const earlier = known.sessions[session.key]
    if (earlier?.stamp === session.stamp) {
      sessions[session.key] = earlier
      if (earlier.segments.length > 0) ids.add(session.id)
      continue
    }
    const segments: string[] = []
    try {
      for await (const segment of segmentsOf(await session.load())) {
        const item = segmentItem(segment, source(session, segment.number), tool, context)
        const revision = item?.revision.slice(0, REVISION_DIGITS) ?? ''
        segments.push(revision)
        if (item && earlier?.segments[segment.number - 1] !== revision) yield { type: 'item', item }
      }
      sessions[session.key] = { stamp: session.stamp, segments }
      if (segments.length > 0) ids.add(session.id)
    } catch (error) {
      if (context.signal.aborted || !(error instanceof SourceError)) throw error
      if (error.remedy === 'skip') sessions[session.key] = { stamp: session.stamp, segments: [] }
      else hasFailed = true
      yield { type: 'failed', ref: refOf(session, tool, context), error }
    }
    // Sessions that this run did not reach keep their state, so that they are not read again.
    if (++read % SESSIONS_PER_CHECKPOINT === 0)
      yield { type: 'checkpoint', cursor: { sessions: { ...known.sessions, ...sessions }, databases: known.databases } }
  }
  yield { type: 'checkpoint', cursor: { sessions, databases: hasFailed ? {} : stamps } }
}

/** A segment as it is now; `undefined` when its session no longer exists. */
export async function readWholeSession<Config extends SessionChoice>(
  tool: SessionTool<Config>,
  ref: StoredRef,
  context: Context<Config>,
): Promise<SourceItem | undefined> {
  const located = locatorSchema.safeParse(parsedJson(ref.locator ?? ''))
  if (!located.success) return undefined
  for await (const session of tool.sessions(ref.partition, NOTHING_KNOWN, {}, context)) {
    if (session.id !== located.data.session) continue
    for await (const segment of segmentsOf(await session.load())) {
      if (segment.number === located.data.segment)
        return segmentItem(segment, source(session, segment.number), tool, context)
    }
  }
  return undefined
}

function source({ id, createdAt }: WholeSession, segment: number) {
  return { id, locator: JSON.stringify({ session: id, segment }), createdAt }
}

function refOf(session: WholeSession, tool: AgentTool, context: Context<SessionChoice>) {
  const account = accountPart(context.account.account)
  const itemId = sourceItemId(tool.prefix, account, session.id, { name: 's', value: '0001' })
  return { sourceType: tool.sourceType, itemId, locator: source(session, 1).locator, title: session.key }
}
