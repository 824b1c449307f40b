import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { copyText } from './copy-text.ts'

const SHOWN_MS = 2_000

/** Copies a text, and says that it did. */
export function CopyButton({
  text,
  label = 'Copy',
  ...rest
}: Omit<ButtonProps, 'onClick'> & { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <Button size="small" {...rest} onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  )
}
