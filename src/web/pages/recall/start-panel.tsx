import { History, Plug, Upload } from 'lucide-react'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { EmptyState, Note, ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useOverview } from './recall-calls.ts'

/** Of no subject, as nobody knows what is in a memory. */
const EXAMPLES = [
  'What did we decide last week?',
  'Who wanted an answer from me?',
  'What changed in the plan this month?',
  'Which problems are still open?',
]

/** What is shown before anything is searched. */
export function StartPanel({
  recent,
  onSearch,
  onClear,
}: {
  readonly recent: readonly string[]
  readonly onSearch: (text: string) => void
  readonly onClear: () => void
}) {
  const { data, error, refetch } = useOverview()
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (data.items === 0) return <EmptyMemory />
  return (
    <div className="flex flex-col gap-8">
      {data.waiting > 0 && <Waiting waiting={data.waiting} />}
      {recent.length > 0 && (
        <Questions
          title="Recent searches in this browser"
          texts={recent}
          onSearch={onSearch}
          action={
            <Button look="quiet" size="small" onClick={onClear}>
              Clear
            </Button>
          }
        />
      )}
      <Questions title="For example" texts={EXAMPLES} onSearch={onSearch} />
      <p className="text-soft text-sm">
        {formatNoun(data.memories, 'memory', 'memories')} from {formatNoun(data.items, 'item')}
        {data.failed > 0 && (
          <>
            {'; '}
            <Link href="/library?states=failed" className="text-accent">
              {formatCount(data.failed)} could not be read
            </Link>
          </>
        )}
        .
      </p>
    </div>
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

/** Results may be missing that are on their way. */
export function Waiting({ waiting }: { readonly waiting: number }) {
  return (
    <Note>
      {waiting === 1 ? 'One item is' : `${formatCount(waiting)} items are`} still being processed; what{' '}
      {waiting === 1 ? 'it holds' : 'they hold'} is found when that is done.
    </Note>
  )
}

function EmptyMemory() {
  return (
    <EmptyState
      icon={<History aria-hidden />}
      title="Nothing is remembered yet"
      actions={
        <>
          <Link href="/sources/new" className={buttonClass('primary')}>
            <Plug aria-hidden />
            Connect a source
          </Link>
          <Link href="/library" className={buttonClass()}>
            <Upload aria-hidden />
            Upload files
          </Link>
        </>
      }
    >
      Connect what you work with, such as mail, chats and repositories, or upload files. What they say can be found here
      a moment later.
    </EmptyState>
  )
}
