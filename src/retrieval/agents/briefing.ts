import type { SourceType } from '../../domain/source-type.ts'
import {
  BRIEFING_TOKENS,
  type BriefedStatement,
  type BriefingKind,
  SHOWN_FRAME_TOKENS,
} from '../../domain/suggestions.ts'
import { estimateTokens } from '../../lib/estimate-tokens.ts'
import type { SearchIndex } from '../../store/search/search.ts'
import { contentTerms, type KnownMemory, ownWords } from '../profile/known-memory.ts'
import { openPromises } from '../profile/open-promises.ts'
import { type Known, readKnown } from '../profile/profile.ts'
import { decisionsIn, type FoundStatement, ownStatements, promisesIn } from '../profile/statements.ts'
import { isOfSession, passageId, shortened } from './shown-passage.ts'

/** A starting session of an agent. */
export interface BriefingInput {
  readonly index: SearchIndex
  /** The folders of the project, as sources name them. */
  readonly folders: readonly string[]
  /** `owner/name` */
  readonly repository?: string
  /** Id of the agent's session, whose content it already has. */
  readonly session?: string
  readonly userName?: string
  readonly timeZone: string
  readonly now: Date
}

export interface Briefing {
  readonly statements: readonly BriefedStatement[]
  /** Ids of passages, as `suggestPassages` takes them. */
  readonly seen: readonly string[]
}

/** Sources whose items can be agent sessions in a folder; Gemini CLI and opencode have no type of their own. */
const AGENT_SOURCES = ['claude_code', 'codex', 'cursor', 'vscode', 'stream'] as const satisfies readonly SourceType[]
const DAY_MS = 86_400_000
/** Maximum age of each kind. */
const DAYS: Readonly<Record<BriefingKind, number>> = { last_session: 90, decision: 14, promise: 60, preference: 365 }
/** Maximum memories read, newest first, of each agent and of all sources; more would exceed the time limit of hooks. */
const MOST_OF_AGENT = 300
const MOST_OF_ALL = 600
const MOST: Readonly<Record<BriefingKind, number>> = { last_session: 2, decision: 5, promise: 4, preference: 4 }
/** Maximum characters of a statement, which is cut after a sentence. */
const MOST_CHARACTERS = 600
/** Minimum share of common words of equal statements. */
const SAME = 0.7

interface Briefed {
  readonly kind: BriefingKind
  readonly found: FoundStatement
}

/** The briefing for a session in a project; empty for a project without memories in the scope. */
export async function createBriefing(input: BriefingInput): Promise<Briefing> {
  const [all, ...agents] = await Promise.all([
    readKnown({ ...input, most: MOST_OF_ALL }),
    ...AGENT_SOURCES.map((source) => readKnown({ ...input, most: MOST_OF_AGENT, source })),
  ])
  const sessions = agents
    .flatMap(({ memories }) => memories)
    .filter((memory) => !isOfSession(memory.row, input.session))
  const own = sessions.filter(({ row }) => isInFolder(row.content.where, input.folders))
  const others = all.memories.filter((memory) => isAbout(memory, input.repository))
  if (own.length === 0 && others.length === 0) return { statements: [], seen: [] }
  const project = [...own, ...others]
  const briefed = [
    ...lastSession(own),
    ...newest('decision', project.flatMap(decisionsIn)),
    ...newest('promise', await openPromisesOf(project, all)),
    ...newest('preference', preferencesFor(project, sessions)),
  ].filter(({ kind, found }) => isRecent(kind, found.memory, input.now))
  const fitting = withinBudget(withoutRepetitions(briefed), all.dayOf)
  return {
    statements: fitting.map(({ statement }) => statement),
    seen: await passagesOf(
      fitting.map(({ memory }) => memory),
      input.index,
    ),
  }
}

/** Whether it is the folder or below it. Only equal paths match the home and the root, which contain everything. */
function isInFolder(where: string | null | undefined, folders: readonly string[]): boolean {
  if (where === null || where === undefined) return false
  return folders.some((folder) => {
    if (where === folder) return true
    return folder !== '~' && folder !== '/' && /^[/\\]/.test(where.startsWith(folder) ? where.slice(folder.length) : '')
  })
}

