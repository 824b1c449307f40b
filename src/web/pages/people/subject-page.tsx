import { Merge, Search } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { SubjectPage as Subject } from '../../../http/app/schemas/subjects.ts'
import { CallError } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatCount, formatDay } from '../../ui/formats.ts'
import { EmptyState, Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { messages } from './messages.ts'
import { type SubjectKind, useSubject } from './people-calls.ts'
import { PersonNames } from './person-names.tsx'
import { Citation, StatementList } from './statement-list.tsx'

/** The profile of a person, a project or a place. */
export function SubjectPage({ kind, name }: { readonly kind: string; readonly name: string }) {
  // The service refuses a kind that it does not know.
  const { data, error, refetch } = useSubject(kind as SubjectKind, decodeURIComponent(name))
  const [isMerging, setMerging] = useState(false)
  const shown = data?.name ?? decodeURIComponent(name)
  return (
    <Page
      title={shownText(shown)}
      back={{ href: kind === 'person' ? '/people' : `/people?view=${kind}`, title: messages.title }}
      actions={
        <>
          {data?.kind === 'person' && (
            <Button onClick={() => setMerging(true)}>
              <Merge aria-hidden />
              {messages.mergeWith}
            </Button>
          )}
          <Link href={`/?q=${encodeURIComponent(shown)}`} className={buttonClass()}>
            <Search aria-hidden />
            {messages.searchFor(shownText(shown))}
          </Link>
        </>
      }
    >
      {error !== null &&
        (error instanceof CallError && error.status === 404 ? (
          <div role="status">
            <EmptyState title={error.message} />
          </div>
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        ))}
      {data === undefined && error === null && <Skeleton lines={6} label={messages.loading} />}
      {data !== undefined && <SubjectFacts subject={data} />}
      {isMerging && <MergeDialog name={shown} onClose={() => setMerging(false)} />}
    </Page>
  )
}

function SubjectFacts({ subject }: { readonly subject: Subject }) {
  const { name, aliases, memories, first, last, sources, last_contact: contact } = subject
  const { their_promises: theirs, my_promises: mine, decisions, facts } = subject
  const isEmpty = [theirs, mine, decisions, facts].every((list) => list.length === 0)
  return (
    <>
      <div className="text-soft flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <span>
          {messages.memories(memories)}
          {first !== undefined && last !== undefined && `, ${messages.span(formatDay(first), formatDay(last))}`}
        </span>
        {aliases.length > 0 && <bdi>{messages.alsoKnownAs(shownText(aliases.join(', ')))}</bdi>}
        <span className="flex flex-wrap gap-1.5">
          {sources.map(({ source, memories: count }) => (
            <Badge key={source}>
              <SourceIcon sourceType={source} className="size-3.5" />
              {sourceTitle(source)} {formatCount(count)}
            </Badge>
          ))}
        </span>
      </div>
      {subject.kind === 'person' && <PersonNames subject={subject} />}
      {contact !== undefined && (
        <section>
          <h2 className="text-soft mb-1.5 text-[0.8125rem] font-medium">{messages.lastContact}</h2>
          <Citation cited={contact} />
        </section>
      )}
      <StatementList title={messages.theirPromises(shownText(name))} statements={theirs} />
      <StatementList title={messages.myPromises} statements={mine} />
      <StatementList title={messages.decisions} statements={decisions} />
      <StatementList title={messages.facts} statements={facts} />
      {isEmpty && <Note>{messages.noStatements}</Note>}
      {!subject.is_complete && <p className="text-soft text-sm">{messages.newestOnly(subject.looked_at)}</p>}
    </>
  )
}
