import type { BeginRequest, GrantProvider } from '../../../http/app/schemas/grants.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { StepsList } from './instructions.tsx'
import { messages } from './messages.ts'

/** Form values of an OAuth client. Never stored. */
export interface ClientDraft {
  readonly clientId: string
  readonly clientSecret: string
  readonly tenant: string
  readonly authUrl: string
  readonly apiUrl: string
}

export const NO_CLIENT: ClientDraft = { clientId: '', clientSecret: '', tenant: '', authUrl: '', apiUrl: '' }

export interface ProviderClientProps {
  readonly provider: GrantProvider
  readonly draft: ClientDraft
  readonly onDraft: (draft: ClientDraft) => void
  readonly problems: Readonly<Record<string, string>>
}

/** Instructions and fields for the user's own OAuth client. */
export function ProviderClient({ provider, draft, onDraft, problems }: ProviderClientProps) {
  const { title, client_steps: steps, client_secret: secret, redirect_url: redirectUrl } = provider
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">{messages.ownClient(title)}</p>
      <StepsList steps={steps} />
      {/* A redirect address with any port needs no registration. */}
      {!redirectUrl.includes(':*') && (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-soft">{messages.redirectAddress(title)}</span>
          <code className="bg-raised rounded px-1.5 py-0.5 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
            {redirectUrl}
          </code>
          <CopyButton text={redirectUrl} />
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={messages.clientId}
          autoComplete="off"
          spellCheck={false}
          value={draft.clientId}
          onValue={(clientId) => onDraft({ ...draft, clientId })}
          problem={problems.client_id ?? problems.client}
        />
        {secret !== 'none' && (
          <TextField
            label={secret === 'optional' ? messages.clientSecretOptional : messages.clientSecret}
            type="password"
            autoComplete="off"
            value={draft.clientSecret}
            onValue={(clientSecret) => onDraft({ ...draft, clientSecret })}
            problem={problems.client_secret}
          />
        )}
      </div>
    </div>
  )
}

/** Fields for self-hosted providers and organizations; rarely needed. */
export function ProviderServerFields({ provider, draft, onDraft, problems }: ProviderClientProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {provider.id === 'microsoft' && (
        <TextField
          label={messages.tenant}
          placeholder="common"
          about={messages.tenantAbout}
          value={draft.tenant}
          onValue={(tenant) => onDraft({ ...draft, tenant })}
          problem={problems.tenant}
        />
      )}
      <TextField
        label={messages.authUrl}
        type="url"
        about={messages.ownServerOnly}
        value={draft.authUrl}
        onValue={(authUrl) => onDraft({ ...draft, authUrl })}
        problem={problems.auth_url}
      />
      <TextField
        label={messages.apiUrl}
        type="url"
        about={messages.ownServerOnly}
        value={draft.apiUrl}
        onValue={(apiUrl) => onDraft({ ...draft, apiUrl })}
        problem={problems.api_url}
      />
    </div>
  )
}

/** The request fields of a draft. */
export function clientRequest(draft: ClientDraft): Pick<BeginRequest, 'client' | 'place'> {
  const { clientId, clientSecret, tenant, authUrl, apiUrl } = draft
  const place = {
    ...(tenant !== '' && { tenant }),
    ...(authUrl !== '' && { auth_url: authUrl }),
    ...(apiUrl !== '' && { api_url: apiUrl }),
  }
  return {
    ...(clientId !== '' && {
      client: { client_id: clientId.trim(), ...(clientSecret !== '' && { client_secret: clientSecret.trim() }) },
    }),
    ...(Object.keys(place).length > 0 && { place }),
  }
}
