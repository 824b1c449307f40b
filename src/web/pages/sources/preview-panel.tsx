import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { PartNoun, Preview, PreviewRequest } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { PreviewTable } from './preview-table.tsx'

export interface PreviewPanelProps {
  /** Below /app/api. */
  readonly path: string
  readonly request: PreviewRequest
  readonly partNoun: PartNoun
  /** What is missing before the source can be asked. */
  readonly lacking?: Error | undefined
  /** What the last answer found wrong, for the fields; `null` while nothing is. */
  readonly onProblem: (error: Error | null) => void
}

/** Looks at the source with these settings, without taking anything, and shows what would be taken. */
export function PreviewPanel({ path, request, partNoun, lacking, onProblem }: PreviewPanelProps) {
  const abort = useRef<AbortController>(undefined)
  const look = useMutation({
    mutationFn: async (body: PreviewRequest) => {
      if (lacking !== undefined) throw lacking
      abort.current = new AbortController()
      return call<Preview>(path, { method: 'POST', body, signal: abort.current.signal })
    },
    onMutate: () => onProblem(null),
    onError: (error) => !isAbort(error) && onProblem(error),
  })
  useEffect(() => () => abort.current?.abort(), [])
  const isOld = look.data !== undefined && JSON.stringify(look.variables) !== JSON.stringify(request)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => look.mutate(request)} busy={look.isPending}>
          <Eye aria-hidden />
          Preview what would be taken
        </Button>
        {look.isPending && (
          <Button look="quiet" onClick={() => abort.current?.abort()}>
            Cancel
          </Button>
        )}
      </div>
      <div aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {look.isPending && <Looking />}
        {look.error !== null && !isAbort(look.error) && <ProblemNote error={look.error} />}
        {look.data !== undefined && !look.isPending && (
          <>
            {isOld && <Note tone="warn">This is what the settings before your last changes would take.</Note>}
            <PreviewTable preview={look.data} partNoun={partNoun} />
          </>
        )}
      </div>
    </div>
  )
}

function Looking() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Looking at the source" value={null} most={1} />
      <p className="text-soft text-[0.8125rem] tabular-nums">
        Looking at the source. Nothing is taken yet.
        <span aria-hidden> {seconds} s</span>
      </p>
    </div>
  )
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}
