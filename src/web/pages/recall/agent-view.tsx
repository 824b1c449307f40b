import { useQueryClient } from '@tanstack/react-query'
import { ChevronUp } from 'lucide-react'
import { Link } from 'wouter'
import type { FoundMemory, RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatDay } from '../../ui/formats.ts'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { formatWhen } from '../../ui/when-text.ts'
import { useMemoryEdits } from '../memory-edits/edit-calls.ts'
import { EditActions, EditNotes } from '../memory-edits/memory-edits.tsx'
import { messages as reading } from '../reading/messages.ts'
import { correctedResults } from './corrected-results.ts'
import { messages } from './messages.ts'
import { itemPath } from './recall-calls.ts'
import { ScoreExplanation } from './score-explanation.tsx'

interface AgentViewProps {
  readonly result: FoundMemory
  readonly onPerson: (person: string) => void
  /** Called when the memory was corrected, annotated or pinned, which changes the results. */
  readonly onEdited: () => Promise<unknown>
}

/** Folded section: the memory that agents see for a result, why it was found, its correction and its notes. */
export function AgentView({ result, onPerson, onEdited }: AgentViewProps) {
  const queries = useQueryClient()
  const { person } = useViewer()
  const onCorrected = (text: string) => {
    const correction = { memory: result, text, by: person.name, at: new Date().toISOString() }
    queries.setQueriesData<RecallAnswer>({ queryKey: ['recall'] }, (data) => data && correctedResults(data, correction))
  }
  const editing = useMemoryEdits(result, { onEdited, onCorrected })
  const { source, headline, narrative, matches, correction, pin, notes, note_on } = result
  return (
    <details className="group border-line shrink-0 border-t">
      <summary className="text-soft hover:text-ink flex list-none items-center gap-2 px-5 py-2.5 text-[0.8125rem] font-medium select-none [&::-webkit-details-marker]:hidden">
        {reading.agentsView}
        <ChevronUp className="size-4 transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      {/* Focusable, so that the arrow keys scroll it. */}
      <section
        aria-label={reading.agentsView}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
        tabIndex={0}
        className="flex max-h-[32dvh] flex-col gap-3 overflow-y-auto px-5 pb-4 text-sm outline-offset-[-2px]"
      >
        {headline !== null && (
          <p className="font-semibold">
            <SourceText text={headline} spans={matches.headline} />
          </p>
        )}
        <EditNotes source={source} {...{ correction, pin, notes, note_on }} editing={editing} />
        {narrative !== null && (
          <p className="max-w-prose">
            <SourceText text={narrative} spans={matches.narrative} />
          </p>
        )}
        <MemoryFacts result={result} onPerson={onPerson} />
        <Copies copies={result.also_in} />
        <EditActions
          text={result.body ?? narrative ?? ''}
          isCorrected={correction !== null}
          isPinned={pin !== null}
          isNote={note_on !== null}
          editing={editing}
        />
        <details>
          <summary className="text-soft hover:text-ink w-fit text-[0.8125rem] font-medium select-none">
            {messages.explanation}
          </summary>
          <ScoreExplanation score={result.score} why={result.why} />
        </details>
      </section>
    </details>
  )
}

function MemoryFacts({ result, onPerson }: Pick<AgentViewProps, 'result' | 'onPerson'>) {
  const { when, at, where, participants, tags, other_entities } = result
  const time = when === null ? at && formatDay(at) : formatWhen(when)
  const entities = other_entities.map(({ entity_name, entity_type }) => `${entity_name} (${entity_type})`)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[0.8125rem] [&_dt]:text-soft">
      {time !== null && <Fact label={messages.date}>{time}</Fact>}
      {where !== null && <Fact label={messages.place}>{where}</Fact>}
      {participants.length > 0 && (
        <div className="contents">
          <dt>{messages.people}</dt>
          <dd className="flex flex-wrap gap-x-3">
            {participants.map((name) => (
              <button
                key={name}
                type="button"
                title={messages.onlyPerson}
                onClick={() => onPerson(name)}
                className="text-accent min-h-6 text-left underline-offset-2 hover:underline"
              >
                <SourceText text={name} />
              </button>
            ))}
          </dd>
        </div>
      )}
      {entities.length > 0 && <Fact label={messages.mentions}>{entities.join(', ')}</Fact>}
      {tags.length > 0 && (
        <div className="contents">
          <dt>{messages.tags}</dt>
          <dd className="flex flex-wrap gap-1">
            {[...new Set(tags)].map((tag) => (
              <Badge key={tag}>
                <bdi>{shownText(tag)}</bdi>
              </Badge>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <div className="contents">
      <dt>{label}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <bdi>{shownText(children)}</bdi>
      </dd>
    </div>
  )
}

/** Other items with the same text, which are not listed as results. */
function Copies({ copies }: { readonly copies: FoundMemory['also_in'] }) {
  if (copies.length === 0) return null
  return (
    <div className="text-[0.8125rem]">
      <p className="text-soft">{messages.alsoIn(copies.length)}</p>
      <ul className="mt-1 flex flex-col gap-1.5">
        {copies.map(({ custom_id, source, item_id, title, when }) => (
          <li key={custom_id} className="flex min-w-0 items-center gap-2">
            <SourceIcon sourceType={source} className="text-soft size-3.5 shrink-0" />
            <Link
              href={itemPath(source, item_id)}
              className="text-accent min-w-0 truncate underline-offset-2 hover:underline"
            >
              <bdi>{shownText(title ?? sourceTitle(source))}</bdi>
            </Link>
            {when !== null && <bdi className="text-soft shrink-0">{shownText(formatWhen(when))}</bdi>}
          </li>
        ))}
      </ul>
    </div>
  )
}
