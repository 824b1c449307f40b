import { Download } from 'lucide-react'
import type { Limit, ServerOverview } from '../../../http/app/schemas/settings.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatBytes, formatCount } from '../../ui/formats.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { AlertsPanel } from './alerts-panel.tsx'
import { messages } from './messages.ts'
import { useBackup, useServer } from './settings-calls.ts'

/** Server facts, limits and backup. */
export function ServerPanel() {
  const { data, error, refetch } = useServer()
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) {
    return (
      <Panel title={messages.tabServer}>
        <Skeleton lines={6} />
      </Panel>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <Facts server={data} />
      {data.home !== null && <AlertsPanel />}
      {data.home !== null && <BackupPanel />}
      <Limits limits={data.limits} />
    </div>
  )
}

function Facts({ server: { version, home } }: { readonly server: ServerOverview }) {
  const { base_url: address } = useViewer()
  const facts = [
    [messages.version, version],
    [messages.address, address],
    ...(home === null
      ? []
      : [
          [messages.homeFolder, home.folder],
          [messages.configFile, home.config_file],
          [messages.database, formatBytes(home.database_bytes)],
        ]),
  ] as const
  return (
    <Panel title={messages.tabServer}>
      <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[8rem_1fr] sm:gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="mb-1.5 [overflow-wrap:anywhere] sm:mb-0">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** What a limit is called and does, in the language of the page; the service states it in English. */
const LIMITS: Readonly<Record<string, { readonly title: string; readonly about: string }>> = messages.limitTexts

const RETENTION = /^Retention of (.+)$/

function limitTexts({ title, about, setting }: Limit): { readonly title: string; readonly about: string } {
  const [, source] = RETENTION.exec(title) ?? []
  const known = LIMITS[setting ?? title]
  return {
    title: source === undefined ? (known?.title ?? title) : messages.retentionOf(source),
    about: known?.about ?? about,
  }
}

function limitValue({ value, unit }: Limit): string {
  switch (unit) {
    case 'bytes':
      return `${value / 1_048_576} MB`
    case 'days':
      return messages.limitDays(value)
    case 'characters':
      return messages.limitCharacters(value)
    default:
      return formatCount(value)
  }
}

function Limits({ limits }: { readonly limits: readonly Limit[] }) {
  return (
    <Panel title={messages.limits} about={messages.limitsAbout}>
      <table className="w-full text-sm">
        <thead className="text-soft text-left text-[0.8125rem]">
          <tr>
            <th scope="col" className="pb-2 font-medium">
              {messages.limit}
            </th>
            <th scope="col" className="pb-2 pl-4 text-right font-medium">
              {messages.value}
            </th>
          </tr>
        </thead>
        <tbody className="divide-line divide-y">
          {limits.map((limit) => (
            <tr key={limit.title} className="align-top">
              <td className="w-full py-2.5">
                <p className="flex flex-wrap items-baseline gap-x-3">
                  <span className="font-medium">{limitTexts(limit).title}</span>
                  {limit.setting !== null && (
                    <code className="text-soft font-mono text-xs [overflow-wrap:anywhere]">{limit.setting}</code>
                  )}
                </p>
                <p className="text-soft max-w-prose text-[0.8125rem]">{limitTexts(limit).about}</p>
              </td>
              <td className="py-2.5 pl-4 text-right whitespace-nowrap tabular-nums">{limitValue(limit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** Downloads a copy of the database, and explains how to restore it. */
function BackupPanel() {
  const backup = useBackup()
  const { data: server } = useServer()
  const code = 'font-mono text-[0.8125rem]'
  return (
    <Panel
      title={messages.backup}
      about={messages.backupAbout}
      actions={
        <Button busy={backup.isPending} onClick={() => backup.mutate()}>
          {!backup.isPending && <Download aria-hidden />}
          {backup.isPending ? messages.copyingDatabase : messages.downloadBackup}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <div aria-live="polite">
          {backup.error !== null && <ProblemNote error={backup.error} onRetry={() => backup.mutate()} />}
          {backup.data !== undefined && (
            <p className="text-good">{messages.downloading(backup.data.file_name, backup.data.bytes)}</p>
          )}
        </div>
        <p>
          {messages.restoreWith}{' '}
          <code className={code}>recalld restore {backup.data?.file_name ?? 'recalld-2026-03-04.db'}</code>
          {messages.restoreAbout}
        </p>
        <p className="text-soft">
          {messages.notInBackup} <code className={code}>config.yaml</code>
          {messages.tokenFilesAnd} <code className={code}>secret.key</code>.{' '}
          {messages.copyThem(server?.home?.folder ?? messages.theHomeFolder)}
        </p>
      </div>
    </Panel>
  )
}
