import { FakeSlack } from '../../fakes/slack/fake-slack.ts'
import { slackServer } from '../../fakes/slack/slack-server.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'

const CHANNELS = 10
const THREADS = 300
const MESSAGES = 10_000
const REPLIES = 25
const DAY_MS = 86_400_000
const SPAN_MS = 180 * DAY_MS

/** Threads of 26 messages, and the rest alone, over half a year. */
export async function slackBench(share: number, channelCount = CHANNELS): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(MESSAGES * share)
  const threads = Math.round(THREADS * share)
  const fake = new FakeSlack()
  const users = Array.from({ length: 20 }, (_, number) => fake.addUser(`U${number}`, `Person ${number}`))
  const channels = Array.from({ length: channelCount }, (_, number) =>
    fake.addChannel(`C${number}`, `channel-${number}`),
  )
  const begin = Date.now() - SPAN_MS
  const said = (number: number, at: number) => ({
    user: users[number % users.length] ?? 'U0',
    text: corpus.text(number, 120),
    at: new Date(at),
  })
  const alone = count - threads * (1 + REPLIES)
  let written = 0
  for (let thread = 0; thread < threads; thread++) {
    const channel = channels[thread % channelCount] ?? 'C0'
    const at = begin + (thread / threads) * SPAN_MS
    const root = fake.post(channel, said(written++, at))
    for (let reply = 1; reply <= REPLIES; reply++) fake.reply(channel, root, said(written++, at + reply * 60_000))
  }
  for (let number = 0; number < alone; number++) {
    fake.post(channels[number % channelCount] ?? 'C0', said(written++, begin + (number / alone) * SPAN_MS))
  }
  const server = await slackServer(fake)
  const perChannel = [...fake.channels.values()].map(({ messages }) => Math.ceil(messages.length / 200))
  const pages = perChannel.reduce((sum, count) => sum + count, 0)
  return {
    connector: 'slack',
    config: { name: 'bench', token: server.token, api_url: server.url },
    noun: `messages in ${threads} threads`,
    count,
    // Whose token, which channels, which people; then every page, and every thread once.
    fewestRequests: 3 + pages + threads,
    async replay() {
      const requests = server.log.splice(0)
      const start = performance.now()
      for (const { method, params } of requests) {
        const answer = await fetch(`${server.url}${method}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.token}` },
          body: new URLSearchParams(params),
        })
        await answer.json()
      }
      server.log.length = 0
      return performance.now() - start
    },
    close: async () => server[Symbol.asyncDispose](),
  }
}
