import { useState } from 'react'
import type { ConnectionDetail, Connector } from '../../../http/app/schemas/sources.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { fieldProblems } from './field-problems.ts'
import { TokenField } from './token-field.tsx'
import { useChangeConnection } from './use-change-connection.ts'

/** A new token for a connection; the source is asked whether it takes it before the old one is given up. */
export function ReplaceToken({
  detail,
  connector,
}: {
  readonly detail: ConnectionDetail
  readonly connector: Connector
}) {
  const [isOpen, setOpen] = useState(detail.action === 'reauthorize')
  const [token, setToken] = useState('')
  const change = useChangeConnection(detail, 'The token was replaced')
  const close = () => {
    setOpen(false)
    setToken('')
    change.reset()
  }
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Replace the token</Button>
  const { token: problem, token_file: fileProblem } = fieldProblems(change.error)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ token: token.trim() }, { onSuccess: close })
      }}
    >
      <TokenField connector={connector} token={token} onToken={setToken} problem={problem ?? fileProblem} />
      {change.error !== null && problem === undefined && fileProblem === undefined && (
        <ProblemNote error={change.error} />
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" busy={change.isPending} disabled={token.trim() === ''}>
          Replace the token
        </Button>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
