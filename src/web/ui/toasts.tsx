import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Button } from './button.tsx'

interface Told {
  readonly id: number
  readonly title: string
  readonly description: string | undefined
}

type Tell = (title: string, description?: string) => void

const SHOWN_MS = 6_000

const TellContext = createContext<Tell | undefined>(undefined)

/** What was done, for a moment at the edge of the page; read aloud by screen readers. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Told[]>([])
  const dismiss = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), [])
  const tell = useCallback<Tell>(
    (title, description) => {
      const id = performance.now()
      setToasts((shown) => [...shown, { id, title, description }])
      setTimeout(() => dismiss(id), SHOWN_MS)
    },
    [dismiss],
  )
  return (
    <TellContext value={tell}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
      >
        {toasts.map(({ id, title, description }) => (
          <div
            key={id}
            className="bg-ink text-paper pointer-events-auto flex items-start gap-3 rounded-xl px-4 py-3 text-sm shadow-xl"
          >
            <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <p className="font-medium">{title}</p>
              {description !== undefined && <p className="opacity-80">{description}</p>}
            </div>
            <Button
              look="quiet"
              size="small"
              aria-label="Dismiss"
              className="-my-1 -mr-2 text-inherit hover:bg-white/15 hover:text-inherit"
              onClick={() => dismiss(id)}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
      </div>
    </TellContext>
  )
}

/** `tell('Key deleted')`. */
export function useTell(): Tell {
  const tell = useContext(TellContext)
  if (tell === undefined) throw new Error('useTell is for components inside Toasts')
  return tell
}
