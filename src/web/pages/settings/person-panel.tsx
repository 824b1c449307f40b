import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useTell } from '../../ui/toasts.tsx'

/** The name of whoever is signed in. */
export function PersonPanel() {
  const { person } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [name, setName] = useState(person.name)
  const rename = useMutation({
    mutationFn: () => call('/security/person', { method: 'PATCH', body: { name } }),
    onSuccess: () => {
      tell('Your name was changed')
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Panel title="You" about={`You sign in as ${shownText(person.login)}.`}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <TextField
          label="Your name"
          value={name}
          onValue={setName}
          autoComplete="name"
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={rename.isPending} disabled={name.trim() === '' || name === person.name}>
          Save
        </Button>
      </form>
      {rename.error !== null && <ProblemNote error={rename.error} />}
    </Panel>
  )
}
