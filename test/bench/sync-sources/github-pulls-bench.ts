import { FakeGithub } from '../../fakes/github/fake-github.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'

const EACH = 1_000

/** As many pull requests as issues; each pull request has a review with a comment on a line, and every third one more. */
export async function githubPullsBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(EACH * share)
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
    noun: `issues and ${count.toLocaleString('en')} pull requests`,
    count,
    // Whose token, which repository; every page of both, of comments, of comments on lines; and the pull requests by 20.
    fewestRequests:
      2 + Math.ceil((2 * count) / 100) + Math.ceil(count / 3 / 100) + Math.ceil(count / 100) + Math.ceil(count / 20),
    replay: async () => 0,
    close: async () => server[Symbol.asyncDispose](),
  }
}
