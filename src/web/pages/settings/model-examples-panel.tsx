import { useState } from 'react'
import { Panel } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { MODEL_EXAMPLES } from './model-examples.ts'
import { useServer } from './settings-calls.ts'

/** How to plug other models in: which lines belong into config.yaml. */
export function ModelExamples() {
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
