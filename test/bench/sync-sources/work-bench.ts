import { AtlassianServer, paragraph } from '../../fakes/atlassian/atlassian-server.ts'
import { GitlabServer } from '../../fakes/gitlab/gitlab-server.ts'
import { LinearServer } from '../../fakes/linear/linear-server.ts'
import { block, NotionServer } from '../../fakes/notion/notion-server.ts'
import { ZoomServer } from '../../fakes/zoom/zoom-server.ts'
import { type Corpus, createCorpus } from '../corpus.ts'
import type { BenchSource, OpenBenchSource } from './bench-source.ts'
import { RecordingProxy } from './recording-proxy.ts'

const ITEMS = 1_000
/** Notion takes 180 requests a minute. */
const NOTION_PAGES = 150
const MEETINGS = 300
const DAY_MS = 86_400_000

interface Filled {
  readonly server: AsyncDisposable & { now: Date; readonly url: string; readonly settings: Record<string, unknown> }
  readonly noun: string
  readonly count: number
  readonly fewestRequests: number
}

type Fill = (share: number, corpus: Corpus) => Promise<Filled>

const pages = (count: number, size: number) => Math.max(1, Math.ceil(count / size))

async function gitlab(share: number, corpus: Corpus): Promise<Filled> {
  const server = await GitlabServer.start()
  const count = Math.round(ITEMS * share)
  server.addProject(1, 'acme/shop')
  for (let number = 0; number < count; number++) {
    const issue = server.add(1, corpus.text(number, 50).trim(), 'issues', corpus.text(number + ITEMS, 400))
    server.note(issue, corpus.text(number + 2 * ITEMS, 200))
  }
  // Whose token it is, the projects, their issues and merge requests, and the comments of each.
  return { server, noun: 'issues', count, fewestRequests: 3 + pages(count, 100) + count }
}

async function jira(share: number, corpus: Corpus): Promise<Filled> {
  const server = await AtlassianServer.start()
  const count = Math.round(ITEMS * share)
  server.addPart('1', 'SHOP', 'Shop')
  for (let number = 0; number < count; number++) {
    const issue = server.addIssue('1', corpus.text(number, 50).trim(), paragraph(corpus.text(number + ITEMS, 400)))
    server.addComment(issue, corpus.text(number + 2 * ITEMS, 200))
  }
  // The same; the first full reading is followed by no comparison.
  return { server, noun: 'issues', count, fewestRequests: 2 + pages(count, 100) + count }
}

async function confluence(share: number, corpus: Corpus): Promise<Filled> {
  const server = await AtlassianServer.start()
  const count = Math.round(ITEMS * share)
  server.addPart('1', 'OPS', 'Operations')
  for (let number = 0; number < count; number++) {
    server.addPage('1', corpus.text(number, 50).trim(), paragraph(corpus.text(number + ITEMS, 900)))
  }
  return { server, noun: 'pages', count, fewestRequests: 2 + pages(count, 50) }
}

async function linear(share: number, corpus: Corpus): Promise<Filled> {
  const server = await LinearServer.start()
  const count = Math.round(ITEMS * share)
  server.addTeam('t1', 'Shop', 'SHOP')
  for (let number = 0; number < count; number++) {
    const issue = server.addIssue('t1', corpus.text(number, 50).trim(), corpus.text(number + ITEMS, 400))
    server.addComment(issue, corpus.text(number + 2 * ITEMS, 200))
  }
  return { server, noun: 'issues', count, fewestRequests: 2 + pages(count, 40) }
}

async function notion(share: number, corpus: Corpus): Promise<Filled> {
  const server = await NotionServer.start()
  const count = Math.round(NOTION_PAGES * share)
  for (let number = 0; number < count; number++) {
    const blocks = [0, 1, 2].map((at) => block('paragraph', corpus.text(number * 3 + at, 300)))
    server.addPage(corpus.text(number + ITEMS, 50).trim(), blocks)
  }
  return { server, noun: 'pages', count, fewestRequests: 1 + pages(count, 100) + count }
}

/** A year of meetings of an hour. */
async function zoom(share: number, corpus: Corpus): Promise<Filled> {
  const server = await ZoomServer.start()
  const count = Math.round(MEETINGS * share)
  const now = Date.now()
  server.created = new Date(now - 365 * DAY_MS).toISOString()
  for (let number = 0; number < count; number++) {
    const at = new Date(now - (1 + (364 * number) / count) * DAY_MS).toISOString()
    const said = Array.from({ length: 60 }, (_, minute) => {
      const speaker = ['Ada Lovelace', 'Bruno Braun', 'Chiara Conti'][minute % 3] ?? ''
      return [minute * 60, speaker, corpus.text(number * 60 + minute, 120).replace(/\s+/g, ' ')] as const
    })
    server.meet(corpus.text(number, 40).trim(), at, said)
  }
  // Whose account it is, how old it is, a list for every four weeks of a year, and every transcript.
  return { server, noun: 'meetings', count, fewestRequests: 2 + 14 + count }
}

function opened(connector: string, fill: Fill): OpenBenchSource {
  return async (share): Promise<BenchSource> => {
    const { server, ...told } = await fill(share, createCorpus())
    server.now = new Date()
    const { origin } = new URL(server.url)
    const proxy = await RecordingProxy.start(origin)
    const config = JSON.parse(JSON.stringify(server.settings).replaceAll(origin, proxy.url)) as Record<string, unknown>
    return {
      ...{ connector, config, ...told },
      replay: () => proxy.replay(),
      async close() {
        await proxy.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }
}

/** Sources that are read by a token, without an SDK. */
export const WORK_SOURCES: Readonly<Record<string, OpenBenchSource>> = {
  gitlab: opened('gitlab', gitlab),
  jira: opened('jira', jira),
  confluence: opened('confluence', confluence),
  linear: opened('linear', linear),
  notion: opened('notion', notion),
  zoom: opened('zoom', zoom),
}
