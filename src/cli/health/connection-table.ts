import type { ConnectionState, ConnectionStatus } from '../../connections/sync-service.ts'
import { printable } from '../../lib/terminal-text.ts'
import { remedySentence } from '../terminal/failure.ts'
import { counted, cut, indented, type Page, table } from '../terminal/layout.ts'
import { ago, ahead, span } from '../terminal/relative-time.ts'

const HEAD = ['connection', 'account', 'state', 'last success', 'next run', 'items', 'failed', 'read']
const ACCOUNT = HEAD.indexOf('account')
/** Of an account; below this, a table says less than a list. */
const SHORTEST_ACCOUNT = 10
const FAILURES_SHOWN = 5
/** Part of a cursor's life after which it is shown. */
const OLD = 0.75

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

/** How every connection is, and below it what the person should know or do. */
export function connectionsText(connections: readonly ConnectionStatus[], page: Page): string {
  if (connections.length === 0) return 'No source is synchronized yet: "recalld sync" says how to begin.\n'
  const byHand = connections.filter(({ state }) => state === 'not configured')
  const notes = connections.flatMap((connection) => (byHand.includes(connection) ? [] : notesOf(connection, page)))
  const shown = connectionTable(connections, page) ?? connectionList(connections, page)
  return [shown, ...notes, byHandText(byHand, page)].join('')
}

/** What went wrong with them in the past is nothing to act on. */
function byHandText(connections: readonly ConnectionStatus[], page: Page): string {
  const [first] = connections
  if (first === undefined) return ''
  const which = connections.length === 1 ? `${nameOf(first)} is` : 'What is not configured is'
  const sentence = `${which} read by "recalld sync" only, and stays remembered. "recalld connect ${first.connector}" has it read on a schedule.`
  return `\n${indented(sentence, page)}`
}

/** `undefined` when the terminal is too narrow for it. */
function connectionTable(connections: readonly ConnectionStatus[], page: Page): string | undefined {
  const rows = connections.map((connection) => rowOf(connection, page.now))
  // Empty columns tell nothing; the last one is about cursors.
  const withCursor = rows.some((row) => row.at(-1) !== '')
  const cells = withCursor ? [[...HEAD, 'cursor'], ...rows] : [HEAD, ...rows.map((row) => row.slice(0, -1))]
  const widest = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const tooMuch = widest.reduce((sum, width) => sum + width + 2, -2) - page.width
  const room = Math.max(0, (widest[ACCOUNT] ?? 0) - Math.max(0, tooMuch))
  if (tooMuch > 0 && room < SHORTEST_ACCOUNT) return undefined
  const fitting = cells.map((row) => row.map((cell, column) => (column === ACCOUNT ? cut(cell, room) : cell)))
  const [head = '', ...lines] = table(fitting).trimEnd().split('\n')
  const coloured = lines.map((line, index) => looked(line, connections[index]?.state, page))
  return [page.style('bold', head), ...coloured].map((line) => `${line}\n`).join('')
}

function rowOf(connection: ConnectionStatus, now: Date): string[] {
  const { coverage, next_run_at: nextRun } = connection
  return [
    nameOf(connection),
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

/** The same as the table, in lines that fit a narrow terminal. */
function connectionList(connections: readonly ConnectionStatus[], page: Page): string {
  return connections
    .map((connection) => {
      const [name, account, state, success, next, items, failed, read, cursor] = rowOf(connection, page.now)
      const facts = [
        `last success ${success}`,
        next === '-' ? '' : `next run ${next}`,
        counted(Number(items), 'item', 'items'),
        `${failed} failed`,
        read === '-' ? '' : `${read} parts read`,
        cursor ? `cursor ${cursor}` : '',
      ]
      const head = looked(cut(`${name}  ${state}`, page.width), connection.state, page)
      const whose = account === '-' ? '' : `  ${cut(account ?? '', page.width - 2)}\n`
      return `${head}\n${whose}${indented(facts.filter((fact) => fact !== '').join(', '), page)}`
    })
    .join('')
}

/** Each line: where, what is wrong, what to do. */
function notesOf(connection: ConnectionStatus, page: Page): string[] {
  const name = nameOf(connection)
  const { problem, remedy } = connection
  const toDo = remedy === null ? '' : ` ${remedySentence(remedy, connection)}`
  const sentences = [
    ...(problem === null ? [] : [`${problem}${toDo}`]),
    ...connection.warnings,
    ...connection.partitions.flatMap(({ partition, error, since }) => {
      const sentence = `${partition}: ${error}`
      const when = since === null ? '' : ` (${ago(since, page.now)})`
      // It may be what is wrong with the connection as a whole, too.
      return sentence === problem ? [] : [`${sentence}${when}`]
    }),
    ...failuresOf(connection, page.now),
  ]
  if (sentences.length === 0) return []
  const lines = sentences.map((sentence) => indented(sentence, page))
  return [`\n${looked(name, connection.state, page)}\n`, ...lines]
}

function failuresOf(connection: ConnectionStatus, now: Date): string[] {
  const { failures, failed, skipped } = connection
  const total = failed + skipped
  if (total === 0) return []
  const shown = failures.slice(0, FAILURES_SHOWN).map(({ item, error, next_attempt_at: next }) => {
    return `${item}: ${error}${next === null ? '' : ` (tried again ${ahead(next, now)})`}`
  })
  const more = total - shown.length
  const left = more > 0 ? [`... and ${counted(more, 'more item', 'more items')} ("recalld status --json").`] : []
  return [...shown, ...left, `"recalld retry ${nameOf(connection)}" has failed and skipped items tried again.`]
}

/** `6 d of 7 d`, when the cursor is near its end; else empty. */
function cursorText({ cursor_age_s: age, cursor_limit_s: limit }: ConnectionStatus): string {
  return age === null || limit === null || age < OLD * limit ? '' : `${span(age)} of ${span(limit)}`
}

function nameOf({ connector, name }: ConnectionStatus): string {
  return `${connector}/${name}`
}

function looked(line: string, state: ConnectionState | undefined, { style }: Page): string {
  const look = state === undefined ? undefined : LOOKS[state]
  return look === undefined ? line : style(look, line)
}
