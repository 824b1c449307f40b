import { CornerDownRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { messages } from './messages.ts'

const MOST_CHARACTERS = 1_000

/** Asks a follow-up question. */
export function FollowUp({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) input.current?.focus()
    else if (wasOpen.current) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) {
    return (
      <Button ref={button} look="quiet" size="small" onClick={() => setOpen(true)}>
        <CornerDownRight aria-hidden />
        {messages.followUp}
      </Button>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') onAsk(text.trim())
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-1 basis-64 items-center gap-2">
      <input
        ref={input}
        aria-label={messages.followUp}
        placeholder={messages.followUpHint}
        value={text}
        maxLength={MOST_CHARACTERS}
        enterKeyHint="send"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setOpen(false)
        }}
        className={INPUT_CLASS}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {messages.ask}
      </Button>
    </form>
  )
}
