import { FlaskConical } from 'lucide-react'
import type { ModelsOverview, ModelTrial } from '../../../http/app/schemas/settings.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { ModelExamples } from './model-examples-panel.tsx'
import { ModelRow } from './model-row.tsx'
import { EmbeddingState, LanguageState } from './model-state.tsx'
import { useModels, useModelTest } from './settings-calls.ts'

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
