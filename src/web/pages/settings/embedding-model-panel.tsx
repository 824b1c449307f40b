import { FlaskConical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type {
  EmbeddingModelChoice,
  EmbeddingModelOverview,
  EmbeddingModelTrial,
} from '../../../http/app/schemas/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatAmount } from '../../ui/formats.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { dollarsIn, numberProblem, shownNumber } from './dollar-amount.ts'
import { messages } from './messages.ts'
import { ModelAccessFields } from './model-access-fields.tsx'
import { TrialResult } from './model-trial.tsx'
import { RemoveEmbeddingModel } from './remove-embedding-model.tsx'
import { useEmbeddingModel } from './settings-calls.ts'

type Provider = EmbeddingModelChoice['provider']

/** Providers of the form, with a model for each as an example; those with an address need one. */
const PROVIDERS: readonly {
  readonly value: Provider
  readonly label: string
  readonly model: string
  readonly url?: string
}[] = [
  {
    value: 'openai-compatible',
    label: messages.openAiCompatible,
    model: 'nomic-embed-text',
    url: 'http://127.0.0.1:11434/v1',
  },
  { value: 'openai', label: 'OpenAI', model: 'text-embedding-3-small' },
  { value: 'google', label: 'Google', model: 'gemini-embedding-001' },
  { value: 'mistral', label: 'Mistral', model: 'mistral-embed' },
  { value: 'azure', label: 'Azure', model: 'my-deployment', url: 'https://NAME.openai.azure.com/openai' },
]

/** Tests an embedding model of a provider, shows what the change takes, and applies it. */
export function EmbeddingModelPanel({ embedding }: { readonly embedding: EmbeddingModelOverview }) {
  const { settings } = embedding
  return (
    <Panel
      title={messages.embeddingModel}
      about={messages.embeddingModelAbout}
      actions={settings !== null && <RemoveEmbeddingModel />}
    >
      <EmbeddingModelForm key={JSON.stringify(settings)} embedding={embedding} />
    </Panel>
  )
}

/** The fields of the form. */
function useEmbeddingForm({ settings }: EmbeddingModelOverview) {
  const known = PROVIDERS.find(({ value }) => value === settings?.provider)
  const [fields, setFields] = useState({
    provider: known?.value ?? ('openai-compatible' as Provider),
    model: settings?.model ?? '',
    url: settings?.url ?? '',
    key: '',
    price: shownNumber(settings?.price_input),
  })
  const shown = PROVIDERS.find(({ value }) => value === fields.provider)
  const price = dollarsIn(fields.price)
  const body: EmbeddingModelChoice | undefined =
    price === undefined
      ? undefined
      : {
          provider: fields.provider,
          model: fields.model.trim(),
          ...(shown?.url !== undefined && { url: fields.url.trim() }),
          ...(fields.key !== '' && { api_key: fields.key }),
          price_input: price,
        }
  return { fields, shown, body, change: (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed }) }
}

function EmbeddingModelForm({ embedding }: { readonly embedding: EmbeddingModelOverview }) {
  const { settings } = embedding
  const toast = useToast()
  const form = useEmbeddingForm(embedding)
  const { fields, body } = form
  const { test, choose } = useEmbeddingModel()
  const address = form.shown?.url === undefined ? '' : fields.url.trim()
  const hasKey = settings?.has_key === true && settings.provider === fields.provider && (settings.url ?? '') === address
  const tested =
    test.variables === body || JSON.stringify(test.variables) === JSON.stringify(body) ? test.data : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    choose.reset()
    if (body !== undefined) test.mutate(body)
  }
  const use = () => {
    if (body === undefined) return
    choose.mutate(body, {
      onSuccess: ({ trial }) => trial.problem === null && toast(messages.embeddingBegun, messages.embeddingBegunAbout),
    })
  }
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-4">
      <EmbeddingFields form={form} hasKey={hasKey} />
      <div aria-live="polite" className="flex flex-col gap-3">
        {(test.error ?? choose.error) !== null && <ProblemNote error={test.error ?? choose.error} />}
        {tested !== undefined && <Tested result={choose.data ?? tested} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={tested?.change ? 'secondary' : 'primary'} busy={test.isPending}>
          {!test.isPending && <FlaskConical aria-hidden />}
          {test.isPending ? messages.testing : messages.testEmbedding}
        </Button>
        {tested?.change && (
          <Button look="primary" busy={choose.isPending} onClick={use}>
            {messages.embedWith(tested.change.texts)}
          </Button>
        )}
      </div>
    </form>
  )
}

function EmbeddingFields({
  form: { fields, shown, change },
  hasKey,
}: {
  readonly form: ReturnType<typeof useEmbeddingForm>
  readonly hasKey: boolean
}) {
  return (
    <>
      <SelectField
        label={messages.provider}
        value={fields.provider}
        onValue={(value) => {
          const provider = PROVIDERS.find((one) => one.value === value)?.value
          if (provider !== undefined) change({ provider, url: '', key: '' })
        }}
        options={PROVIDERS}
      />
      <ModelAccessFields
        access={fields}
        asked={{ ...shown, model: shown?.model, needsKey: fields.provider !== 'openai-compatible', hasKey }}
        onChange={change}
      />
      <TextField
        label={messages.embeddingPrice}
        value={fields.price}
        onValue={(price) => change({ price })}
        inputMode="decimal"
        autoComplete="off"
        placeholder={formatAmount(0.02)}
        problem={numberProblem(fields.price)}
      />
    </>
  )
}

/** Whether it works, and what the change takes. */
function Tested({ result: { trial, change } }: { readonly result: EmbeddingModelTrial }) {
  return (
    <>
      <TrialResult trial={trial} />
      {change !== null && <Note>{messages.embeddingTakes(change)}</Note>}
    </>
  )
}
