import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { uiMessages } from './messages.ts'
import { useToast } from './toasts.tsx'

const SHOWN_MS = 2_000

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label = uiMessages.copy,
  ...rest
}: Omit<ButtonProps, 'onClick'> & {
  readonly text: string | (() => Promise<string>)
  readonly label?: string
}) {
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : await text())
    } catch {
      return toast(uiMessages.copyFailed)
    }
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <Button size="small" {...rest} onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{isCopied ? uiMessages.copied : label}</span>
    </Button>
  )
}

/** Puts a text on the clipboard, also on pages without TLS, where browsers have no `navigator.clipboard`. */
async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  const focused = document.activeElement
  // Next to the focused element, because dialogs take the focus back from elements outside.
  const container = focused?.parentElement ?? document.body
  container.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error(uiMessages.copyFailed)
}
