import { slack } from '../../../connectors/slack/slack.ts'
import type { Change, Context, Requests, SourceItem } from '../../../src/connector/connector.ts'
import { connectorContext, type TestContext } from '../../lib/connector-context.ts'
import { FakeSlack, type Said } from './fake-slack.ts'
import { type SlackServer, type SlackServerOptions, slackServer } from './slack-server.ts'

type SlackConfig = Parameters<typeof slack.manifest.selection>[0]
type SlackCursor = ReturnType<typeof slack.manifest.cursor.parse>

/** What one run of the connector yielded. */
export interface SlackRun {
  /** The last version of each item, by id. */
  readonly items: Map<string, SourceItem>
  readonly gone: string[]
  readonly failed: string[]
  readonly partitions: string[]
}

export function emptyRun(): SlackRun {
  return { items: new Map(), gone: [], failed: [], partitions: [] }
}

export const ADA = 'U0ADA'
export const BOB = 'U0BOB'
export const GENERAL = 'C0GENERAL'

/** When the clock of every simulation starts. */
export const NOON = new Date('2026-11-01T12:00:00Z')

/** `isStrict`: limits as for apps outside the marketplace, by the clock of the simulation. */
export type SlackSimulationOptions = Omit<SlackServerOptions, 'strict'> & { readonly isStrict?: boolean }

/**
 * A workspace with a channel, a server in front of it and the connector, run again and again with the cursors of the run
 * before, as the runner would; with a clock that only moves when a test says so.
 */
export class SlackSimulation implements AsyncDisposable {
  readonly fake = new FakeSlack()
  readonly server: SlackServer
  readonly cursors = new Map<string, SlackCursor>()
  now = NOON

  static async open({ isStrict, ...options }: SlackSimulationOptions = {}): Promise<SlackSimulation> {
    const fake = new FakeSlack()
    const strict = isStrict && { clock: () => simulation.now }
    const server = await slackServer(fake, { ...options, ...(strict && { strict }) })
    const simulation = new SlackSimulation(fake, server)
    fake.addUser(ADA, 'Ada Lovelace')
    fake.addUser(BOB, 'Bob Stone')
    fake.addChannel(GENERAL, 'general')
    return simulation
  }

  private constructor(fake: FakeSlack, server: SlackServer) {
    this.fake = fake
    this.server = server
  }

  /** The same workspace, clock and cursors, with a server that behaves otherwise. */
  async reopened(options: SlackServerOptions): Promise<SlackSimulation> {
    const simulation = new SlackSimulation(this.fake, await slackServer(this.fake, options))
    simulation.now = this.now
    for (const [id, cursor] of this.cursors) simulation.cursors.set(id, cursor)
    return simulation
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.server[Symbol.asyncDispose]())
  }

  /** Says something in `#general` so many days ago. */
  post(text: string, daysAgo = 0, said: Partial<Said> = {}): string {
    return this.fake.post(GENERAL, { user: ADA, text, at: this.ago(daysAgo), ...said })
  }

  reply(rootTs: string, text: string, daysAgo = 0, said: Partial<Said> = {}): string {
    return this.fake.reply(GENERAL, rootTs, { user: BOB, text, at: this.ago(daysAgo), ...said })
  }

  ago(days: number): Date {
    return new Date(this.now.getTime() - days * 86_400_000)
  }

  pass(days: number): void {
    this.now = this.ago(-days)
  }

  async context(config: Record<string, unknown> = {}, signal?: AbortSignal): Promise<TestContext<SlackConfig>> {
    const { url, token } = this.server
    const whole = { name: 'acme', token, api_url: url, ...config }
    const context = await connectorContext(slack, whole, {
      clock: () => this.now,
      knownPartitions: [...this.cursors.keys()],
      ...(signal && { signal }),
    })
    // `connectorContext` knows the manifest's schema only by its interface.
    return context as TestContext<SlackConfig>
  }

  /** One run, from the cursors of the last one. */
  async run(config: Record<string, unknown> = {}, requests?: Requests): Promise<SlackRun> {
    const context = await this.context(config)
    return this.runIn(requests === undefined ? context : { ...context, requests })
  }

  /** @param run what was yielded is added to it, also when the run fails */
  async runIn(context: Context<SlackConfig>, run: SlackRun = emptyRun()): Promise<SlackRun> {
    for await (const partition of slack.partitions(context)) {
      run.partitions.push(partition.title)
      for await (const change of slack.changes(partition, this.cursors.get(partition.id), context)) {
        this.#keep(partition.id, change)
        if (change.type === 'item') run.items.set(change.item.itemId, change.item)
        if (change.type === 'failed') run.failed.push(change.ref.itemId)
        if (change.type !== 'gone') continue
        run.items.delete(change.ref.itemId)
        run.gone.push(change.ref.itemId)
      }
    }
    return run
  }

  #keep(partition: string, change: Change<SlackCursor>): void {
    if (change.type !== 'checkpoint') return
    this.cursors.set(partition, slack.manifest.cursor.parse(JSON.parse(JSON.stringify(change.cursor))))
  }
}

export function threadId(ts: string, channel = GENERAL): string {
  return `slack:T0FERN:${channel}:th:${ts.replace('.', '-')}`
}

export function dayId(day: string, channel = GENERAL): string {
  return `slack:T0FERN:${channel}:day=${day}`
}

export async function bodyOf(item: SourceItem | undefined): Promise<string> {
  if (item === undefined) throw new Error('There is no such item')
  const body = typeof item.body === 'function' ? await item.body() : item.body
  if (typeof body !== 'string') throw new Error(`${item.itemId} has no text`)
  return body
}
