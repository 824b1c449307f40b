import type { BeginRequest, GrantProvider } from '../../../http/app/schemas/grants.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { StepsList } from './instructions.tsx'

/** What is typed of an OAuth client, and of where the provider answers. Never kept. */
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

/** The OAuth client that the person registers at the provider once: how to make it, and its id and secret. */
export function ProviderClient({ provider, draft, onDraft, problems }: ProviderClientProps) {
  const { title, client_steps: steps, client_secret: secret, redirect_url: redirectUrl } = provider
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">{title} gives access to an OAuth client of your own, which you make once:</p>
      <StepsList steps={steps} />
      {/* An address with any port has not to be registered. */}
      {!redirectUrl.includes(':*') && (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-soft">Redirect address, where {title} asks for one:</span>
          <code className="bg-raised rounded px-1.5 py-0.5 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
            {redirectUrl}
          </code>
          <CopyButton text={redirectUrl} />
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Client id"
          autoComplete="off"
          spellCheck={false}
          value={draft.clientId}
          onValue={(clientId) => onDraft({ ...draft, clientId })}
          problem={problems.client_id ?? problems.client}
        />
        {secret !== 'none' && (
          <TextField
            label={secret === 'optional' ? 'Client secret, if it has one' : 'Client secret'}
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

/** For servers of one's own and for organizations: hardly anybody needs it. */
export function ProviderPlaceFields({ provider, draft, onDraft, problems }: ProviderClientProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {provider.id === 'microsoft' && (
        <TextField
          label="Tenant"
          placeholder="common"
          about="Id or domain of the organization, where its administrators want it."
          value={draft.tenant}
          onValue={(tenant) => onDraft({ ...draft, tenant })}
          problem={problems.tenant}
        />
      )}
      <TextField
        label="Address to sign in at"
        type="url"
        about="Only for a server of your own."
        value={draft.authUrl}
        onValue={(authUrl) => onDraft({ ...draft, authUrl })}
        problem={problems.auth_url}
      />
      <TextField
        label="Address of its API"
        type="url"
        about="Only for a server of your own."
        value={draft.apiUrl}
        onValue={(apiUrl) => onDraft({ ...draft, apiUrl })}
        problem={problems.api_url}
      />
    </div>
  )
}

/** What of it is sent. */
export function clientAndPlace(draft: ClientDraft): Pick<BeginRequest, 'client' | 'place'> {
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
