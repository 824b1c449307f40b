import { ArrowLeft, ArrowRight, Check, Plug } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Note } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { AccessStep } from './access-step.tsx'
import { ChoicePanel } from './choice-panel.tsx'
import { messages } from './messages.ts'
import { namedAccount } from './page-parts.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { ScheduleField } from './schedule-panel.tsx'
import { scheduleWords } from './schedule-words.ts'
import { isOfAccess, type Settings, SettingsForm } from './settings-panel.tsx'
import { SourceProblemNote, statedProblem } from './source-problem.tsx'
import { addImport, CONNECT_STEPS, type Connecting, type ConnectStep, useConnecting } from './use-connecting.ts'

const TITLES: Readonly<Record<ConnectStep, string>> = {
  access: messages.stepAccess,
  content: messages.stepContent,
  schedule: messages.stepSchedule,
}

interface StepProps {
  readonly connecting: Connecting
  readonly form: ReturnType<typeof useConnecting>
}

/** Connecting in three steps: access, what to sync, schedule. Nothing is saved before the last. */
export function ConnectSteps(connecting: Connecting) {
  const form = useConnecting(connecting)
  const { step, isPending, proceed, goBack } = form
  const props = { connecting, form }
  const isLast = step === 'schedule'
  const box = useRef<HTMLFormElement>(null)
  const { error } = form
  useEffect(() => {
    // A refused field says why when it gets the focus.
    if (error !== null) box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <form
      ref={box}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        proceed()
      }}
    >
      <StepList step={step} onStep={goBack} />
      <div className="bg-sheet border-line rounded-card flex flex-col gap-5 border p-5">
        {/* Stays mounted while exports are uploaded. */}
        {(step === 'access' || connecting.connector.importing !== null) && <Access {...props} />}
        {/* Stays mounted, so that the preview is not read again when coming back from the schedule. */}
        {step !== 'access' && <Content {...props} />}
        {isLast && <Schedule {...props} />}
        {form.error !== null && <SourceProblemNote error={form.error} />}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={isPending}>
            {isLast ? <Plug aria-hidden /> : <ArrowRight aria-hidden />}
            {isLast ? messages.connectTitle(connecting.connector.title) : uiMessages.continue}
          </Button>
          {step !== 'access' && (
            <Button look="quiet" disabled={isPending} onClick={() => goBack(isLast ? 'content' : 'access')}>
              <ArrowLeft aria-hidden />
              {uiMessages.back}
            </Button>
          )}
          {isPending && step === 'access' && (
            <span role="status" className="text-soft self-center text-sm">
              {messages.checkingAccess}
            </span>
          )}
        </div>
      </div>
    </form>
  )
}

/** The current step; completed steps can be revisited. */
function StepList({ step, onStep }: { readonly step: ConnectStep; readonly onStep: (step: ConnectStep) => void }) {
  const now = CONNECT_STEPS.indexOf(step)
  return (
    <ol aria-label={messages.steps} className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {CONNECT_STEPS.map((one, index) => (
        <li key={one} aria-current={one === step ? 'step' : undefined} className="flex items-center gap-2">
          <span
            className={`flex size-6 items-center justify-center rounded-full text-xs tabular-nums ${index === now ? 'bg-accent text-on-accent' : 'bg-raised text-soft'}`}
            aria-hidden
          >
            {index < now ? <Check className="size-3.5" /> : index + 1}
          </span>
          {index < now ? (
            <button type="button" className="hover:text-ink text-soft underline" onClick={() => onStep(one)}>
              {TITLES[one]}
            </button>
          ) : (
            <span className={index === now ? 'font-medium' : 'text-soft'}>{TITLES[one]}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

interface StepSectionProps {
  readonly step: ConnectStep
  readonly isHidden?: boolean
  readonly children: ReactNode
}

/** One step. Its heading gets the focus, so that screen readers read it. */
function StepSection({ step, isHidden = false, children }: StepSectionProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The first step is where the page begins.
    if (!isHidden && (step !== 'access' || document.activeElement === document.body)) heading.current?.focus()
  }, [isHidden, step])
  return (
    <section aria-labelledby={id} hidden={isHidden} className="flex flex-col gap-5 [&[hidden]]:hidden">
      <h2 id={id} ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        {TITLES[step]}
      </h2>
      {children}
    </section>
  )
}

function Access({ connecting: { connector, fields, sources }, form }: StepProps) {
  const { draft, change, problems, step } = form
  const [, navigate] = useLocation()
  const own = fields.filter(isOfAccess)
  const settings = (isRequired: boolean) => {
    const some = own.filter(({ required }) => required === isRequired)
    if (some.length === 0) return null
    return (
      <SettingsForm
        fields={some}
        changes={draft.settings}
        onChanges={(changed) => change({ settings: changed })}
        problems={problems}
        importing={connector}
        onOtherExport={(file) => navigate(addImport(file, sources))}
      />
    )
  }
  return (
    <StepSection step="access" isHidden={step !== 'access'}>
      <AccessStep
        fields={fields.map(({ name }) => name)}
        connector={connector}
        name={draft.name.trim() || 'me'}
        access={draft}
        onAccess={change}
        token={form.token}
        onToken={form.changeToken}
        problems={problems}
      >
        {settings(true)}
      </AccessStep>
      <TextField
        label={messages.nameLabel}
        about={messages.nameAbout}
        className="max-w-xl"
        value={draft.name}
        onValue={(name) => change({ name })}
        problem={problems.name}
        autoComplete="off"
        spellCheck={false}
      />
      {settings(false)}
    </StepSection>
  )
}

function Content({ connecting: { connector, fields }, form }: StepProps) {
  const { draft, change, problems, request, missing, reportProblem, checked, step } = form
  const { settings, token } = request
  const of = { id: connector.id }
  const body = { settings, ...(token !== undefined && { token }) }
  const { choosing } = connector
  const account = namedAccount({ account: checked?.account ?? null })
  const own = fields.filter((field) => !isOfAccess(field))
  return (
    <StepSection step="content" isHidden={step !== 'content'}>
      {account !== null && (
        <p className="text-soft text-sm">
          {messages.accessWorks} <bdi>{shownText(account)}</bdi>
        </p>
      )}
      {checked?.warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {statedProblem(warning)}
        </Note>
      ))}
      <PreviewPanel
        of={of}
        request={body}
        partNoun={connector.part_noun}
        canExclude={fields.some(({ name }) => name === 'exclude')}
        missing={missing}
        onProblem={reportProblem}
        isImmediate
      />
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
      <SettingsForm
        fields={own}
        changes={draft.settings}
        onChanges={(changed) => change({ settings: changed })}
        problems={problems}
      />
    </StepSection>
  )
}

function Schedule({ connecting: { connector }, form: { draft, change, problems } }: StepProps) {
  return (
    <StepSection step="schedule">
      <p className="text-soft text-sm">{messages.scheduleAbout}</p>
      <ScheduleField
        schedule={draft.schedule}
        onSchedule={(schedule) => change({ schedule })}
        standard={scheduleWords(connector.default_schedule)}
        problem={problems.schedule}
      />
    </StepSection>
  )
}

/** A setting with its default is no change. */
function withSetting(settings: Settings, name: string, value: unknown): Settings {
  const { [name]: _, ...others } = settings
  return value === null ? others : { ...others, [name]: value }
}
