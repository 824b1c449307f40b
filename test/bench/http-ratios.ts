import { startBareFastify } from './baselines.ts'
import type { Corpus } from './corpus.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { percentile, sleep, timed } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'

/** What a recall over HTTP takes of the processor, beside what else would answer. */
export interface HttpRecalls {
  /** Asks so many questions of the service; the processor time that it took, in seconds. */
  recalls(from: number, count: number): Promise<number>
  /** The same of bare Fastify, which answers each with as many bytes. */
  hellos(count: number): Promise<number>
  close(): Promise<void>
}

/** Asked before anything is measured: vectors are read and code is compiled. */
const WARM_UP = 200

/** The service and bare Fastify in processes of their own; the service memorizes these texts first. */
export async function openHttpRecalls(corpus: Corpus, texts: number, characters: number): Promise<HttpRecalls> {
  const server = await startServer()
  const hello = await startBareFastify()
  const close = async () => {
    await hello.stop()
    await server.stop()
  }
  try {
    await memorize(server, corpus, texts, characters)
    const bytes = await answerBytes(server, corpus)
    const used = async (pid: number, work: () => Promise<unknown>) => {
      const before = cpuSeconds(pid)
      await work()
      return cpuSeconds(pid) - before
    }
    return {
      recalls: (from, count) =>
        used(server.pid, () => timed(count, 1, async (i) => void (await server.recall(corpus.question(from + i))))),
      hellos: (count) =>
        used(hello.pid, () =>
          timed(count, 1, async () => void (await (await fetch(`${hello.url}/${bytes}`)).arrayBuffer())),
        ),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function memorize(server: BenchServer, corpus: Corpus, texts: number, characters: number): Promise<void> {
  await timed(texts, 24, (i) => server.upload(`text-${i}`, corpus.text(i, characters), 'text/plain'))
  while ((await server.settled()) < texts) await sleep(20)
}

/** Of an answer of usual size. */
async function answerBytes(server: BenchServer, corpus: Corpus): Promise<number> {
  const sizes: number[] = []
  for (let i = 0; i < WARM_UP; i++) sizes.push(JSON.stringify(await server.recall(corpus.question(i))).length)
  return percentile(sizes, 0.5)
}
