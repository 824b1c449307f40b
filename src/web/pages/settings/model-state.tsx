import type { EmbeddingModelOverview, LanguageModelOverview } from '../../../http/app/schemas/settings.ts'
import { formatCount, formatNoun, formatTime } from '../../ui/formats.ts'
import { Note } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'

const USES = { extract: 'makes memories in the background', ask: 'words answers' } as const

/** What a language model is used for, what it did and what waits for it. */
export function LanguageState({ language: { model, uses, work } }: { readonly language: LanguageModelOverview }) {
  return (
    <>
      {model !== null && <p className="text-soft text-sm">It {uses.map((use) => USES[use]).join(' and ')}.</p>}
      {work !== null && (
        <p className="text-soft text-sm">
          {[
            `Made the memories of ${formatNoun(work.refined, 'item')}`,
            ...(work.given_up > 0 ? [`gave up on ${formatCount(work.given_up)}`] : []),
            ...(work.unproven > 0 ? [`${formatCount(work.unproven)} statements without proof were left out`] : []),
            `today ${formatNoun(work.today.tokens, 'token')} and ${work.today.dollars.toFixed(2)} USD`,
          ].join('; ')}
          .
        </p>
      )}
      {work?.waiting.map(({ items, message, until }) =>
        message === null ? (
          <p key="turn" className="text-soft text-sm">
            {formatNoun(items, 'item')} {items === 1 ? 'waits' : 'wait'} for {items === 1 ? 'its' : 'their'} turn.
          </p>
        ) : (
          <Note key={message} tone="warn">
            {formatNoun(items, 'item')} {items === 1 ? 'waits' : 'wait'}: {message}
            {until === null ? '' : ` It goes on ${formatTime(until)}.`}
          </Note>
        ),
      )}
    </>
  )
}

/** How much of the memory has vectors of the model that is used, and of one that is to take over. */
export function EmbeddingState({ embedding }: { readonly embedding: EmbeddingModelOverview }) {
  const { texts, building, problems } = embedding
  return (
    <>
      {texts !== null && <Filling title="Texts with vectors" done={texts.embedded} all={texts.all} />}
      {building !== null && (
        <Filling title={`${building.model} is made ready`} done={building.embedded} all={building.all} />
      )}
      {problems.map(({ message, retry_at: retryAt }) => (
        <Note key={message} tone="warn">
          {message}
          {retryAt === null ? '' : ` It is tried again ${formatTime(retryAt)}.`}
        </Note>
      ))}
    </>
  )
}

function Filling({ title, done, all }: { readonly title: string; readonly done: number; readonly all: number }) {
  return (
    <div className="flex max-w-md flex-col gap-1.5">
      <p className="text-soft flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{title}</span>
        <span className="tabular-nums">
          {formatCount(done)} of {formatCount(all)}
        </span>
      </p>
      <ProgressBar label={title} value={done} most={all} />
    </div>
  )
}
