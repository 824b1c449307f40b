import type { CheckContext, Context } from '../../src/connector/connector.ts'
import { once } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { mentioned, type Names } from './message-text.ts'
import type { SlackChannel, SlackIdentity, SlackMessage } from './slack-answers.ts'
import { chosenKinds, type SlackConfig } from './slack-config.ts'
import { SlackGateway } from './slack-gateway.ts'

/** A mention of a user group that Slack wrote without its name. */
const NAMELESS_GROUP = /<!subteam\^\w+>/

/** Of the run's context. */
type Known = Pick<Context<SlackConfig>, 'knownPartitions'>

/** What one run requests from Slack once: channels, people, the workspace. */
export interface SlackRun {
  readonly gateway: SlackGateway
  identity(): Promise<SlackIdentity>
  channels(context: Known): Promise<ReadonlyMap<string, SlackChannel>>
  /** @throws SourceError `skip` when the token no longer sees it */
  channel(partition: { readonly id: string; readonly title: string }, context: Known): Promise<SlackChannel>
  /** `#general`, `@Bob`, `@ada, bob, carl`. */
  title(channel: SlackChannel): Promise<string>
  /** Names of everyone who wrote or is mentioned in these messages, of channels and of user groups. */
  names(messages: readonly SlackMessage[]): Promise<Names>
}

export function slackRun({ config, ...context }: CheckContext<SlackConfig>): SlackRun {
  const gateway = new SlackGateway({ config, ...context })
  const { channels, known } = channelListing(gateway, config)
  const people = peopleNames(gateway)
  const groups = groupNames(gateway)
  const channelNames = new Map<string, string | undefined>()

  /** Slack mostly writes the name of a channel beside its id. */
  async function learnChannels(ids: readonly string[]): Promise<void> {
    for (const id of new Set(ids)) {
      if (channelNames.has(id)) continue
      const channel = (await known())?.get(id) ?? (await gateway.channel(id))
      channelNames.set(id, channel?.name)
    }
  }

  return {
    gateway,
    identity: gateway.identity,
    channels,
    async channel({ id, title }, context) {
      const channel = (await channels(context)).get(id)
      if (channel === undefined) throw new SourceError('skip', `${title}: the token no longer has access.`)
      return channel
    },
    async title({ id, kind, name, user }) {
      if (kind === 'im' && user !== undefined) await people.learn([user])
      if (kind === 'im') return `@${(user && people.name(user)) || user || id}`
      if (kind === 'mpim') return `@${(name ?? id).replace(/^mpdm-(.*)-\d+$/, '$1').replaceAll('--', ', ')}`
      return `#${name ?? id}`
    },
    async names(messages) {
      const named = messages.flatMap(({ user, name, text }) => [
        ...(user !== undefined && name === undefined ? [user] : []),
        ...mentioned(text),
      ])
      await people.learn(named)
      await learnChannels(messages.flatMap(({ text }) => [...text.matchAll(/<#(\w+)\|?>/g)].map(([, id = '']) => id)))
      if (messages.some(({ text }) => NAMELESS_GROUP.test(text))) await groups.learn()
      return { person: people.name, channel: (id) => channelNames.get(id), group: groups.name }
    },
  }
}

/** The conversations that the settings choose from, listed once; `known`: without listing them. */
function channelListing(gateway: SlackGateway, config: SlackConfig) {
  let listing: Promise<ReadonlyMap<string, SlackChannel>> | undefined

  async function listChannels({ knownPartitions }: Known): Promise<ReadonlyMap<string, SlackChannel>> {
    const found = await gateway.channels(chosenKinds(config), { everyone: config.include !== undefined })
    const listed = new Set(found.map(({ id }) => id))
    // Slack may list an archived channel to nobody: what was read of it must not look like a loss.
    for (const { id } of await knownPartitions()) {
      const channel = listed.has(id) ? undefined : await gateway.channel(id)
      if (channel?.isArchived) found.push(channel)
    }
    return new Map(found.map((channel) => [channel.id, channel]))
  }

  return {
    known: async () => listing,
    channels(context: Known): Promise<ReadonlyMap<string, SlackChannel>> {
      listing ??= listChannels(context).catch((error: unknown) => {
        listing = undefined
        throw error
      })
      return listing
    },
  }
}

function groupNames(gateway: SlackGateway) {
  const names = new Map<string, string | undefined>()
  const learn = once(async () => {
    for (const { id, name } of await gateway.groups()) names.set(id, name)
  })
  return { name: (id: string) => names.get(id), learn }
}

function peopleNames(gateway: SlackGateway) {
  const names = new Map<string, string | undefined>()
  const listPeople = once(async () => {
    const people = await gateway.people()
    for (const { id, name } of people ?? []) names.set(id, name)
    return people !== undefined
  })
  return {
    name: (id: string) => names.get(id),
    async learn(ids: Iterable<string>): Promise<void> {
      for (const id of new Set(ids)) {
        if (names.has(id)) continue
        const mayAsk = await listPeople()
        // No list includes people of other companies.
        if (!names.has(id)) names.set(id, mayAsk ? (await gateway.person(id))?.name : undefined)
      }
    },
  }
}
