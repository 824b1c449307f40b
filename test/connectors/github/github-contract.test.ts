import { github } from '../../../connectors/github/github.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { githubSettings } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

describeConnectorContract('GitHub', async () => {
  const server = await GithubServer.start()
  const { fake } = server
  const shop = fake.addRepository('acme/shop', { hasDiscussions: true })
  fake.addRepository('acme/empty')
  const issue = fake.addIssue(shop, { title: 'It crashes' })
  fake.comment(issue, 'Here too.')
  for (let number = 1; number <= 61; number++) fake.comment(issue, `Comment ${number}`)
  const edited = fake.comment(fake.addIssue(shop), 'A comment that somebody edits.')
  const pull = fake.addPullRequest(shop)
  fake.review(pull, 'APPROVED')
  fake.commentOnLine(pull, 'Why?')
  const removed = fake.addIssue(shop, { title: 'Spam' })
  for (let number = 1; number <= 120; number++) fake.addIssue(shop)
  fake.addRelease(shop, 'v1')
  const discussion = fake.addDiscussion(shop, 'Which colour?')
  fake.discuss(discussion, 'Blue.', ['Or green.'], true)
  fake.writeFile(shop, 'README.md', '# Shop')
  fake.writeFile(shop, 'docs/a.md', '# A')
  fake.pass(60 * 60_000)
  return {
    connector: github,
    config: githubSettings(server),
    options: { clock: () => fake.now },
    async add() {
      return sourceItemId('gh', String(shop.id), { name: 'issue', value: String(fake.addIssue(shop).number) })
    },
    async edit() {
      fake.editComment(edited, 'It says something else now.')
      return sourceItemId('gh', String(shop.id), { name: 'issue', value: '2' })
    },
    async remove() {
      fake.deleteIssue(shop, removed)
      return sourceItemId('gh', String(shop.id), { name: 'issue', value: String(removed.number) })
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
