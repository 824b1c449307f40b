import type { ReactNode } from 'react'
import { TextField } from '../../ui/field.tsx'
import { messages } from './messages.ts'

/** What is typed about a model at a provider. */
export interface ModelAccess {
  readonly model: string
  readonly url: string
  readonly key: string
}

/** What one kind of model asks for. */
interface AskedAccess {
  /** An example of its name. */
  readonly model: string | undefined
  /** An example of its address; absent: the provider has one. */
  readonly url?: string | undefined
  readonly urlAbout?: ReactNode
  readonly needsKey: boolean
  /** A key for this address is stored. */
  readonly hasKey: boolean
}

/** Address, name and key of a model. The address is first, because a key belongs to it. */
export function ModelAccessFields({
  access,
  asked: { model, url, urlAbout, needsKey, hasKey },
  onChange,
}: {
  readonly access: ModelAccess
  readonly asked: AskedAccess
  readonly onChange: (changed: Partial<ModelAccess>) => void
}) {
  return (
    <>
      {url !== undefined && (
        <TextField
          label={messages.modelAddress}
          about={urlAbout}
          value={access.url}
          onValue={(value) => onChange({ url: value })}
          placeholder={url}
          inputMode="url"
          autoComplete="off"
          required
        />
      )}
      <TextField
        label={messages.modelName}
        value={access.model}
        onValue={(value) => onChange({ model: value })}
        placeholder={model}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <TextField
        label={needsKey ? messages.modelKey : messages.modelKeyOptional}
        about={hasKey ? messages.modelKeyKept : messages.modelKeyAbout}
        value={access.key}
        onValue={(value) => onChange({ key: value })}
        type="password"
        autoComplete="off"
        required={needsKey && !hasKey}
      />
    </>
  )
}
