import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { uiMessages } from './messages.ts'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly about?: ReactNode
  readonly children?: ReactNode
  readonly wide?: boolean
  /** Only its own buttons close it; Escape and clicks outside do not. */
  readonly insistent?: boolean
}

/** A modal dialog. It traps the focus and returns it on closing. */
export function Dialog({ open, onClose, title, about, children, wide = false, insistent = false }: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(isOpen, { reason }) => !isOpen && !(insistent && reason === 'escape-key') && onClose()}
      disablePointerDismissal={insistent}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 bg-black/45 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-0 grid items-start justify-items-center overflow-y-auto p-4 sm:py-[8vh]">
          <BaseDialog.Popup
            className={classNames(
              'bg-sheet border-line w-full rounded-2xl border p-6 shadow-2xl outline-none transition data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0',
              wide ? 'max-w-3xl' : 'max-w-lg',
            )}
          >
            <div className="flex items-start justify-between gap-4">
              <BaseDialog.Title className="text-lg font-semibold">{title}</BaseDialog.Title>
              {!insistent && (
                <BaseDialog.Close
                  render={<Button look="quiet" size="small" aria-label={uiMessages.close} className="-mt-1 -mr-2" />}
                >
                  <X aria-hidden />
                </BaseDialog.Close>
              )}
            </div>
            {about !== undefined && (
              <BaseDialog.Description render={<div />} className="text-soft mt-1 text-sm">
                {about}
              </BaseDialog.Description>
            )}
            <div className="mt-5">{children}</div>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
}
