import { CircleCheck, CircleDashed, LoaderCircle, Search, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { isNamedIn } from '../../../domain/source-problems.ts'
import type { ConnectionDetail, Partition } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { messages } from './messages.ts'
import { PART_CELL, PartTable } from './part-table.tsx'
import { statedProblem } from './source-problem.tsx'

const FIRST_ROWS = 10
const MORE_ROWS = 200
/** The search is shown above this number of parts. */
const SEARCHED_FROM = 12

/** Sync state of each part of a source, with errors. */
export function CoveragePanel({ detail }: { readonly detail: ConnectionDetail }) {
  const [search, setSearch] = useState('')
  const [onlyProblems, setOnlyProblems] = useState(false)
  const [shown, setShown] = useState(FIRST_ROWS)
  const { partitions } = detail
  const { one, many } = detail.part_noun
  const troubled = partitions.filter(hasProblem).length
  const wanted = search.trim().toLowerCase()
  const rows = partitions
    .filter((part) => (!onlyProblems || hasProblem(part)) && part.title.toLowerCase().includes(wanted))
    .toSorted(
      (a, b) =>
        Number(hasProblem(b)) - Number(hasProblem(a)) || a.title.localeCompare(b.title, undefined, { numeric: true }),
    )
  return (
    <Panel
      title={messages.coverage}
      about={`${formatNoun(partitions.length, one, many)}${troubled > 0 ? messages.withProblems(troubled) : ''}`}
    >
      <div className="flex flex-col gap-3">
        {(partitions.length > SEARCHED_FROM || onlyProblems) && (
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <div className="relative w-full sm:w-72">
              <Search className="text-soft pointer-events-none absolute top-3 left-3 size-4" aria-hidden />
              <input
                type="search"
                aria-label={messages.searchParts(many)}
                placeholder={messages.searchParts(many)}
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                className={`${INPUT_CLASS} pl-9`}
              />
            </div>
            {troubled > 0 && (
              <CheckBox checked={onlyProblems} onToggle={() => setOnlyProblems(!onlyProblems)}>
                {messages.onlyProblems}
              </CheckBox>
            )}
          </div>
        )}
        <Table rows={rows.slice(0, shown)} noun={one} isRunning={detail.running} stated={detail.problem ?? ''} />
        {rows.length === 0 && <p className="text-soft text-sm">{messages.noMatches}</p>}
        {rows.length > shown && (
          <Button size="small" className="self-start" onClick={() => setShown(shown + MORE_ROWS)}>
            {rows.length > shown + MORE_ROWS ? messages.showMore(MORE_ROWS) : messages.showAll(rows.length)}
          </Button>
        )}
      </div>
    </Panel>
  )
}

interface TableProps {
  readonly rows: readonly Partition[]
  readonly noun: string
  readonly isRunning: boolean
  /** The problem that the status above says. */
  readonly stated: string
}

function Table({ rows, noun, isRunning, stated }: TableProps) {
  return (
    <PartTable
      noun={noun}
      columns={
        <>
          <th className="hidden px-3 py-2 text-left font-medium sm:table-cell">{messages.lastSync}</th>
          <th className={`${PART_CELL} font-medium`}>{messages.items}</th>
          <th className={`${PART_CELL} font-medium`}>{messages.columnFailed}</th>
        </>
      }
    >
      <tbody>
        {rows.map((part) => (
          <tr key={part.id} className="border-line border-t">
            <th scope="row" className="px-3 py-2 text-left align-top font-normal">
              <span className="flex items-start gap-2">
                <Progress part={part} isRunning={isRunning} />
                <span className="min-w-0">
                  {!isNamedByProblem(part, stated) && (
                    <bdi className="[overflow-wrap:anywhere]">{shownText(part.title || part.id)}</bdi>
                  )}
                  <Problem part={part} isRunning={isRunning} stated={stated} />
                </span>
              </span>
            </th>
            <td className="text-soft hidden px-3 py-2 align-top whitespace-nowrap sm:table-cell">
              {part.last_success_at === null ? messages.never : <TimeAgo time={part.last_success_at} />}
            </td>
            <td className={PART_CELL}>{formatCount(part.items)}</td>
            <td className={PART_CELL}>{formatCount(part.failed)}</td>
          </tr>
        ))}
      </tbody>
    </PartTable>
  )
}

interface PartProps {
  readonly part: Partition
  readonly isRunning: boolean
}

function Progress({ part, isRunning }: PartProps) {
  const look = 'mt-0.5 size-4 shrink-0'
  if (hasProblem(part)) return <TriangleAlert className={`text-warn ${look}`} aria-label={messages.partProblem} />
  if (part.scanning && isRunning)
    return <LoaderCircle className={`text-accent ${look}`} aria-label={messages.partFirstSync} />
  if (part.complete) return <CircleCheck className={`text-good ${look}`} aria-label={messages.partComplete} />
  return <CircleDashed className={`text-soft ${look}`} aria-label={messages.partIncomplete} />
}

function Problem({
  part: { error, error_at: at, remedy, scanning },
  isRunning,
  stated,
}: PartProps & Pick<TableProps, 'stated'>) {
  if (error === null) {
    return (
      scanning && (
        <span className="text-soft block text-xs">{isRunning ? messages.syncing : messages.partlySynced}</span>
      )
    )
  }
  const isStated = stated.endsWith(error)
  return (
    <span className="text-warn block text-xs [overflow-wrap:anywhere]">
      {isStated ? messages.partProblem : statedProblem(error)}
      {remedy !== null && !isStated && ` ${messages.remedies[remedy]}`}
      {at !== null && (
        <span className="text-soft">
          {' '}
          (<TimeAgo time={at} />)
        </span>
      )}
    </span>
  )
}

/** As a folder by `~/notes doesn't exist.` */
function isNamedByProblem({ error, title }: Partition, stated: string): boolean {
  if (error === null || title === '' || stated.endsWith(error)) return false
  return isNamedIn(error, title)
}

function hasProblem({ error }: Partition): boolean {
  return error !== null
}
