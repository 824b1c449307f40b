import { FakeGithub } from '../../fakes/github/fake-github.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'

const EACH = 500
const DAY_MS = 86_400_000
const YEARS = 3

/** As many pull requests as issues, over three years until now. */
export async function githubYearsBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(EACH * share)
  const fake = new FakeGithub()
  fake.now = new Date()
  const repository = fake.addRepository('acme/shop')
  const step = (YEARS * 365 * DAY_MS) / count
  for (let number = 1; number <= count; number++) {
    const at = new Date(Date.now() - (count - number) * step)
    const times = { createdAt: at, updatedAt: at }
    fake.addIssue(repository, { title: corpus.text(number, 50), body: corpus.text(number, 600), ...times })
    const pull = fake.addPullRequest(repository, {
      title: corpus.text(-number, 50),
      body: corpus.text(-number, 600),
      ...times,
    })
    fake.review(pull, 'APPROVED', corpus.text(number, 80))
    pull.updatedAt = at
  }
  const server = await GithubServer.start({ fake })
  return {
    connector: 'github',
    config: {
      name: 'bench',
      token: server.token,
      api_url: server.url,
      repositories: ['acme/shop'],
      kinds: ['issues', 'pull_requests'],
    },
    noun: `issues and ${count.toLocaleString('en')} pull requests of ${YEARS} years`,
    count,
    fewestRequests: 2 + Math.ceil((2 * count) / 100) + 2 + Math.ceil(count / 25),
    replay: async () => 0,
    close: async () => server[Symbol.asyncDispose](),
  }
}
