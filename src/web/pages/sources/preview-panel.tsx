import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import type { PartNoun, Preview, PreviewRequest } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes, formatCount, formatNoun } from '../../ui/formats.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { PART_CELL, PartTable } from './part-table.tsx'

interface PreviewPanelProps {
  /** Below /app/api. */
  readonly path: string
  readonly request: PreviewRequest
  readonly partNoun: PartNoun
  /** What is missing before the source can be asked. */
  readonly lacking?: Error | undefined
  /** What the last answer found wrong, for the fields; `null` while nothing is. */
  readonly onProblem: (error: Error | null) => void
}

/** Looks at the source with these settings, without taking anything, and shows what would be taken. */
export function PreviewPanel({ path, request, partNoun, lacking, onProblem }: PreviewPanelProps) {
  const abort = useRef<AbortController>(undefined)
  const look = useMutation({
    mutationFn: async (body: PreviewRequest) => {
      if (lacking !== undefined) throw lacking
      abort.current = new AbortController()
      return call<Preview>(path, { method: 'POST', body, signal: abort.current.signal })
    },
    onMutate: () => onProblem(null),
    onError: (error) => !isAbort(error) && onProblem(error),
  })
  useEffect(() => () => abort.current?.abort(), [])
  const isOld = look.data !== undefined && JSON.stringify(look.variables) !== JSON.stringify(request)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => look.mutate(request)} busy={look.isPending}>
          <Eye aria-hidden />
          Preview what would be taken
        </Button>
        {look.isPending && (
          <Button look="quiet" onClick={() => abort.current?.abort()}>
            Cancel
          </Button>
        )}
      </div>
      <div aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {look.isPending && <Looking />}
        {look.error !== null && !isAbort(look.error) && <ProblemNote error={look.error} />}
        {look.data !== undefined && !look.isPending && (
          <>
            {isOld && <Note tone="warn">This is what the settings before your last changes would take.</Note>}
            <PreviewTable preview={look.data} partNoun={partNoun} />
          </>
        )}
      </div>
    </div>
  )
}

function Looking() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Looking at the source" value={null} most={1} />
      <p className="text-soft text-[0.8125rem] tabular-nums">
        Looking at the source. Nothing is taken yet.
        <span aria-hidden> {seconds} s</span>
      </p>
    </div>
  )
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}

type Row = Preview['partitions'][number]

const ROWS_SHOWN = 50
const LONGEST_TITLE = 60

/** What a run would take, by partition, with totals. */
function PreviewTable({ preview, partNoun }: { readonly preview: Preview; readonly partNoun: PartNoun }) {
  const [isAll, setAll] = useState(false)
  const { partitions, problem, cut_off: isCutOff, account } = preview
  // Two calendars may have one title.
  const rows = partitions
    .map((row, place) => ({ ...row, key: `${place} ${row.partition}` }))
    .toSorted((one, other) => taken(other) - taken(one))
  const total = sum(partitions)
  const { one, many } = partNoun
  const secrets = partitions.reduce((count, row) => count + Object.values(row.secrets).reduce((a, b) => a + b, 0), 0)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">
        <strong>{formatNoun(taken(total), 'item')}</strong> of {formatNoun(partitions.length, one, many)} would be taken
        {total.bytes > 0 && `, ${formatBytes(total.bytes)}`}
        {total.unchanged > 0 && `; ${formatNoun(total.unchanged, 'item is', 'items are')} here already`}
        {total.failed > 0 && `; ${formatCount(total.failed)} cannot be read`}
        {total.gone > 0 && `; ${formatNoun(total.gone, 'item')} would be forgotten`}
        {account !== '' && (
          <span className="text-soft">
            {' '}
            · reads as <bdi>{shownText(account)}</bdi>
          </span>
        )}
      </p>
      {problem !== null && <Note tone="warn">{shownText(problem)}</Note>}
      {isCutOff && (
        <Note tone="warn">Looking took too long, so there may be more than this. A run takes the time it needs.</Note>
      )}
      {secrets > 0 && (
        <Note>
          {formatNoun(secrets, 'password, key or token', 'passwords, keys or tokens')} in it would be left out.
        </Note>
      )}
      {rows.length > 0 && <Rows rows={isAll ? rows : rows.slice(0, ROWS_SHOWN)} noun={one} total={total} />}
      {!isAll && rows.length > ROWS_SHOWN && (
        <Button size="small" className="self-start" onClick={() => setAll(true)}>
          Show all {formatCount(rows.length)}
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
  // A phone has no room for it; the sentence above the table tells the totals.
  const wide = `${PART_CELL} max-sm:hidden`
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
          <th className={`${PART_CELL} font-medium`}>New</th>
          <th className={`${PART_CELL} font-medium`}>Changed</th>
          <th className={`${wide} font-medium`}>Unchanged</th>
          {hasGone && <th className={`${PART_CELL} font-medium`}>Gone</th>}
          <th className={`${wide} font-medium`}>Failed</th>
          <th className={`${wide} font-medium`}>Size</th>
        </>
      }
    >
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} className="border-line border-t align-top">
            <th scope="row" className="px-3 py-2 text-left font-normal">
              <bdi className="[overflow-wrap:anywhere]">{shownText(row.partition)}</bdi>
              {row.examples.length > 0 && <Examples titles={row.examples} count={taken(row)} />}
              {row.problem !== null && <p className="text-warn text-xs">{shownText(row.problem)}</p>}
            </th>
            {numbers(row)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-line border-t font-medium">
          <th scope="row" className="px-3 py-2 text-left font-medium">
            In all
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
      {titles.map((title, place) => (
        <Fragment key={title}>
          {place > 0 && ', '}
          <bdi>{shortened(title)}</bdi>
        </Fragment>
      ))}
      {count > titles.length && ', …'}
    </p>
  )
}

/** A thread may have its whole first message as title. */
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
