import { FakeGithub } from '../../fakes/github/fake-github.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'

const ISSUES = 2_000

/** A third of the issues has two comments. */
export async function githubBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(ISSUES * share)
  const fake = new FakeGithub()
  const repository = fake.addRepository('acme/shop')
  for (let number = 1; number <= count; number++) {
    const issue = fake.addIssue(repository, { title: corpus.text(number, 50), body: corpus.text(number, 600) })
    if (number % 3 !== 0) continue
    for (const reply of [1, 2]) fake.comment(issue, corpus.text(number * 10 + reply, 300))
  }
  const server = await GithubServer.start({ fake })
  const comments = Math.floor(count / 3) * 2
  return {
    connector: 'github',
    config: {
      name: 'bench',
      token: server.token,
      api_url: server.url,
      repositories: ['acme/shop'],
      kinds: ['issues', 'pull_requests'],
    },
    noun: 'issues',
    count,
    // Whose token, which repository; then every page of issues, of their comments, and of comments on lines.
    fewestRequests: 2 + Math.ceil(count / 100) + Math.ceil(comments / 100) + 1,
    async replay() {
      const requests = server.log.splice(0)
      const start = performance.now()
      for (const { path } of requests) {
        const answer = await fetch(new URL(path, server.url), { headers: { authorization: `token ${server.token}` } })
        await answer.arrayBuffer()
      }
      server.log.length = 0
      return performance.now() - start
    },
    close: async () => server[Symbol.asyncDispose](),
  }
}
