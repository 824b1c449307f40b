import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Button } from './button.tsx'
import { uiMessages } from './messages.ts'

interface Toast {
  readonly id: number
  readonly title: string
  readonly description: string | undefined
}

type ShowToast = (title: string, description?: string) => void

const SHOWN_MS = 6_000

const ToastContext = createContext<ShowToast | undefined>(undefined)

/** Short messages at the edge of the page; screen readers announce them. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const dismiss = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), [])
  const toast = useCallback<ShowToast>(
    (title, description) => {
      const id = performance.now()
      setToasts((shown) => [...shown, { id, title, description }])
      setTimeout(() => dismiss(id), SHOWN_MS)
    },
    [dismiss],
  )
  return (
    <ToastContext value={toast}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed right-4 bottom-4 max-md:bottom-20 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
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
              aria-label={uiMessages.dismiss}
              className="-my-1 -mr-2 text-inherit hover:bg-white/15 hover:text-inherit"
              onClick={() => dismiss(id)}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}

/** `toast('Key deleted')`. */
export function useToast(): ShowToast {
  const toast = useContext(ToastContext)
  if (toast === undefined) throw new Error('useTell is for components inside Toasts')
  return toast
}
