import { shownText } from '../../ui/source-text.tsx'
import type { Turn } from './conversations.ts'
import { messages } from './messages.ts'

/** The questions before this one with their answers in a line; choosing one shows it again. */
export function EarlierTurns({
  turns,
  question,
  onChoose,
}: {
  readonly turns: readonly Turn[]
  readonly question: string
  readonly onChoose: (question: string) => void
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <section aria-label={messages.earlierInConversation} tabIndex={0} className="max-h-36 overflow-y-auto">
        <ol className="flex flex-col gap-2">
          {turns.map((turn) => (
            <li key={turn.question}>
              <button
                type="button"
                onClick={() => onChoose(turn.question)}
                className="hover:bg-raised -mx-2 block w-[calc(100%+1rem)] rounded-lg px-2 py-1 text-left"
              >
                <bdi className="text-soft block text-[0.8125rem] font-medium">{shownText(turn.question)}</bdi>
                <bdi className="line-clamp-1 text-sm">{shownText(turn.answer)}</bdi>
              </button>
            </li>
          ))}
        </ol>
      </section>
      <p className="border-line mt-2 border-t pt-2 text-sm font-medium">
        <bdi className="[overflow-wrap:anywhere]">{shownText(question)}</bdi>
      </p>
    </>
  )
}
