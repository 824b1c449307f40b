import type { ConnectionStatus } from '../sync-service.ts'

/** One message for all connections that newly need attention. */
export interface AlertMessage {
  readonly subject: string
  readonly text: string
  /** The body of a webhook; `text` is what Slack, Mattermost and others show. */
  readonly body: AlertBody
}

interface AlertBody {
  readonly type: 'sources_need_attention' | 'test'
  readonly text: string
  readonly sent_at: string
  readonly sources: readonly AlertedSource[]
}

interface AlertedSource {
  /** `slack/acme` */
  readonly connection: string
  readonly title: string
  readonly account: string | null
  readonly problem: string
  readonly remedy: string | null
  /** Its page in the web app. */
  readonly url: string
}

export function alertMessage(statuses: readonly ConnectionStatus[], address: string, now: Date): AlertMessage {
  const sources = statuses.map((status) => alertedSource(status, address))
  const [first] = sources
  const subject =
    sources.length === 1 && first !== undefined
      ? `recalld: ${first.title} (${first.connection}) needs you`
      : `recalld: ${sources.length} sources need you`
  const text = `${[subject, ...sources.map(paragraph)].join('\n\n')}\n`
  return { subject, text, body: { type: 'sources_need_attention', text, sent_at: now.toISOString(), sources } }
}

export function testMessage(address: string, now: Date): AlertMessage {
  const subject = 'recalld: test of alerts'
  const text = `${subject}\n\nAlerts about sources that need you arrive here. ${address}/app/sources\n`
  return { subject, text, body: { type: 'test', text, sent_at: now.toISOString(), sources: [] } }
}

function alertedSource(status: ConnectionStatus, address: string): AlertedSource {
  const { connector, name, title, account, problem, remedy, warnings } = status
  return {
    ...{ connection: `${connector}/${name}`, title, account },
    problem: status.state === 'needs attention' && problem !== null ? problem : (warnings.at(-1) ?? problem ?? ''),
    remedy,
    url: `${address}/app/sources/${encodeURIComponent(connector)}/${encodeURIComponent(name)}`,
  }
}

function paragraph({ connection, title, account, problem, remedy, url }: AlertedSource): string {
  const whose = account === null ? '' : `, ${account}`
  return [`${title} (${connection}${whose})`, problem, ...(remedy === null ? [] : [remedy]), url].join('\n')
}
