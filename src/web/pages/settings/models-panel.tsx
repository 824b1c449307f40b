import { FlaskConical } from 'lucide-react'
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
import { formatList } from '../../ui/formats.ts'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { EmbeddingModelPanel } from './embedding-model-panel.tsx'
import { LanguageModelPanel } from './language-model-panel.tsx'
import { LocalModelsPanel } from './local-models-panel.tsx'
import { messages } from './messages.ts'
import { MODEL_EXAMPLES } from './model-examples.ts'
import { TrialResult } from './model-trial.tsx'
import { RerankerPanel } from './reranker-panel.tsx'
import { useModels, useModelTest, useServer } from './settings-calls.ts'

/** Models in use, their state, tests, and how to set up others. */
export function ModelsPanel() {
  const { person } = useViewer()
  const { data, error, refetch } = useModels()
  const test = useModelTest()
  return (
    <div className="flex flex-col gap-6">
      <Panel
        title={messages.modelsInUse}
        about={messages.modelsAbout}
        actions={
          person.is_admin && (
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              {!test.isPending && <FlaskConical aria-hidden />}
              {test.isPending ? messages.testing : messages.testModels}
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
      {data !== undefined && person.is_admin && <LanguageModelPanel language={data.language} />}
      {data !== undefined && person.is_admin && <EmbeddingModelPanel embedding={data.embedding} />}
      {data !== undefined && person.is_admin && <RerankerPanel reranker={data.reranker} local={data.local} />}
      {data !== undefined && data.local.length > 0 && (
        <LocalModelsPanel models={data.local} active={data.embedding.model} />
      )}
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
          title={messages.languagePurpose}
          model={language.model}
          builtIn={messages.languageBuiltIn}
          trial={trialOf('language')}
        >
          <LanguageState language={language} />
        </ModelRow>
        <ModelRow
          title={messages.embeddingPurpose}
          model={embedding.model}
          builtIn={messages.embeddingBuiltIn}
          trial={trialOf('embedding')}
          builtInTrial={trialOf('built-in')}
        >
          <EmbeddingState embedding={embedding} />
        </ModelRow>
        <ModelRow
          title={messages.rankingPurpose}
          model={reranker.model}
          builtIn={messages.rankingBuiltIn}
          trial={trialOf('reranker')}
        >
          {reranker.answers_only && <p className="text-soft text-sm">{messages.usedFor(messages.uses.ask)}</p>}
        </ModelRow>
      </ul>
    </>
  )
}

/** The model of one task and its test result. */
function ModelRow({
  title,
  model,
  builtIn,
  trial,
  builtInTrial,
  children,
}: {
  readonly title: string
  /** Null: built in. */
  readonly model: string | null
  /** Description of the built-in model. */
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
          <Badge>{messages.builtIn}</Badge>
        ) : (
          <Badge tone="accent" className="max-w-full overflow-hidden">
            <bdi className="truncate">{shownText(model)}</bdi>
          </Badge>
        )}
      </div>
      {model === null && <p className="text-soft max-w-prose text-sm">{builtIn}</p>}
      {children}
      {builtInTrial !== undefined && <TrialResult trial={builtInTrial} />}
      {trial !== undefined && <TrialResult trial={trial} />}
    </li>
  )
}

/** Uses, work done and queue of a language model. */
function LanguageState({ language: { model, uses, work } }: { readonly language: LanguageModelOverview }) {
  return (
    <>
      {model !== null && (
        <p className="text-soft text-sm">{messages.usedFor(formatList(uses.map((use) => messages.uses[use])))}</p>
      )}
      {work !== null && (
        <p className="text-soft text-sm">
          {[
            messages.refined(work.refined),
            ...(work.given_up > 0 ? [messages.gaveUp(work.given_up)] : []),
            ...(work.unproven > 0 ? [messages.unproven(work.unproven)] : []),
            messages.usedToday(work.today.tokens, work.today.dollars),
          ].join('; ')}
          .
        </p>
      )}
      {work?.waiting.map(({ items, message, until }) =>
        message === null ? (
          <p key="turn" className="text-soft text-sm">
            {messages.itemsQueued(items)}
          </p>
        ) : (
          <Note key={message} tone="warn">
            {messages.itemsWaiting(items, message)}
            {until === null ? '' : ` ${messages.continues(until)}`}
          </Note>
        ),
      )}
    </>
  )
}

/** Embedding progress of the active model and of the next one. */
function EmbeddingState({ embedding }: { readonly embedding: EmbeddingModelOverview }) {
  const { texts, building, problems } = embedding
  return (
    <>
      {texts !== null && <Filling title={messages.textsEmbedded} done={texts.embedded} all={texts.all} />}
      {building !== null && (
        <Filling title={messages.preparing(building.model)} done={building.embedded} all={building.all} />
      )}
      {problems.map(({ message, retry_at: retryAt }) => (
        <Note key={message} tone="warn">
          {message}
          {retryAt === null ? '' : ` ${messages.retries(retryAt)}`}
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
        <span className="tabular-nums">{messages.countOf(done, all)}</span>
      </p>
      <ProgressBar label={title} value={done} most={all} />
    </div>
  )
}

/** Config examples for other models. */
function ModelExamples() {
  const [id, setId] = useState(MODEL_EXAMPLES[0]?.id ?? '')
  const example = MODEL_EXAMPLES.find((one) => one.id === id)
  const { data: server } = useServer()
  if (example === undefined) return null
  return (
    <Panel title={messages.ownModel} about={messages.ownModelAbout}>
      <div className="flex flex-col gap-4">
        <SegmentedChoice
          label={messages.provider}
          value={id}
          options={MODEL_EXAMPLES.map(({ id: value, title }) => ({ value, label: title }))}
          onValue={setId}
        />
        <ol className="flex list-decimal flex-col gap-4 pl-5 text-sm">
          <li>
            {messages.onServer}
            <Lines text={example.first} />
          </li>
          <li>
            {messages.addLines}{' '}
            <code className="font-mono text-[0.8125rem]">{server?.home?.config_file ?? 'config.yaml'}</code>.{' '}
            {messages.omitLines} {example.lines.includes('api_key: $') && messages.bracesAbout}
            <Lines text={example.lines} />
          </li>
          <li>
            {messages.checkModels} <code className="font-mono text-[0.8125rem]">recalld doctor</code>
            {messages.thenRestart} <code className="font-mono text-[0.8125rem]">recalld reindex</code>
            {messages.untilEmbedded}
          </li>
        </ol>
      </div>
    </Panel>
  )
}

function Lines({ text }: { readonly text: string }) {
  return (
    <div className="bg-raised relative mt-2 rounded-lg">
      <pre className="p-3 font-mono sm:pr-24 text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text.trimEnd()}
      </pre>
      <CopyButton text={text} className="max-sm:mx-2 max-sm:mb-2 sm:absolute sm:top-2 sm:right-2" />
    </div>
  )
}
