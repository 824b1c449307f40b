import { Button } from '../../ui/button.tsx'
import { shownText } from '../../ui/source-text.tsx'
import type { Conversations } from './conversations.ts'
import { SavedSearches } from './saved-searches.tsx'
import { startMessages as messages } from './start-messages.ts'

/** General examples, because the content of the memory is unknown. */
const EXAMPLES = [messages.exampleDecision, messages.exampleWaiting, messages.exampleChange, messages.exampleProblems]

const MOST_SHOWN = 5

export interface StartChoicesProps {
  readonly recent: readonly string[]
  readonly conversations: Conversations
  readonly onSearch: (text: string) => void
  /** @param question of the conversation that `first` began */
  readonly onConversation: (first: string, question: string) => void
  readonly onClear: () => void
}

/** Saved and recent searches, conversations and examples. */
export function StartChoices({ recent, conversations, onSearch, onConversation, onClear }: StartChoicesProps) {
  return (
    <>
      <SavedSearches />
      {recent.length > 0 && (
        <Questions
          title={messages.recentSearches}
          texts={recent}
          onSearch={onSearch}
          action={
            <Button look="quiet" size="small" onClick={onClear}>
              {messages.clear}
            </Button>
          }
        />
      )}
      <RecentConversations conversations={conversations} onChoose={onConversation} />
      <Questions title={messages.examples} texts={EXAMPLES} onSearch={onSearch} />
    </>
  )
}

/** Conversations with follow-ups; other questions are among the recent searches. */
function RecentConversations({
  conversations: { list, clear },
  onChoose,
}: {
  readonly conversations: Conversations
  readonly onChoose: (first: string, question: string) => void
}) {
  const shown = list.filter(({ length }) => length > 1).slice(0, MOST_SHOWN)
  if (shown.length === 0) return null
  return (
    <section>
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="text-soft text-sm font-medium">{messages.recentConversations}</h2>
        <Button look="quiet" size="small" onClick={clear}>
          {messages.clear}
        </Button>
      </div>
      <ul className="mt-2 flex flex-wrap gap-2">
        {shown.map((turns) => (
          <li key={turns[0].question} className="max-w-full">
            <Button
              onClick={() => onChoose(turns[0].question, turns.at(-1)?.question ?? turns[0].question)}
              className="h-auto max-w-full py-1.5 text-left whitespace-normal"
            >
              <bdi className="[overflow-wrap:anywhere]">{shownText(turns[0].question)}</bdi>
              <span className="text-soft">{messages.followUps(turns.length - 1)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Questions({
  title,
  texts,
  onSearch,
  action,
}: {
  readonly title: string
  readonly texts: readonly string[]
  readonly onSearch: (text: string) => void
  readonly action?: React.ReactNode
}) {
  return (
    <section>
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="text-soft text-sm font-medium">{title}</h2>
        {action}
      </div>
      <ul className="mt-2 flex flex-wrap gap-2">
        {texts.map((text) => (
          <li key={text} className="max-w-full">
            <Button onClick={() => onSearch(text)} className="h-auto max-w-full py-1.5 text-left whitespace-normal">
              <bdi className="[overflow-wrap:anywhere]">{shownText(text)}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
