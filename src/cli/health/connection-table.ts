import { connectionId } from '../../connections/grant-views.ts'
import type { ConnectionState, ConnectionStatus } from '../../connections/sync-service.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { printable } from '../../lib/terminal-text.ts'
import { remedySentence } from '../terminal/failure.ts'
import { cut, indented, type Page, table } from '../terminal/layout.ts'
import { ago, ahead, span } from '../terminal/relative-time.ts'
import { messages } from './messages.ts'

const HEAD = ['connection', 'account', 'state', 'last success', 'next sync', 'items', 'failed', 'read']
const ACCOUNT = HEAD.indexOf('account')
/** Minimum width of an account; a narrower terminal shows a list instead. */
const SHORTEST_ACCOUNT = 10
const FAILURES_SHOWN = 5
/** The part of a cursor's lifetime after which its age is shown. */
const OLD = 0.75

const SKIP_REASONS: Partial<Record<ErrorCode, string>> = {
  too_large: messages.tooLarge,
  unreadable: messages.unreadable,
}

const LOOKS: Readonly<Record<ConnectionState, Parameters<Page['style']>[0] | undefined>> = {
  healthy: undefined,
  running: 'cyan',
  incomplete: 'yellow',
  waiting: 'yellow',
  'needs attention': 'red',
  paused: 'dim',
  'never ran': undefined,
  'not configured': 'dim',
}

/** The state of every connection, followed by notes and remedies. */
export function connectionsText(connections: readonly ConnectionStatus[], page: Page): string {
  if (connections.length === 0) return `${messages.noConnections}\n`
  const unscheduled = connections.filter(({ state }) => state === 'not configured')
  const notes = connections.flatMap((connection) =>
    unscheduled.includes(connection)
      ? noteLines(connection, skipLines(connection), page)
      : noteLines(connection, connectionNotes(connection, page), page),
  )
  const shown = connectionTable(connections, page) ?? connectionList(connections, page)
  return [shown, ...notes, unscheduledText(unscheduled, page)].join('')
}

/** Connections that only run manually need no notes about past problems. */
function unscheduledText(connections: readonly ConnectionStatus[], page: Page): string {
  const [first] = connections
  if (first === undefined) return ''
  const sentence =
    connections.length === 1
      ? messages.notScheduled(connectionId(first), first.connector)
      : messages.someNotScheduled(first.connector)
  return `\n${indented(sentence, page)}`
}

/** `undefined` when the terminal is too narrow for it. */
function connectionTable(connections: readonly ConnectionStatus[], page: Page): string | undefined {
  const rows = connections.map((connection) => connectionRow(connection, page.now))
  // The last column, about cursors, is left out when it is empty.
  const withCursor = rows.some((row) => row.at(-1) !== '')
  const cells = withCursor ? [[...HEAD, 'cursor'], ...rows] : [HEAD, ...rows.map((row) => row.slice(0, -1))]
  const widest = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const tooMuch = widest.reduce((sum, width) => sum + width + 2, -2) - page.width
  const room = Math.max(0, (widest[ACCOUNT] ?? 0) - Math.max(0, tooMuch))
  if (tooMuch > 0 && room < SHORTEST_ACCOUNT) return undefined
  const fitting = cells.map((row) => row.map((cell, column) => (column === ACCOUNT ? cut(cell, room) : cell)))
  const [head = '', ...lines] = table(fitting).trimEnd().split('\n')
  const coloredLines = lines.map((line, index) => colored(line, connections[index]?.state, page))
  return [page.style('bold', head), ...coloredLines].map((line) => `${line}\n`).join('')
}

function connectionRow(connection: ConnectionStatus, now: Date): string[] {
  const { coverage, next_run_at: nextRun } = connection
  return [
    connectionId(connection),
    printable(connection.account ?? '-'),
    connection.state,
    ago(connection.last_success_at, now),
    nextRun === null ? '-' : ahead(nextRun, now),
    String(connection.items),
    String(connection.failed),
    coverage.total === 0 ? '-' : `${coverage.complete}/${coverage.total}`,
    cursorText(connection),
  ]
}

