import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import type { Connector, Sources } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { AccessStep } from './access-step.tsx'
import { ChoicePanel } from './choice-panel.tsx'
import { WithCode } from './instructions.tsx'
import { messages } from './messages.ts'
import { BackLink, ConnectorIcon, SourceLimits } from './page-parts.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { ScheduleField } from './schedule-panel.tsx'
import { type Settings, SettingsForm } from './settings-panel.tsx'
import { fieldsQuery, SOURCES_QUERY } from './source-calls.ts'
import { type Connecting, useConnecting } from './use-connecting.ts'

/** The page to connect one connector. */
export function ConnectPage({ connectorId }: { readonly connectorId: string }) {
  const { data, error, refetch } = useQuery(SOURCES_QUERY)
  const connector = data?.connectors.find(({ id }) => id === connectorId)
  return (
    <Page
      title={connector === undefined ? messages.addSource : messages.connectTitle(connector.title)}
      actions={<BackLink href="/sources/new">{messages.allConnectors}</BackLink>}
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && connector === undefined && (
        <EmptyState
          title={messages.connectorNotFound}
          actions={<Link href="/sources/new">{messages.chooseConnector}</Link>}
        />
      )}
      {data !== undefined && connector !== undefined && <Steps connector={connector} sources={data} />}
    </Page>
  )
}

function Steps({ connector, sources }: { readonly connector: Connector; readonly sources: Sources }) {
  const { data, error, refetch } = useQuery(fieldsQuery(connector.id))
  return (
    <>
      <About connector={connector} />
      <SourceLimits sources={sources} />
      {!sources.editable || error !== null ? (
        error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <ConnectForm key={connector.id} connector={connector} fields={data.fields} sources={sources} />
      )}
    </>
  )
}

function About({ connector }: { readonly connector: Connector }) {
  const { item, removed, api, limits } = connector.about
  const facts = [
    [messages.aboutItem, item],
    [messages.aboutDeletions, removed],
    [messages.aboutApi, api],
    [messages.aboutLimits, limits],
  ] as const
  return (
    <div className="flex items-start gap-4">
      <ConnectorIcon connector={connector} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p>{connector.summary}</p>
        <details className="text-sm">
          <summary className="text-soft hover:text-ink w-fit">{messages.howItWorks}</summary>
          <dl className="mt-3 grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_1fr]">
            {facts
              .filter(([, text]) => text !== '' && text !== '-')
              .map(([name, text]) => (
                <div key={name} className="contents">
                  <dt className="text-soft">{name}</dt>
                  <dd className="mb-1.5 [overflow-wrap:anywhere] sm:mb-0">
                    <WithCode text={text} />
                  </dd>
                </div>
              ))}
          </dl>
        </details>
      </div>
    </div>
  )
}

/** All steps on one page; nothing is saved before the last. */
function ConnectForm(connecting: Connecting) {
  const { connector, fields } = connecting
  const form = useConnecting(connecting)
  const { draft, change, problems, connect } = form
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate()
      }}
    >
      <FormStep step={1} title={messages.stepName}>
        <TextField
          label={messages.nameLabel}
          about={messages.nameAbout}
          className="max-w-sm"
          value={draft.name}
          onValue={(name) => change({ name })}
          problem={problems.name}
          autoComplete="off"
          spellCheck={false}
        />
      </FormStep>
      <FormStep step={2} title={messages.stepAccess}>
        <AccessStep
          connector={connector}
          name={draft.name.trim() || 'me'}
          access={draft}
          onAccess={change}
          token={form.token}
          onToken={form.changeToken}
          problems={problems}
        />
      </FormStep>
      <FormStep step={3} title={messages.stepContent}>
        <SettingsForm
          fields={fields}
          changes={draft.settings}
          onChanges={(settings) => change({ settings })}
          problems={problems}
        />
      </FormStep>
      <FormStep step={4} title={messages.stepSchedule}>
        <ScheduleField
          schedule={draft.schedule}
          onSchedule={(schedule) => change({ schedule })}
          standard={connector.schedule_words}
          problem={problems.schedule}
        />
      </FormStep>
      <LastStep connecting={connecting} form={form} />
    </form>
  )
}

interface LastStepProps {
  readonly connecting: Connecting
  readonly form: ReturnType<typeof useConnecting>
}

function LastStep({
  connecting: { connector, fields },
  form: { draft, change, request, missing, connect, reportProblem },
}: LastStepProps) {
  const { settings, token } = request
  const of = { id: connector.id }
  const body = { settings, ...(token !== undefined && { token }) }
  const { choosing } = connector
  return (
    <FormStep step={5} title={messages.stepPreview}>
      <div className="flex flex-col gap-5">
        {choosing !== null && (
          <ChoicePanel
            of={of}
            request={body}
            partNoun={connector.part_noun}
            rules={draft.settings[choosing] ?? null}
            onRules={(rules) => change({ settings: withSetting(draft.settings, choosing, rules) })}
            missing={missing}
          />
        )}
        <PreviewPanel
          of={of}
          request={body}
          partNoun={connector.part_noun}
          canExclude={fields.some(({ name }) => name === 'exclude')}
          missing={missing}
          onProblem={reportProblem}
        />
        {connect.error !== null && <ProblemNote error={connect.error} />}
        <Button look="primary" type="submit" busy={connect.isPending} className="self-start">
          <Plug aria-hidden />
          {messages.connectTitle(connector.title)}
        </Button>
      </div>
    </FormStep>
  )
}

/** A setting with its default is no change. */
function withSetting(settings: Settings, name: string, value: unknown): Settings {
  const { [name]: _, ...others } = settings
  return value === null ? others : { ...others, [name]: value }
}

/** One step of the form. */
function FormStep({
  step,
  title,
  children,
}: {
  readonly step: number
  readonly title: string
  readonly children: ReactNode
}) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="bg-sheet border-line rounded-card border p-5">
      <h2 id={heading} className="mb-4 flex items-center gap-3 text-base font-semibold">
        <span
          className="bg-raised text-soft flex size-6 items-center justify-center rounded-full text-xs tabular-nums"
          aria-hidden
        >
          {step}
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}