function isAbout({ row }: KnownMemory, repository: string | undefined): boolean {
  if (repository === undefined) return false
  const name = repository.toLowerCase()
  const { where, other_entities: entities = [] } = row.content
  const isNamed = entities.some(
    ({ entity_type, entity_name }) => entity_type === 'repository' && entity_name.toLowerCase() === name,
  )
  return isNamed || where?.toLowerCase() === name
}

const timeOf = ({ row }: KnownMemory) => row.at ?? 0

/** The last memories of the latest session, in order. */
function lastSession(own: readonly KnownMemory[]): Briefed[] {
  const latest = own.toSorted((a, b) => timeOf(b) - timeOf(a) || b.row.index - a.row.index)
  const [last] = latest
  return latest
    .filter(({ row }) => row.itemKey === last?.row.itemKey)
    .slice(0, MOST.last_session)
    .reverse()
    .map((memory) => ({ kind: 'last_session', found: { text: memory.row.content.narrative ?? '', memory } }))
}

function newest(kind: BriefingKind, found: readonly FoundStatement[]): Briefed[] {
  const sorted = found.toSorted((a, b) => timeOf(b.memory) - timeOf(a.memory))
  return sorted.slice(0, MOST[kind]).map((one) => ({ kind, found: one }))
}

/** Open promises of the owner about the project. Any memory can report that one was kept. */
function openPromisesOf(project: readonly KnownMemory[], { memories }: Known): Promise<FoundStatement[]> {
  return openPromises(
    project.flatMap(promisesIn).filter(({ by }) => by === 'I'),
    [...project, ...memories],
  )
}

/** What the owner told agents about themselves: in this project, or elsewhere with a word of the project. */
function preferencesFor(project: readonly KnownMemory[], sessions: readonly KnownMemory[]): FoundStatement[] {
  const words = new Set(project.flatMap(({ row }) => [...contentTerms(row.content.headline ?? '')]))
  const isOfProject = new Set(project)
  return sessions
    .flatMap((memory) => ownStatements('preferences', memory, ownWords(memory)))
    .filter(({ memory, text }) => isOfProject.has(memory) || [...contentTerms(text)].some((term) => words.has(term)))
}

function isRecent(kind: BriefingKind, memory: KnownMemory, now: Date): boolean {
  return timeOf(memory) > now.getTime() - DAYS[kind] * DAY_MS
}

function withoutRepetitions(briefed: readonly Briefed[]): Briefed[] {
  const said: ReadonlySet<string>[] = []
  return briefed.filter(({ found }) => {
    const terms = contentTerms(found.text)
    if (terms.size === 0 || said.some((earlier) => shares(terms, earlier))) return false
    said.push(terms)
    return true
  })
}

function shares(terms: ReadonlySet<string>, earlier: ReadonlySet<string>): boolean {
  return [...terms].filter((term) => earlier.has(term)).length >= terms.size * SAME
}

/** Estimated tokens of the line above each statement. */
const HEAD_TOKENS = 40

function withinBudget(briefed: readonly Briefed[], dayOf: Known['dayOf']) {
  let tokens = SHOWN_FRAME_TOKENS
  return briefed.flatMap(({ kind, found: { text, memory } }) => {
    const statement = statementOf(kind, shortened(text, MOST_CHARACTERS), memory, dayOf)
    const cost = estimateTokens(`${statement.text}${statement.title ?? ''}${statement.url ?? ''}`) + HEAD_TOKENS
    if (tokens + cost > BRIEFING_TOKENS) return []
    tokens += cost
    return [{ statement, memory }]
  })
}

function statementOf(kind: BriefingKind, text: string, { row }: KnownMemory, dayOf: Known['dayOf']): BriefedStatement {
  const { headline } = row.content
  return {
    kind,
    text,
    item_id: row.itemId,
    source: row.sourceType,
    ...(headline !== undefined && { title: headline }),
    ...(row.at !== undefined && { when: dayOf(row.at) }),
    ...(row.url !== undefined && { url: row.url }),
  }
}

async function passagesOf(memories: readonly KnownMemory[], index: SearchIndex): Promise<string[]> {
  const ids = new Set<number>()
  for (const { row } of memories) for (let id = row.firstChunkId; id <= row.lastChunkId; id++) ids.add(id)
  return (await index.chunks([...ids], 0)).map(passageId)
}
