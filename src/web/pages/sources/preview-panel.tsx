import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import type { PartNoun, Preview, PreviewRequest } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes, formatCount, formatNoun } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { Note } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { PART_CELL, PartTable } from './part-table.tsx'
import { SourceProblemNote, statedProblem } from './source-problem.tsx'

interface PreviewPanelProps {
  /** A connection, or a connector whose connection does not exist yet. */
  readonly of: { readonly connector: string; readonly name: string } | { readonly id: string }
  readonly request: PreviewRequest
  readonly partNoun: PartNoun
  /** Whether the settings above have `exclude`. */
  readonly canExclude: boolean
  /** What is missing before the source can be reached. */
  readonly missing?: Error | undefined
  /** Reports the error of the last preview; `null` if none. */
  readonly onProblem: (error: Error | null) => void
  /** Begins by itself. */
  readonly isImmediate?: boolean
}

/** Previews what these settings would sync. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { of, request, partNoun, canExclude, missing, onProblem, isImmediate = false } = props
  const abort = useRef<AbortController>(undefined)
  const look = useMutation({
    mutationFn: async (body: PreviewRequest) => {
      if (missing !== undefined) throw missing
      abort.current = new AbortController()
      const options = { body, signal: abort.current.signal }
      return 'id' in of
        ? call('POST /connectors/:id/preview', { params: of, ...options })
        : call('POST /sources/:connector/:name/preview', { params: of, ...options })
    },
    onMutate: () => onProblem(null),
    onError: (error) => !isAborted(error) && onProblem(error),
  })
  const { mutate } = look
  const first = useRef(isImmediate ? request : undefined)
  useEffect(() => {
    if (first.current !== undefined) mutate(first.current)
    return () => abort.current?.abort()
  }, [mutate])
  const isOld = look.data !== undefined && JSON.stringify(look.variables) !== JSON.stringify(request)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => look.mutate(request)} busy={look.isPending}>
          <Eye aria-hidden />
          {look.data === undefined ? messages.preview : messages.previewAgain}
        </Button>
        {look.isPending && (
          <Button look="quiet" onClick={() => abort.current?.abort()}>
            {uiMessages.cancel}
          </Button>
        )}
      </div>
      <div aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {look.isPending && <PreviewProgress />}
        {look.error !== null && !isAborted(look.error) && <SourceProblemNote error={look.error} />}
        {look.data !== undefined && !look.isPending && (
          <>
            {isOld && <Note tone="warn">{messages.previewOutdated}</Note>}
            <PreviewTable preview={look.data} partNoun={partNoun} />
            {canExclude && look.data.partitions.length > 1 && (
              <p className="text-soft text-[0.8125rem]">{messages.howToExclude(partNoun.many)}</p>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function PreviewProgress() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label={messages.previewing} value={null} most={1} />
      <p className="text-soft text-[0.8125rem] tabular-nums">
        {messages.previewingAbout}
        <span aria-hidden> {seconds} s</span>
      </p>
    </div>
  )
}

function isAborted(error: Error): boolean {
  return error.name === 'AbortError'
}

type Row = Preview['partitions'][number]

const ROWS_SHOWN = 50
const LONGEST_TITLE = 60

/** What a sync would change, by partition, with totals. */
function PreviewTable({ preview, partNoun }: { readonly preview: Preview; readonly partNoun: PartNoun }) {
  const [isAll, setAll] = useState(false)
  const { partitions, problem, cut_off: isCutOff } = preview
  // Titles are not unique.
  const rows = partitions
    .map((row, index) => ({ ...row, key: `${index} ${row.partition}` }))
    .toSorted((one, other) => taken(other) - taken(one))
  const total = sum(partitions)
  const { one, many } = partNoun
  const secrets = partitions.reduce((count, row) => count + Object.values(row.secrets).reduce((a, b) => a + b, 0), 0)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">
        <strong>{messages.itemCount(taken(total))}</strong> {messages.toSync(formatNoun(partitions.length, one, many))}
        {total.bytes > 0 && ` (${formatBytes(total.bytes)})`}
        {total.unchanged > 0 && messages.unchangedItems(total.unchanged)}
        {total.failed > 0 && messages.unreadableItems(total.failed)}
        {total.gone > 0 && messages.goneItems(total.gone)}
      </p>
      {problem !== null && <Note tone="warn">{statedProblem(problem)}</Note>}
      {isCutOff && <Note tone="warn">{messages.previewCutOff}</Note>}
      {secrets > 0 && <Note>{messages.secretsLeftOut(secrets)}</Note>}
      {rows.length > 0 && <Rows rows={isAll ? rows : rows.slice(0, ROWS_SHOWN)} noun={one} total={total} />}
      {!isAll && rows.length > ROWS_SHOWN && (
        <Button size="small" className="self-start" onClick={() => setAll(true)}>
          {messages.showAll(rows.length)}
        </Button>
      )}
    </div>
  )
}

