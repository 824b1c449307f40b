import type { Connector } from '../../../http/app/schemas/sources.ts'
import { TextField } from '../../ui/field.tsx'
import { StepsList } from './steps-list.tsx'
import { WithCode } from './with-code.tsx'

export interface TokenFieldProps {
  readonly connector: Pick<Connector, 'title' | 'token_steps' | 'needs'>
  readonly token: string
  readonly onToken: (token: string) => void
  readonly problem: string | undefined
}

/** Where to get a token, and the place to paste it; it is never shown again. */
export function TokenField({ connector, token, onToken, problem }: TokenFieldProps) {
  return (
    <div className="flex flex-col gap-4">
      {connector.token_steps.length > 0 ? (
        <StepsList steps={connector.token_steps} />
      ) : (
        <p className="text-soft text-sm">
          <WithCode text={`Needed: ${connector.needs}.`} />
        </p>
      )}
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        onValue={onToken}
        problem={problem}
        className="max-w-xl"
        about={`It is kept in a file of this server that only recalld reads, and sent to ${connector.title} only.`}
      />
    </div>
  )
}
