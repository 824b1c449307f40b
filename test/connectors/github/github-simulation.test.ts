import { github } from '../../../connectors/github/github.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { githubSettings } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const DAY_MS = 86_400_000

describeConnectorSimulation('GitHub', async (clock) => {
  const server = await GithubServer.start()
  const { fake } = server
  fake.pass(clock().getTime() - fake.now.getTime())
  const shop = fake.addRepository('acme/shop')
  const issues = Array.from({ length: 4 }, () => fake.addIssue(shop))
  const comments = issues.map((issue) => fake.comment(issue, 'Me too.'))
  fake.writeFile(shop, 'README.md', '# Shop')
  return {
    connector: github,
    config: githubSettings(server),
    change(random) {
      fake.pass(clock().getTime() - fake.now.getTime())
      const dice = random()
      const issue = oneOf(random, issues)
      if (dice < 0.3) issues.push(fake.addIssue(shop))
      else if (dice < 0.5) comments.push(fake.comment(issue, `At ${clock().toISOString()}`))
      else if (dice < 0.7) fake.editComment(oneOf(random, comments), `Edited at ${clock().toISOString()}`)
      else if (dice < 0.85)
        fake.writeFile(shop, oneOf(random, ['README.md', 'docs/a.md']), `# At ${clock().toISOString()}`)
      else if (issues.length > 3) {
        fake.deleteIssue(shop, issue)
        issues.splice(issues.indexOf(issue), 1)
      }
    },
    disturb(random) {
      const status = oneOf(random, [500, 502, 429])
      server.faults.push({
        path: oneOf(random, [/issues/, /comments/, /repos/]),
        status,
        times: 1 + Math.floor(random() * 2),
      })
    },
    calm() {
      server.faults.length = 0
      server.resetAt = new Date(clock().getTime() + 3_600_000)
      server.remaining = 5_000
    },
    noticedAfterMs: DAY_MS,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
