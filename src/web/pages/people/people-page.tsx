import { Users } from 'lucide-react'
import { useState } from 'react'
import { Link, Route, Switch, useLocation, useSearchParams } from 'wouter'
import type { SubjectList } from '../../../http/app/schemas/subjects.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatDay } from '../../ui/formats.ts'
import { EmptyState, Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { type SubjectKind, subjectPath, useSubjects } from './people-calls.ts'
import { NameDecisions } from './person-names.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SubjectPage } from './subject-page.tsx'

const PAGE_SIZE = 60
const VIEWS = ['person', 'project', 'place', 'you'] as const
type View = (typeof VIEWS)[number]

/** The pages below /people. */
export function PeoplePages() {
  return (
    <Switch>
      <Route path="/people/:kind/:name">{(params) => <SubjectPage {...params} />}</Route>
      <Route>
        <PeoplePage />
      </Route>
    </Switch>
  )
}

function PeoplePage() {
  const [params] = useSearchParams()
  const [, go] = useLocation()
  const view: View = VIEWS.find((one) => one === params.get('view')) ?? 'person'
  return (
    <Page title={messages.title} about={messages.about}>
      <SegmentedChoice
        label={messages.kind}
        value={view}
        options={VIEWS.map((value) => ({ value, label: value === 'you' ? messages.you : messages.kinds[value] }))}
        onValue={(value) => go(value === 'person' ? '/people' : `/people?view=${value}`)}
      />
      {view === 'you' ? <ProfilePanel /> : <Subjects key={view} kind={view} />}
      {view === 'person' && <NameDecisions />}
    </Page>
  )
}

function Subjects({ kind }: { readonly kind: SubjectKind }) {
  const [limit, setLimit] = useState(PAGE_SIZE)
  const { data, error, refetch, isFetching } = useSubjects(kind, limit)
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} label={messages.loading} />
  const { subjects, total } = data
  if (subjects.length === 0) {
    return (
      <EmptyState
        icon={<Users aria-hidden />}
        title={messages.none[kind]}
        actions={
          <Link href="/sources/new" className={buttonClass()}>
            {messages.connectSource}
          </Link>
        }
      >
        {messages.noneAbout}
      </EmptyState>
    )
  }
  return (
    <>
      {!data.is_complete && <Note>{messages.newestOnly(data.looked_at)}</Note>}
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {subjects.map((subject) => (
          <li key={subject.name}>
            <SubjectCard kind={kind} subject={subject} />
          </li>
        ))}
      </ul>
      {subjects.length < total && (
        <div className="flex items-center gap-3">
          <Button busy={isFetching} onClick={() => setLimit(limit + PAGE_SIZE)}>
            {messages.showMore}
          </Button>
          <span className="text-soft text-sm">{messages.listed(subjects.length, total)}</span>
        </div>
      )}
    </>
  )
}

function SubjectCard({
  kind,
  subject: { name, memories, last },
}: {
  readonly kind: SubjectKind
  readonly subject: SubjectList['subjects'][number]
}) {
  return (
    <Link
      href={subjectPath(kind, name)}
      className="border-line bg-sheet rounded-card hover:bg-raised flex h-full flex-col gap-0.5 border px-4 py-3 text-inherit no-underline transition-colors"
    >
      <bdi className="truncate font-medium">{shownText(name)}</bdi>
      <span className="text-soft text-[0.8125rem]">
        {messages.memories(memories)}
        {last !== undefined && (
          <>
            {' · '}
            <span className="whitespace-nowrap">{messages.lastSeen(formatDay(last))}</span>
          </>
        )}
      </span>
    </Link>
  )
}
