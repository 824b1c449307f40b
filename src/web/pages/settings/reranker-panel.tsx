import { type FormEvent, useId, useState } from 'react'
import type {
  LocalModelOverview,
  RerankerChoice,
  RerankerOverview,
  RerankerSettingsView,
} from '../../../http/app/schemas/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { ModelAccessFields } from './model-access-fields.tsx'
import { TrialResult } from './model-trial.tsx'
import { useReranker } from './settings-calls.ts'

type Provider = RerankerChoice['provider']

/** Chooses, tests and switches the reranker of this server. */
export function RerankerPanel({
  reranker,
  local,
}: {
  readonly reranker: RerankerOverview
  readonly local: readonly LocalModelOverview[]
}) {
  return (
    <Panel title={messages.reranker} about={messages.rerankerAbout}>
      <RerankerForm key={JSON.stringify([reranker.settings, local.map(offered)])} reranker={reranker} local={local} />
    </Panel>
  )
}

function offered({ has_reranker: hasReranker, is_configured: isConfigured }: LocalModelOverview) {
  return [hasReranker, isConfigured]
}

/** `undefined`: one that only config.yaml can name. */
function chosenNow(settings: RerankerSettingsView | null, comesWithEncoder: boolean): Provider | undefined {
  if (settings === null) return comesWithEncoder ? 'automatic' : 'none'
  return (['none', 'local', 'cohere-compatible'] as const).find((one) => one === settings.provider)
}

function useRerankerForm(settings: RerankerSettingsView | null, local: readonly LocalModelOverview[]) {
  const toast = useToast()
  const choose = useReranker()
  const installed = local.find(({ has_reranker: hasReranker }) => hasReranker)
  const comesWithEncoder = installed?.is_configured === true
  const [provider, setProvider] = useState(chosenNow(settings, comesWithEncoder))
  const isHosted = settings?.provider === 'cohere-compatible'
  const [fields, setFields] = useState({
    url: isHosted ? (settings.url ?? '') : '',
    model: isHosted ? (settings.model ?? '') : '',
    key: '',
  })
  const body = (): RerankerChoice | undefined => {
    if (provider === 'local') return installed && { provider, model: installed.name }
    if (provider === 'cohere-compatible') {
      const { url, model, key } = fields
      return { provider, url: url.trim(), model: model.trim(), ...(key !== '' && { api_key: key }) }
    }
    // Without an encoder there is nothing that has to be turned off.
    if (provider === 'none' && !comesWithEncoder) return { provider: 'automatic' }
    return provider === undefined ? undefined : { provider }
  }
  return {
    ...{ provider, fields, installed, comesWithEncoder, choose },
    /** There is nothing to save. */
    isCurrent: provider !== 'cohere-compatible' && provider === chosenNow(settings, comesWithEncoder),
    change(next: Provider) {
      setProvider(next)
      choose.reset()
    },
    edit: (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed }),
    submit(event: FormEvent) {
      event.preventDefault()
      const given = body()
      if (given === undefined) return
      choose.mutate(given, {
        onSuccess: ({ trial }) =>
          trial?.problem == null && toast(messages.rerankerChanged, trial ? messages.languageModelKept : undefined),
      })
    },
  }
}

function RerankerForm({
  reranker: { settings },
  local,
}: {
  readonly reranker: RerankerOverview
  readonly local: readonly LocalModelOverview[]
}) {
  const form = useRerankerForm(settings, local)
  const { provider, installed, comesWithEncoder, choose, change, submit, isCurrent } = form
  const name = useId()
  const card = (value: Provider, [title, about]: readonly [string, string]) => (
    <RadioCard name={name} title={title} about={about} checked={provider === value} onChoose={() => change(value)} />
  )
  const isTested = provider === 'local' || provider === 'cohere-compatible'
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-4">
      {provider === undefined && <Note>{messages.rerankerInConfig(`${settings?.provider}:${settings?.model}`)}</Note>}
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{messages.reranker}</legend>
        {card('none', messages.rerankerNone)}
        {installed !== undefined && comesWithEncoder && card('automatic', messages.rerankerForAnswers(installed.name))}
        {installed !== undefined && card('local', messages.rerankerForAll(installed.name))}
        {card('cohere-compatible', messages.rerankerOfProvider)}
      </fieldset>
      {provider === 'cohere-compatible' && <ProviderFields form={form} settings={settings} />}
      <div aria-live="polite" className="flex flex-col gap-3">
        {choose.error !== null && <ProblemNote error={choose.error} />}
        {choose.data?.trial != null && <TrialResult trial={choose.data.trial} />}
      </div>
      {!isCurrent && (
        <Button type="submit" look="primary" busy={choose.isPending} className="self-start">
          {choose.isPending ? messages.testing : isTested ? messages.testAndUse : messages.useReranker}
        </Button>
      )}
    </form>
  )
}

function ProviderFields({
  form: { fields, edit },
  settings,
}: {
  readonly form: ReturnType<typeof useRerankerForm>
  readonly settings: RerankerSettingsView | null
}) {
  const hasKey = settings?.has_key === true && settings.url === fields.url.trim()
  return (
    <ModelAccessFields
      access={fields}
      asked={{
        model: 'rerank-v3.5',
        url: 'https://api.cohere.com/v2',
        urlAbout: messages.rerankerAddressAbout,
        needsKey: false,
        hasKey,
      }}
      onChange={edit}
    />
  )
}
