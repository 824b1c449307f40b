import type { CheckContext } from '../../src/connector/connector.ts'
import { once } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { mentioned, type Names } from './message-text.ts'
import type { SlackChannel, SlackIdentity, SlackMessage } from './slack-answers.ts'
import { chosenKinds, type SlackConfig } from './slack-config.ts'
import { SlackGateway } from './slack-gateway.ts'

/** What one run requests from Slack once: channels, people, the workspace. */
export interface SlackRun {
  readonly gateway: SlackGateway
  identity(): Promise<SlackIdentity>
  channels(): Promise<ReadonlyMap<string, SlackChannel>>
  /** @throws SourceError `skip` when the token no longer sees it */
  channel(partition: { readonly id: string; readonly title: string }): Promise<SlackChannel>
  /** `#general`, `@Bob`, `@ada, bob, carl`. */
  title(channel: SlackChannel): Promise<string>
  /** Names of everyone who wrote or is mentioned in these messages. */
  names(messages: readonly SlackMessage[]): Promise<Names>
}

export function slackRun(context: CheckContext<SlackConfig>): SlackRun {
  const { config } = context
  const gateway = new SlackGateway(context)
  const names = new Map<string, string | undefined>()
  const identity = once(() => gateway.identity())
  const channels = once(async () => {
    const found = await gateway.channels(chosenKinds(config))
    return new Map(found.map((channel) => [channel.id, channel]))
  })
  const listPeople = once(async () => {
    const people = await gateway.people()
    for (const { id, name } of people ?? []) names.set(id, name)
    return people !== undefined
  })

  async function learn(ids: Iterable<string>): Promise<void> {
    for (const id of new Set(ids)) {
      if (names.has(id)) continue
      const mayAsk = await listPeople()
      // No list includes people of other companies.
      if (!names.has(id)) names.set(id, mayAsk ? (await gateway.person(id))?.name : undefined)
    }
  }

  return {
    gateway,
    identity,
    channels,
    async channel({ id, title }) {
      const channel = (await channels()).get(id)
      if (channel === undefined) throw new SourceError('skip', `${title}: the token no longer has access.`)
      return channel
    },
    async title({ id, kind, name, user }) {
      if (kind === 'im' && user !== undefined) await learn([user])
      if (kind === 'im') return `@${(user && names.get(user)) || user || id}`
      if (kind === 'mpim') return `@${(name ?? id).replace(/^mpdm-(.*)-\d+$/, '$1').replaceAll('--', ', ')}`
      return `#${name ?? id}`
    },
    async names(messages) {
      const named = messages.flatMap(({ user, name, text }) => [
        ...(user !== undefined && name === undefined ? [user] : []),
        ...mentioned(text),
      ])
      await learn(named)
      const known = messages.some(({ text }) => /<#\w+(\|)?>/.test(text)) ? await channels() : undefined
      return { person: (id) => names.get(id), channel: (id) => known?.get(id)?.name }
    },
  }
}
