import { CircleArrowUp, Clock, MapPin, Users } from 'lucide-react'
import type { FoundMemory } from '../../../app-api/wire/recall.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay } from '../../ui/formats.ts'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { AlsoIn } from './also-in.tsx'
import { LongText } from './long-text.tsx'
import { ResultMore } from './result-more.tsx'
import { ScoreBar } from './score-bar.tsx'

export interface ResultCardProps {
  readonly result: FoundMemory
  /** The results by `custom_id`. */
  readonly here: ReadonlyMap<string, FoundMemory>
  readonly onPerson: (person: string) => void
  /** Leads to another result. */
  readonly onShow: (customId: string) => void
}

/** More are people of a mailing list. */
const MOST_PEOPLE = 6

/** One memory: what it says, who, when and where, where it is from, and why it is here. */
export function ResultCard({ result, here, onPerson, onShow }: ResultCardProps) {
  const { custom_id, source, headline, narrative, title, matches, score, superseded_by } = result
  const name = headline ?? title
  return (
    <article
      id={`memory-${custom_id}`}
      tabIndex={-1}
      aria-labelledby={`title-${custom_id}`}
      className="bg-sheet border-line rounded-card focus:border-accent focus:ring-accent flex flex-col gap-2.5 border p-4 outline-none focus:ring-1 sm:p-5"
    >
      <div className="text-soft flex items-center gap-2 text-[0.8125rem]">
        <SourceIcon sourceType={source} className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate">
          {sourceTitle(source)}
          {title !== null && title !== name && <bdi> · {shownText(title)}</bdi>}
        </span>
        <ScoreBar score={score} />
      </div>
      <h3 id={`title-${custom_id}`} className="font-semibold">
        <SourceText text={name ?? 'Without a title'} spans={headline === null ? [] : matches.headline} />
      </h3>
      {superseded_by !== null && <ReplacedBy customId={superseded_by} here={here} onShow={onShow} />}
      {narrative !== null && <LongText text={narrative} spans={matches.narrative} />}
      <Facts result={result} onPerson={onPerson} />
      <Replaces result={result} here={here} onShow={onShow} />
      <AlsoIn copies={result.also_in} />
      <ResultMore result={result} />
    </article>
  )
}

function Facts({ result, onPerson }: Pick<ResultCardProps, 'result' | 'onPerson'>) {
  const { participants, when, at, where } = result
  const time = when ?? (at === null ? null : formatDay(at))
  if (participants.length === 0 && time === null && where === null) return null
  return (
    <div className="text-soft flex flex-wrap gap-x-5 gap-y-1.5 text-[0.8125rem] [&_svg]:size-3.5 [&_svg]:shrink-0">
      {time !== null && (
        <span className="flex min-w-0 items-center gap-1.5">
          <Clock role="img" aria-label="When" />
          <SourceText text={time} />
        </span>
      )}
      {participants.length > 0 && (
        <span className="flex min-w-0 items-start gap-1.5">
          <Users role="img" aria-label="People" className="mt-1" />
          <span className="flex min-w-0 flex-wrap gap-x-2">
            {participants.slice(0, MOST_PEOPLE).map((name) => (
              <button
                key={name}
                type="button"
                title="Show only what they take part in"
                onClick={() => onPerson(name)}
                className="hover:text-ink text-left underline-offset-2 hover:underline"
              >
                <SourceText text={name} />
              </button>
            ))}
            {participants.length > MOST_PEOPLE && <span>and {participants.length - MOST_PEOPLE} more</span>}
          </span>
        </span>
      )}
      {where !== null && (
        <span className="flex min-w-0 items-center gap-1.5">
          <MapPin role="img" aria-label="Where" />
          <SourceText text={where} />
        </span>
      )}
    </div>
  )
}

type Other = Pick<ResultCardProps, 'here' | 'onShow'>

function ReplacedBy({ customId, here, onShow }: Other & { readonly customId: string }) {
  return (
    <p className="bg-warn-soft text-warn flex w-fit flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-1.5 text-[0.8125rem]">
      Something newer was said about this.
      {here.has(customId) && (
        <Button size="small" onClick={() => onShow(customId)}>
          Show what holds now
        </Button>
      )}
    </p>
  )
}

function Replaces({ result, here, onShow }: Other & Pick<ResultCardProps, 'result'>) {
  if (result.supersedes.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-[0.8125rem]">
      {result.supersedes.map(({ custom_id, when }) => (
        <li key={custom_id} className="text-good flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-1.5">
            <CircleArrowUp className="size-3.5 shrink-0" aria-hidden />
            <span>
              Replaces what was said before
              {when !== null && (
                <>
                  , <SourceText text={when} />
                </>
              )}
            </span>
          </span>
          {here.has(custom_id) && (
            <Button size="small" look="quiet" onClick={() => onShow(custom_id)}>
              Show it
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
