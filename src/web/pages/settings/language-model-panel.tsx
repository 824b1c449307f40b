import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { LanguageModelChoice, LanguageModelOverview } from '../../../http/app/schemas/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { type ModelAccess, ModelAccessFields } from './model-access-fields.tsx'
import { ModelCost, useModelCost } from './model-cost.tsx'
import { TrialResult } from './model-trial.tsx'
import { useLanguageModel } from './settings-calls.ts'

type Provider = LanguageModelChoice['provider']

/** Providers of the form, with a model for each as an example; those with an address need one. */
const PROVIDERS: readonly {
  readonly value: Provider
  readonly label: string
  readonly model: string
  readonly url?: string
}[] = [
  { value: 'openai-compatible', label: messages.openAiCompatible, model: 'qwen3:8b', url: 'http://127.0.0.1:11434/v1' },
  { value: 'openai', label: 'OpenAI', model: 'gpt-4.1-mini' },
  { value: 'anthropic', label: 'Anthropic', model: 'claude-haiku-4-5' },
  { value: 'google', label: 'Google', model: 'gemini-2.5-flash' },
  { value: 'mistral', label: 'Mistral', model: 'mistral-small-latest' },
  { value: 'azure', label: 'Azure', model: 'my-deployment', url: 'https://NAME.openai.azure.com/openai' },
]

/** Chooses, tests and switches the language model of this server. */
export function LanguageModelPanel({ language }: { readonly language: LanguageModelOverview }) {
  const { settings } = language
  const { remove } = useLanguageModel()
  return (
    <Panel
      title={messages.languageModel}
      about={messages.languageModelAbout}
      actions={
        settings !== null && (
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            <Trash2 aria-hidden />
            {messages.removeLanguageModel}
          </Button>
        )
      }
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <LanguageModelForm key={JSON.stringify(settings)} language={language} />
    </Panel>
  )
}

/** The fields of the form, and what sends them. */
function useModelForm({ settings }: LanguageModelOverview) {
  const toast = useToast()
  const { choose } = useLanguageModel()
  const known = PROVIDERS.find(({ value }) => value === settings?.provider)
  const [provider, setProvider] = useState<Provider>(known?.value ?? 'openai-compatible')
  const [access, setAccess] = useState<ModelAccess>({
    model: known === undefined ? '' : (settings?.model ?? ''),
    url: known === undefined ? '' : (settings?.url ?? ''),
    key: '',
  })
  const cost = useModelCost(settings)
  const shown = PROVIDERS.find(({ value }) => value === provider)
  return {
    ...{ provider, access, shown, choose, cost },
    edit: (changed: Partial<ModelAccess>) => setAccess({ ...access, ...changed }),
    change(value: string) {
      const next = PROVIDERS.find((one) => one.value === value)
      if (next === undefined) return
      setProvider(next.value)
      setAccess({ ...access, url: next.value === settings?.provider ? (settings.url ?? '') : '', key: '' })
      choose.reset()
    },
    submit(event: FormEvent) {
      event.preventDefault()
      if (cost.given === undefined) return
      const { model, url, key } = access
      const address = shown?.url && { url: url.trim() }
      const body = { provider, model: model.trim(), ...address, ...(key && { api_key: key }), ...cost.given }
      choose.mutate(body, {
        onSuccess: ({ problem }) =>
          problem === null && toast(messages.languageModelSwitched, messages.languageModelKept),
      })
    },
  }
}

function LanguageModelForm({ language }: { readonly language: LanguageModelOverview }) {
  const { settings } = language
  const form = useModelForm(language)
  const { provider, access, edit, shown, choose, cost, change, submit } = form
  const { model } = access
  const address = shown?.url === undefined ? '' : access.url.trim()
  const hasKey = settings?.has_key === true && settings.provider === provider && (settings.url ?? '') === address
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-4">
      <SelectField label={messages.provider} value={provider} onValue={change} options={PROVIDERS} />
      <ModelAccessFields
        access={access}
        asked={{ ...shown, model: shown?.model, needsKey: provider !== 'openai-compatible', hasKey }}
        onChange={edit}
      />
      <ModelCost cost={cost} />
      {settings?.price != null && settings.model !== model.trim() && (
        <Note tone="warn">{messages.priceOf(settings.model)}</Note>
      )}
      {settings?.has_limits && settings.model !== model.trim() && <Note tone="warn">{messages.limitsDropped}</Note>}
      <div aria-live="polite" className="flex flex-col gap-3">
        {choose.error !== null && <ProblemNote error={choose.error} />}
        {choose.data !== undefined && <TrialResult trial={choose.data} />}
      </div>
      <Button type="submit" look="primary" busy={choose.isPending} className="self-start">
        {choose.isPending ? messages.testing : messages.testAndUse}
      </Button>
    </form>
  )
}
