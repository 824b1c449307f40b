import { Link } from 'wouter'
import { CallError } from '../../api/call.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'

const TOO_MANY = 'Too many questions were asked in a short time. Wait a moment, then try again.'

/** What did not work, and what helps. */
export function RecallProblem({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const status = error instanceof CallError ? error.status : 0
  if (status === 429) return <ProblemNote error={new Error(TOO_MANY)} onRetry={onRetry} />
  if (status !== 402) return <ProblemNote error={error} onRetry={onRetry} />
  return (
    <div className="flex flex-col items-start gap-3">
      <ProblemNote error={error} onRetry={onRetry} />
      <Link href="/usage" className={buttonClass('secondary', 'small')}>
        Open Usage
      </Link>
    </div>
  )
}
