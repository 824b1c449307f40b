import { useMutation, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { AnswerOf } from '../../../http/app/schemas/routes.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatTime } from '../../ui/formats.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { statedProblem } from '../sources/source-problem.tsx'
import { messages } from './messages.ts'

type AlertsOverview = AnswerOf<'GET /alerts'>

const NAMES: Readonly<Record<AlertsOverview['channels'][number]['channel'], string>> = {
  webhook: messages.alertsByWebhook,
  mail: messages.alertsByMail,
}

/** Where alerts about sources go, whether they arrive, and a test. */
export function AlertsPanel() {
  const { data, error, refetch } = useQuery({ queryKey: ['alerts'], queryFn: () => call('GET /alerts') })
  const test = useMutation({ mutationFn: () => call('POST /alerts/test') })
  const isOn = data !== undefined && data.channels.length > 0
  return (
    <Panel
      title={messages.alerts}
      about={messages.alertsAbout}
      actions={
        isOn && (
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            {!test.isPending && <Send aria-hidden />}
            {messages.sendTest}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={2} />}
        {data !== undefined && (isOn ? <Channels channels={data.channels} /> : <NoChannels />)}
        <div aria-live="polite" className="empty:hidden">
          {test.error !== null && <ProblemNote error={test.error} onRetry={() => test.mutate()} />}
          {test.data?.tests.map(({ channel, target, problem }) => (
            <p key={channel} className={problem === null ? 'text-good' : 'text-bad'}>
              {problem === null ? messages.testSent(target) : statedProblem(problem)}
            </p>
          ))}
        </div>
      </div>
    </Panel>
  )
}

function Channels({ channels }: AlertsOverview) {
  return (
    <ul className="flex flex-col gap-2">
      {channels.map(({ channel, target, last_sent_at: at, failure }) => (
        <li key={channel} className="[overflow-wrap:anywhere]">
          <span className="font-medium">{NAMES[channel]}</span> <bdi>{target}</bdi>
          <p className={failure === null ? 'text-soft text-[0.8125rem]' : 'text-bad text-[0.8125rem]'}>
            {failure === null
              ? at === null
                ? messages.noneSent
                : messages.lastSent(formatTime(at))
              : messages.alertsFailing(
                  statedProblem(failure.problem),
                  formatTime(failure.since),
                  formatTime(failure.next_at),
                )}
          </p>
        </li>
      ))}
    </ul>
  )
}

function NoChannels() {
  const code = 'font-mono text-[0.8125rem]'
  return (
    <p className="text-soft">
      {messages.alertsOff} <code className={code}>alert_webhook_url</code>, <code className={code}>alert_mail_to</code>,{' '}
      <code className={code}>smtp_url</code>
    </p>
  )
}