interface RowsProps {
  readonly rows: readonly (Row & { readonly key: string })[]
  readonly noun: string
  readonly total: Row
}

function Rows({ rows, noun, total }: RowsProps) {
  // Hidden on phones and tablets; the sentence above has the totals.
  const wide = `${PART_CELL} max-lg:hidden`
  const hasGone = total.gone > 0
  const numbers = (row: Row) => (
    <>
      <td className={PART_CELL}>{formatCount(row.new)}</td>
      <td className={PART_CELL}>{formatCount(row.changed)}</td>
      <td className={wide}>{formatCount(row.unchanged)}</td>
      {hasGone && <td className={PART_CELL}>{formatCount(row.gone)}</td>}
      <td className={wide}>{formatCount(row.failed)}</td>
      <td className={`${wide} whitespace-nowrap`}>{formatBytes(row.bytes)}</td>
    </>
  )
  return (
    <PartTable
      noun={noun}
      columns={
        <>
          <th className={`${PART_CELL} font-medium`}>{messages.columnNew}</th>
          <th className={`${PART_CELL} font-medium`}>{messages.columnChanged}</th>
          <th className={`${wide} font-medium`}>{messages.columnUnchanged}</th>
          {hasGone && <th className={`${PART_CELL} font-medium`}>{messages.columnDeleted}</th>}
          <th className={`${wide} font-medium`}>{messages.columnFailed}</th>
          <th className={`${wide} font-medium`}>{messages.columnSize}</th>
        </>
      }
    >
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} className="border-line border-t align-top">
            <th scope="row" className="px-3 py-2 text-left font-normal">
              <bdi className="[overflow-wrap:anywhere]">{shownText(row.partition)}</bdi>
              {row.examples.length > 0 && <Examples titles={row.examples} count={taken(row)} />}
              {row.problem !== null && <p className="text-warn text-xs">{statedProblem(row.problem)}</p>}
            </th>
            {numbers(row)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-line border-t font-medium">
          <th scope="row" className="px-3 py-2 text-left font-medium">
            {messages.columnTotal}
          </th>
          {numbers(total)}
        </tr>
      </tfoot>
    </PartTable>
  )
}

function Examples({ titles, count }: { readonly titles: readonly string[]; readonly count: number }) {
  return (
    <p className="text-soft text-xs [overflow-wrap:anywhere]">
      {titles.map((title, index) => (
        <Fragment key={title}>
          {index > 0 && ', '}
          <bdi>{shortened(title)}</bdi>
        </Fragment>
      ))}
      {count > titles.length && ', …'}
    </p>
  )
}

/** Threads can have their first message as title. */
function shortened(title: string): string {
  const text = shownText(title)
  return text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE).trimEnd()}…`
}

function taken(row: Row): number {
  return row.new + row.changed
}

function sum(rows: readonly Row[]): Row {
  const of = (name: 'new' | 'changed' | 'unchanged' | 'gone' | 'failed' | 'bytes') =>
    rows.reduce((total, row) => total + row[name], 0)
  return {
    partition: '',
    new: of('new'),
    changed: of('changed'),
    unchanged: of('unchanged'),
    gone: of('gone'),
    failed: of('failed'),
    bytes: of('bytes'),
    examples: [],
    secrets: {},
    problem: null,
  }
}
