import { CircleAlert, CircleCheck, FlaskConical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type {
  EmbeddingModelOverview,
  LanguageModelOverview,
  ModelsOverview,
  ModelTrial,
} from '../../../http/app/schemas/settings.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatCount, formatNoun, formatTime } from '../../ui/formats.ts'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { MODEL_EXAMPLES } from './model-examples.ts'
import { useModels, useModelTest, useServer } from './settings-calls.ts'

/** Which models are used for what, how far they are, whether they work, and how to use others. */
export function ModelsPanel() {
  const { person } = useViewer()
  const { data, error, refetch } = useModels()
  const test = useModelTest()
  return (
    <div className="flex flex-col gap-6">
      <Panel
        title="Models in use"
        about="recalld needs none: what is built in works without a network, a key or a large model."
        actions={
          person.is_admin && (
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              {!test.isPending && <FlaskConical aria-hidden />}
              {test.isPending ? 'Testing' : 'Test them'}
            </Button>
          )
        }
      >
        {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={6} />}
        <div aria-live="polite" className="flex flex-col gap-4">
          {test.error !== null && <ProblemNote error={test.error} onRetry={() => test.mutate()} />}
          {data !== undefined && <Models models={data} trials={test.data?.trials ?? []} />}
        </div>
      </Panel>
      <ModelExamples />
    </div>
  )
}

function Models({ models, trials }: { readonly models: ModelsOverview; readonly trials: readonly ModelTrial[] }) {
  const { problem, language, embedding, reranker } = models
  const trialOf = (kind: ModelTrial['kind']) => trials.find((trial) => trial.kind === kind)
  return (
    <>
      {problem !== null && <Note tone="warn">{problem}</Note>}
      <ul className="divide-line -mx-5 divide-y">
        <ModelRow
          title="Making memories and wording answers"
          model={language.model}
          builtIn="Rules make memories from what is written, and answers are exact quotations with their sources."
          trial={trialOf('language')}
        >
          <LanguageState language={language} />
        </ModelRow>
        <ModelRow
          title="Finding what is meant in other words"
          model={embedding.model}
          builtIn="A small table of word vectors on this machine. It knows English best; names and exact words are found in every language."
          trial={trialOf('embedding')}
          builtInTrial={trialOf('built-in')}
        >
          <EmbeddingState embedding={embedding} />
        </ModelRow>
        <ModelRow
          title="Ordering what was found"
          model={reranker}
          builtIn="A mix of words, meaning, time and neighbouring passages, with weights that were measured."
          trial={trialOf('reranker')}
        />
      </ul>
    </>
  )
}

/** What one task is done by, and how that did when it was tried. */
function ModelRow({
  title,
  model,
  builtIn,
  trial,
  builtInTrial,
  children,
}: {
  readonly title: string
  /** Null: what is built in does it. */
  readonly model: string | null
  /** How it is done without a model. */
  readonly builtIn: string
  readonly trial: ModelTrial | undefined
  readonly builtInTrial?: ModelTrial | undefined
  readonly children?: ReactNode
}) {
  return (
    <li className="flex flex-col gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">{title}</h3>
        {model === null ? (
          <Badge>Built in</Badge>
        ) : (
          <Badge tone="accent" className="max-w-full overflow-hidden">
            <bdi className="truncate">{shownText(model)}</bdi>
          </Badge>
        )}
      </div>
      {model === null && <p className="text-soft max-w-prose text-sm">{builtIn}</p>}
      {children}
      {builtInTrial !== undefined && <Trial trial={builtInTrial} />}
      {trial !== undefined && <Trial trial={trial} />}
    </li>
  )
}

function Trial({ trial }: { readonly trial: ModelTrial }) {
  const { kind, model, problem } = trial
  const name = kind === 'built-in' ? 'The built-in model' : shownText(model)
  if (problem !== null) {
    return (
      <p className="text-bad flex items-start gap-2 text-sm">
        <CircleAlert className="mt-1 size-4 shrink-0" aria-hidden />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {problem.startsWith(model) ? problem : `${name}: ${problem}`}
        </span>
      </p>
    )
  }
  return (
    <p className="text-good flex items-start gap-2 text-sm">
      <CircleCheck className="mt-1 size-4 shrink-0" aria-hidden />
      <span>{[`${name} works`, ...measured(trial)].join(', ')}</span>
    </p>
  )
}

function measured({ ms, per_second: rate, keeps_to_schema: keeps }: ModelTrial): string[] {
  return [
    ...(ms === null ? [] : [`answered in ${formatCount(ms)} ms`]),
    ...(rate === null ? [] : [`${formatCount(Number(rate.count.toPrecision(2)))} ${rate.unit} a second`]),
    ...(keeps === false ? ['needed a second try to keep to the form that was asked for'] : []),
  ]
}

const USES = { extract: 'makes memories in the background', ask: 'words answers' } as const

/** What a language model is used for, what it did and what waits for it. */
function LanguageState({ language: { model, uses, work } }: { readonly language: LanguageModelOverview }) {
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
function EmbeddingState({ embedding }: { readonly embedding: EmbeddingModelOverview }) {
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

/** How to plug other models in: which lines belong into config.yaml. */
function ModelExamples() {
  const [id, setId] = useState(MODEL_EXAMPLES[0]?.id ?? '')
  const example = MODEL_EXAMPLES.find((one) => one.id === id)
  const { data: server } = useServer()
  if (example === undefined) return null
  return (
    <Panel
      title="Use a model of your own"
      about="A language model makes better memories and words answers; an embedding model finds more in other words. The text of your uploads goes to whoever runs the model."
    >
      <div className="flex flex-col gap-4">
        <SegmentedChoice
          label="Provider"
          value={id}
          options={MODEL_EXAMPLES.map(({ id: value, title }) => ({ value, label: title }))}
          onValue={setId}
        />
        <ol className="flex list-decimal flex-col gap-4 pl-5 text-sm">
          <li>
            Where recalld runs:
            <Lines text={example.first} />
          </li>
          <li>
            Add these lines to{' '}
            <code className="font-mono text-[0.8125rem]">{server?.home?.config_file ?? 'config.yaml'}</code>. Leave out
            what you do not want.{' '}
            {example.lines.includes('api_key: $') &&
              'What stands in braces is the name of a variable of the environment, so that the key is not in the file.'}
            <Lines text={example.lines} />
          </li>
          <li>
            <code className="font-mono text-[0.8125rem]">recalld doctor</code> tries them. Then start recalld again; for
            an embedding model, run <code className="font-mono text-[0.8125rem]">recalld reindex</code> as well. The
            built-in model answers until its vectors are made.
          </li>
        </ol>
      </div>
    </Panel>
  )
}

function Lines({ text }: { readonly text: string }) {
  return (
    <div className="bg-raised relative mt-2 rounded-lg">
      <pre className="overflow-x-auto p-3 font-mono sm:pr-24 text-[0.8125rem] leading-relaxed">{text.trimEnd()}</pre>
      <CopyButton text={text} className="max-sm:mx-2 max-sm:mb-2 sm:absolute sm:top-2 sm:right-2" />
    </div>
  )
}
