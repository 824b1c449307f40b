import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SearchSelectField } from '../../ui/search-select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { useNaming } from './name-calls.ts'
import { subjectPath, useFoundPeople } from './people-calls.ts'

/** Asks which other person this one is. */
export function MergeDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const { data, error } = useFoundPeople(typed.trim())
  const { merge } = useNaming()
  const toast = useToast()
  const [, go] = useLocation()
  const [into, setInto] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (into === '') return
    const onSuccess = () => {
      toast(messages.mergeDone(shownText(name), shownText(into)))
      onClose()
      go(subjectPath('person', into), { replace: true })
    }
    merge.mutate({ name, into }, { onSuccess })
  }
  const problem = error ?? merge.error
  return (
    <Dialog open onClose={onClose} title={messages.mergeTitle(shownText(name))} about={messages.mergeAbout}>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <SearchSelectField
          label={messages.mergeInto}
          value={into}
          onValue={setInto}
          onSearch={setTyped}
          options={(data?.subjects ?? []).map((one) => one.name).filter((other) => other !== name)}
          nothing={messages.nobodyFound}
        />
        {problem !== null && <ProblemNote error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button type="submit" look="primary" busy={merge.isPending} disabled={into === ''}>
            {messages.merge}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
