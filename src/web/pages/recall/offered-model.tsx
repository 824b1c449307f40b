import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useLocation } from 'wouter'
import type { LocalModelOverview } from '../../../http/app/schemas/settings.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatBytes } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { MODELS, useModels } from '../settings/settings-calls.ts'
import { startMessages as messages } from './start-messages.ts'

/** The model that this server has room for, until an administrator adds or declines it. */
export function OfferedModel() {
  const { person } = useViewer()
  return person.is_admin ? <Offers /> : null
}

function Offers() {
  const { data } = useModels()
  const offered = data?.local.find((model) => model.is_offered)
  return offered === undefined ? null : <Offer model={offered} />
}

/** Adding it leads to the settings, which show its progress. */
function Offer({ model: { name, download_bytes: download } }: { readonly model: LocalModelOverview }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const add = useMutation({
    mutationFn: () => call('POST /models/local', { body: { name } }),
    onSuccess() {
      navigate('/settings/models')
      return queries.invalidateQueries({ queryKey: MODELS })
    },
  })
  const decline = useMutation({
    mutationFn: () => call('DELETE /models/local/:name/offer', { params: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: MODELS }),
  })
  const error = add.error ?? decline.error
  return (
    <Panel title={messages.offerTitle} about={messages.offerAbout}>
      <div className="flex flex-wrap gap-2">
        <Button busy={add.isPending} disabled={decline.isPending} onClick={() => add.mutate()}>
          <Download aria-hidden />
          {messages.offerAccept(formatBytes(download))}
        </Button>
        <Button look="quiet" busy={decline.isPending} disabled={add.isPending} onClick={() => decline.mutate()}>
          {messages.offerDecline}
        </Button>
      </div>
      {error !== null && <ProblemNote error={error} />}
    </Panel>
  )
}
