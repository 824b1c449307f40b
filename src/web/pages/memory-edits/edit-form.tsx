import { Field } from '@base-ui/react/field'
import { useState } from 'react'
import { CallError } from '../../api/call.ts'
import { useWarmUp } from '../../api/use-warm-up.ts'
import { Button } from '../../ui/button.tsx'
import { INPUT_CLASS, LabeledField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { messages } from './messages.ts'

interface EditFormProps {
  readonly label: string
  readonly about: string
  /** The text of a memory to correct; empty for a note. */
  readonly text: string
  readonly isSaving: boolean
  readonly error: unknown
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}

const LEAST_ROWS = 3
const MOST_ROWS = 8
const ROW_CHARACTERS = 50

/** Edits the text of a correction or a note. Ctrl or Cmd with Enter saves, Escape cancels. */
export function EditForm({ label, about, text: words, isSaving, error, onSave, onCancel }: EditFormProps) {
  useWarmUp()
  const [text, setText] = useState(words)
  const isUnchanged = text.trim() === '' || text.trim() === words.trim()
  const save = () => {
    if (!isUnchanged) onSave(text)
  }
  const problem = error instanceof CallError ? error.fields.text : undefined
  return (
    <form
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          save()
        }
      }}
    >
      <LabeledField label={label} about={about} problem={problem}>
        <Field.Control
          render={
            <textarea
              ref={focusEnd}
              dir="auto"
              rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(words.length / ROW_CHARACTERS)))}
              className={INPUT_CLASS}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          }
        />
      </LabeledField>
      {error !== null && problem === undefined && <ProblemNote error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" size="small" busy={isSaving} disabled={isUnchanged}>
          {messages.saveCorrection}
        </Button>
        <Button size="small" onClick={onCancel}>
          {uiMessages.cancel}
        </Button>
      </div>
    </form>
  )
}

function focusEnd(field: HTMLTextAreaElement | null): void {
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
