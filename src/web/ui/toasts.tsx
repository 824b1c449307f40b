import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Button } from './button.tsx'
import { uiMessages } from './messages.ts'

interface Toast {
  readonly id: number
  readonly title: string
  readonly description: string | undefined
  readonly action: ToastAction | undefined
}

interface ToastAction {
  readonly label: string
  readonly run: () => void
}

type ShowToast = (title: string, description?: string, action?: ToastAction) => void

const SHOWN_MS = 6_000
/** With an action. */
const OFFERED_MS = 20_000

/** The element that shows toasts; screen readers announce what is put into it. */
export const TOASTS_ID = 'toasts'

const ToastContext = createContext<ShowToast | undefined>(undefined)

/** Short messages at the edge of the page; screen readers announce them. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const dismiss = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), [])
  const toast = useCallback<ShowToast>(
    (title, description, action) => {
      const id = performance.now()
      setToasts((shown) => [...shown, { id, title, description, action }])
      setTimeout(() => dismiss(id), action === undefined ? SHOWN_MS : OFFERED_MS)
    },
    [dismiss],
  )
  return (
    <ToastContext value={toast}>
      {children}
      <div
        id={TOASTS_ID}
        role="status"
        className="pointer-events-none fixed right-4 bottom-4 max-md:bottom-20 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
      >
        {toasts.map(({ id, title, description, action }) => (
          <ToastCard
            key={id}
            title={title}
            description={description}
            actions={
              action && (
                <Button
                  look="quiet"
                  size="small"
                  className="-my-1 text-inherit! underline hover:bg-white/15! hover:text-inherit!"
                  onClick={() => {
                    dismiss(id)
                    action.run()
                  }}
                >
                  {action.label}
                </Button>
              )
            }
            onDismiss={() => dismiss(id)}
          />
        ))}
      </div>
    </ToastContext>
  )
}

interface ToastCardProps {
  readonly title: ReactNode
  readonly description: ReactNode
  readonly actions?: ReactNode
  readonly dismissLabel?: string
  /** Absent: it disappears by itself. */
  readonly onDismiss: (() => void) | undefined
}

/** One message, with buttons if there is something to do about it. */
export function ToastCard({
  title,
  description,
  actions,
  dismissLabel = uiMessages.dismiss,
  onDismiss,
}: ToastCardProps) {
  return (
    <div className="bg-ink text-paper pointer-events-auto flex items-start gap-3 rounded-xl px-4 py-3 text-sm shadow-xl">
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="font-medium">{title}</p>
        {description !== undefined && <div className="opacity-80">{description}</div>}
      </div>
      {actions}
      {onDismiss !== undefined && (
        <Button
          look="quiet"
          size="small"
          aria-label={dismissLabel}
          title={dismissLabel}
          className="-my-1 -mr-2 text-inherit! hover:bg-white/15! hover:text-inherit!"
          onClick={onDismiss}
        >
          <X aria-hidden />
        </Button>
      )}
    </div>
  )
}

/** `toast('Key deleted')`. */
export function useToast(): ShowToast {
  const toast = useContext(ToastContext)
  if (toast === undefined) throw new Error('useTell is for components inside Toasts')
  return toast
}
