import { github } from '../../../connectors/github/github.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { githubSettings } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

describeConnectorContract('GitHub', async () => {
  const server = await GithubServer.start()
  const { world } = server
  const shop = world.addRepository('acme/shop', { hasDiscussions: true })
  world.addRepository('acme/empty')
  const issue = world.addIssue(shop, { title: 'It crashes' })
  world.comment(issue, 'Here too.')
  for (let number = 1; number <= 61; number++) world.comment(issue, `Comment ${number}`)
  const edited = world.comment(world.addIssue(shop), 'A comment that somebody edits.')
  const pull = world.addPullRequest(shop)
  world.review(pull, 'APPROVED')
  world.commentOnLine(pull, 'Why?')
  const removed = world.addIssue(shop, { title: 'Spam' })
  for (let number = 1; number <= 120; number++) world.addIssue(shop)
  world.addRelease(shop, 'v1')
  const discussion = world.addDiscussion(shop, 'Which colour?')
  world.discuss(discussion, 'Blue.', ['Or green.'], true)
  world.writeFile(shop, 'README.md', '# Shop')
  world.writeFile(shop, 'docs/a.md', '# A')
  world.pass(60 * 60_000)
  return {
    connector: github,
    config: githubSettings(server),
    options: { clock: () => world.now },
    async add() {
      return sourceItemId('gh', String(shop.id), { name: 'issue', value: String(world.addIssue(shop).number) })
    },
    async edit() {
      world.editComment(edited, 'It says something else now.')
      return sourceItemId('gh', String(shop.id), { name: 'issue', value: '2' })
    },
    async remove() {
      world.deleteIssue(shop, removed)
      return sourceItemId('gh', String(shop.id), { name: 'issue', value: String(removed.number) })
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
