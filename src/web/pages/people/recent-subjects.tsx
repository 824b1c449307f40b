import { Link } from 'wouter'
import type { SubjectList } from '../../../http/app/schemas/subjects.ts'
import { buttonClass } from '../../ui/button.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { type SubjectKind, subjectPath, useRecentProfile } from './people-calls.ts'

/** People and projects of the last 30 days, for the first page. */
export function RecentSubjects() {
  const { data } = useRecentProfile()
  if (data === undefined) return null
  return (
    <>
      <Recent title={messages.recentPeople} kind="person" subjects={data.people} />
      <Recent title={messages.recentProjects} kind="project" subjects={data.projects} />
    </>
  )
}

function Recent({
  title,
  kind,
  subjects,
}: {
  readonly title: string
  readonly kind: SubjectKind
  readonly subjects: SubjectList['subjects']
}) {
  if (subjects.length === 0) return null
  return (
    <section>
      <h2 className="text-soft text-sm font-medium">{title}</h2>
      <ul className="mt-2 flex flex-wrap gap-2">
        {subjects.map(({ name }) => (
          <li key={name} className="max-w-full">
            <Link href={subjectPath(kind, name)} className={`${buttonClass()} max-w-full`}>
              <bdi className="truncate">{shownText(name)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