/** The same as a list that fits a narrow terminal. */
function connectionList(connections: readonly ConnectionStatus[], page: Page): string {
  return connections
    .map((connection) => {
      const [name, account, state, success, next, items, failed, read, cursor] = connectionRow(connection, page.now)
      const facts = [
        messages.lastSuccess(success ?? ''),
        next === '-' ? '' : messages.nextRun(next ?? ''),
        messages.items(Number(items)),
        messages.failed(failed ?? ''),
        read === '-' ? '' : messages.partsRead(read ?? ''),
        cursor ? messages.cursor(cursor) : '',
      ]
      const head = colored(cut(`${name}  ${state}`, page.width), connection.state, page)
      const whose = account === '-' ? '' : `  ${cut(account ?? '', page.width - 2)}\n`
      return `${head}\n${whose}${indented(facts.filter((fact) => fact !== '').join(', '), page)}`
    })
    .join('')
}

function noteLines(connection: ConnectionStatus, sentences: readonly string[], page: Page): string[] {
  if (sentences.length === 0) return []
  const lines = sentences.map((sentence) => indented(sentence, page))
  return [`\n${colored(connectionId(connection), connection.state, page)}\n`, ...lines]
}

/** Each sentence: where, the problem, the remedy. */
function connectionNotes(connection: ConnectionStatus, page: Page): string[] {
  const { problem, remedy } = connection
  const toDo = remedy === null ? '' : ` ${remedySentence(remedy, connection)}`
  return [
    ...(problem === null ? [] : [`${problem}${toDo}`]),
    ...progressLines(connection),
    ...connection.warnings,
    ...connection.partitions.flatMap(({ partition, error, remedy, since }) => {
      const sentence = `${partition}: ${error}`
      const next = remedy === null ? '' : ` ${remedy}`
      const when = since === null ? '' : ` (${ago(since, page.now)})`
      // It may equal the problem of the whole connection.
      return sentence === problem ? [] : [`${sentence}${when}${next}`]
    }),
    ...skipLines(connection),
    ...failureLines(connection, page.now),
  ]
}

/** How far a run is, and an unfinished first sync. */
function progressLines({ progress }: ConnectionStatus): string[] {
  if (progress === null) return []
  const { items_per_minute: rate, remaining_s: left, recent_days: days } = progress
  const pace = [
    ...(rate === null || rate === 0 ? [] : [messages.perMinute(rate)]),
    ...(left === null ? [] : [messages.left(span(left))]),
  ]
  const sentences = [
    ...(days === null ? [] : [messages.recentReady(days)]),
    ...(pace.length === 0 ? [] : [`${pace.join(', ')}.`]),
  ]
  return sentences.length === 0 ? [] : [sentences.join(' ')]
}

/** Why items can't be taken: the ledger keeps it whether or not the connection is configured. */
function skipLines({ skip_reasons: reasons }: ConnectionStatus): string[] {
  return reasons.map(({ code, message, count }) =>
    messages.skipped(count, message ?? SKIP_REASONS[code ?? 'unreadable'] ?? code ?? ''),
  )
}

function failureLines(connection: ConnectionStatus, now: Date): string[] {
  const { failures, failed, skipped } = connection
  const total = failed + skipped
  if (total === 0) return []
  const shown = failures.slice(0, FAILURES_SHOWN).map(({ item, error, next_attempt_at: next }) => {
    return next === null ? `${item}: ${error}` : messages.retriedItem(item, error, ahead(next, now))
  })
  const more = total - shown.length
  const left = more > 0 ? [messages.moreItems(more)] : []
  return [...shown, ...left, messages.retryFailed(connectionId(connection))]
}

/** `6 d of 7 d`, when the cursor is close to expiry; otherwise empty. */
function cursorText({ cursor_age_s: age, cursor_limit_s: limit }: ConnectionStatus): string {
  return age === null || limit === null || age < OLD * limit ? '' : messages.cursorAge(span(age), span(limit))
}

function colored(line: string, state: ConnectionState | undefined, { style }: Page): string {
  const look = state === undefined ? undefined : LOOKS[state]
  return look === undefined ? line : style(look, line)
}
