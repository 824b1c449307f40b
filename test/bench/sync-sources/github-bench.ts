import { FakeGithub } from '../../fakes/github/fake-github.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'

const ISSUES = 2_000
const PULLS = 1_000

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
    ...githubSource(server),
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
  }
}

/** As many pull requests as issues; each pull request has a review with a comment on a line, and every third one more. */
export async function githubPullsBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(PULLS * share)
  const fake = new FakeGithub()
  const repository = fake.addRepository('acme/shop')
  for (let number = 1; number <= count; number++) {
    const issue = fake.addIssue(repository, { title: corpus.text(number, 50), body: corpus.text(number, 600) })
    if (number % 3 === 0) fake.comment(issue, corpus.text(number * 10, 300))
    const pull = fake.addPullRequest(repository, { title: corpus.text(-number, 50), body: corpus.text(-number, 600) })
    fake.review(pull, 'APPROVED', corpus.text(number, 80))
    fake.commentOnLine(pull, corpus.text(number * 10 + 1, 200))
    if (number % 3 === 0) fake.review(pull, 'COMMENTED', corpus.text(number * 10 + 2, 200))
  }
  const listings = 2 + Math.ceil((2 * count) / 100) + Math.ceil(count / 3 / 100) + Math.ceil((4 * count) / 3 / 100)
  return {
    ...githubSource(await GithubServer.start({ fake })),
    noun: `issues and ${count.toLocaleString('en')} pull requests`,
    count,
    // Whose token, which repository; every page of both, of comments, of comments on lines; and the pull requests by 25.
    fewestRequests: listings + Math.ceil(count / 25),
    // The reviews and the files of each.
    oneByOne: listings + 2 * count,
    replay: async () => 0,
  }
}

function githubSource(server: GithubServer): Pick<BenchSource, 'connector' | 'config' | 'close'> {
  const kinds = ['issues', 'pull_requests']
  return {
    connector: 'github',
    config: { name: 'bench', token: server.token, api_url: server.url, repositories: ['acme/shop'], kinds },
    close: async () => server[Symbol.asyncDispose](),
  }
}
