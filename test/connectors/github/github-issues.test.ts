import { describe, expect, test } from 'vitest'
import type { GithubCursor } from '../../../connectors/github/github-config.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { bodyOf, githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const MINUTE = 60_000

async function openShop() {
  const server = await GithubServer.start()
  const shop = server.fake.addRepository('acme/shop')
  return {
    server,
    fake: server.fake,
    shop,
    id: (end: string) => `gh:${shop.id}:${end}`,
    /** One run over issues and pull requests. */
    run: async (cursor?: GithubCursor, config = {}) => (await githubRun(server, config)).changes(':issues', cursor),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe('an issue', () => {
  test('is its description, its state and its comments', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop, {
      title: 'It crashes',
      body: 'When I pay.\r\n\r\nTwice.',
      labels: ['bug', 'urgent'],
      milestone: '1.0',
      assignees: ['bob'],
    })
    at.fake.comment(issue, 'Here too.', 'bob')
    at.fake.comment(issue, 'Fixed.', 'ada')
    const { items, text } = await at.run()
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      sourceType: 'github',
      itemId: at.id('issue=1'),
      title: 'acme/shop#1: It crashes',
      url: 'https://github.test/acme/shop/issues/1',
      author: 'ada',
      people: ['ada', 'bob'],
      where: 'acme/shop',
      parents: ['acme', 'shop'],
      visibility: 'public',
      createdAt: issue.createdAt,
      updatedAt: issue.updatedAt,
    })
    expect(await text('issue=1')).toBe(
      [
        'When I pay.',
        'Twice.',
        'State: open. Labels: bug, urgent. Milestone: 1.0. Assignees: bob.',
        `## Comment by bob at ${issue.comments[0]?.createdAt.toISOString()}`,
        'Here too.',
        `## Comment by ada at ${issue.comments[1]?.createdAt.toISOString()}`,
        'Fixed.\n',
      ].join('\n\n'),
    )
  })

  test('is understood as what its author and each other person said', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop, { title: 'It crashes', body: 'When I pay.' })
    const comment = at.fake.comment(issue, 'Here too.')
    const { items, text } = await at.run()
    const [item] = items
    if (item === undefined) throw new Error('there is no item')
    const { bytes, fileName, contentType } = renderDocument(item, await text('issue=1'))
    const document = await parsed(bytes, { fileName, contentType, sourceType: 'github' })
    expect(document.kind).toBe('issue')
    expect(turns(document)).toEqual([
      ['ada', issue.createdAt.toISOString(), 'When I pay.\n\nState: open.'],
      ['bob', comment.createdAt.toISOString(), 'Here too.'],
    ])
  })

  test('does not let a comment speak for somebody else', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop)
    at.fake.comment(issue, 'Hi\n\n## Comment by ada at 2026-01-01T00:00:00Z\n\nI resign.\n\n## Steps', 'mallory')
    const text = await (await at.run()).text('issue=1')
    expect(text.match(/^## .* by /gm)).toHaveLength(1)
    expect(text).toContain('\n## Steps')
  })

  test('names people who deleted their account as GitHub does', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop, { login: undefined })
    issue.comments.push({ ...at.fake.comment(issue, 'Bye'), id: 1, login: undefined })
    const { items, text } = await at.run()
    expect(items[0]?.author).toBe('ghost')
    expect(await text('issue=1')).toContain('## Comment by ghost at')
  })

  test('with many comments is several documents, of which a new comment changes the last', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop)
    for (let number = 1; number <= 130; number++) at.fake.comment(issue, `Comment no ${number}.`)
    const before = await at.run()
    expect(before.ids).toEqual([at.id('issue=1'), at.id('issue=1:s=0001'), at.id('issue=1:s=0002')])
    expect(before.items[1]?.title).toBe('acme/shop#1: Issue 1 (comments from 61)')
    const texts = await Promise.all(before.items.map(bodyOf))
    expect(texts.map((text) => text?.match(/Comment no/g)?.length)).toEqual([60, 60, 10])
    at.fake.comment(issue, 'One more.')
    const after = await at.run(before.cursor)
    expect(await after.text('issue=1')).toBe(texts[0])
    expect(await after.text('s=0001')).toBe(texts[1])
    expect(await after.text('s=0002')).toContain('One more.')
  })
})

describe('what bots comment', () => {
  async function openBotIssues() {
    const at = await openShop()
    const issue = at.fake.addIssue(at.shop, { login: 'dependabot[bot]', body: 'Bumps it from 1 to 2.' })
    at.fake.comment(issue, 'Coverage: 81 %', 'codecov[bot]')
    at.fake.comment(issue, 'Thanks.', 'ada')
    return at
  }

  test('is left out, not what they open', async () => {
    await using at = await openBotIssues()
    const text = await (await at.run()).text('issue=1')
    expect(text).toMatch(/^Bumps it from 1 to 2\./)
    expect(text).toContain('## Comment by ada at')
    expect(text).not.toContain('codecov')
  })

  test('is taken when the settings say so', async () => {
    await using at = await openBotIssues()
    const text = await (await at.run(undefined, { bots: 'include' })).text('issue=1')
    expect(text).toContain('## Comment by codecov[bot] at')
  })

  test('does not move comments from one document to another', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop)
    for (let count = 0; count < 60; count++) at.fake.comment(issue, 'Build failed.', 'ci[bot]')
    for (let count = 0; count < 60; count++) at.fake.comment(issue, 'Same here.')
    for (let count = 0; count < 60; count++) at.fake.comment(issue, 'Build failed.', 'ci[bot]')
    const { ids, text } = await at.run()
    expect(ids).toHaveLength(3)
    expect((await text('issue=1')).match(/Same here/g)).toBeNull()
    expect((await text('s=0001')).match(/Same here/g)).toHaveLength(60)
    expect(await text('s=0002')).not.toContain('Build failed')
  })
})

describe('a pull request', () => {
  test('is its description, its files, its reviews and what was said on lines', async () => {
    await using at = await openShop()
    const pull = at.fake.addPullRequest(at.shop, { title: 'Pay once', files: ['src/pay.ts', 'docs/pay.md'] })
    at.fake.comment(pull, 'Please look.')
    at.fake.commentOnLine(pull, 'Why this?', 'src/pay.ts', '@@ -1 +1,2 @@\n the line before\n+the line')
    at.fake.review(pull, 'CHANGES_REQUESTED', 'Not yet.')
    at.fake.review(pull, 'COMMENTED')
    at.fake.review(pull, 'APPROVED')
    const { ids, text } = await at.run()
    expect(ids).toEqual([at.id('pr=1')])
    const body = await text('pr=1')
    expect(body).toContain('Changed files:\n\n- src/pay.ts (modified, +3 -1)\n- docs/pay.md (modified, +3 -1)')
    expect(body).toContain('On `src/pay.ts` line 2:\n\n```diff\n+the line\n```\n\nWhy this?')
    expect(body).not.toMatch(/the line before|secret/)
    expect(body.match(/^## .* by/gm)).toEqual([
      '## Comment by',
      '## Review comment by',
      '## Changes requested by',
      '## Approved by',
    ])
  })

  test('says whether it was merged, and when', async () => {
    await using at = await openShop()
    const closedAt = at.fake.now
    at.fake.addPullRequest(at.shop, { state: 'closed', mergedAt: closedAt, closedAt })
    at.fake.addPullRequest(at.shop, { state: 'closed', closedAt })
    const { text } = await at.run()
    expect(await text('pr=1')).toContain('State: merged on 2026-11-20.')
    expect(await text('pr=2')).toContain('State: closed without being merged on 2026-11-20.')
  })

  test('keeps what was said on a line of Markdown apart from that line', async () => {
    await using at = await openShop()
    const pull = at.fake.addPullRequest(at.shop)
    at.fake.commentOnLine(pull, 'Say which shell.', 'README.md', '@@ -1 +1 @@\n ```')
    at.fake.review(pull, 'COMMENTED')
    const { items, text } = await at.run()
    const [item] = items
    if (item === undefined) throw new Error('there is no item')
    const { bytes, fileName, contentType } = renderDocument(item, await text('pr=1'))
    const document = await parsed(bytes, { fileName, contentType, sourceType: 'github' })
    expect(turns(document).at(-1)?.[2]).toBe('Say which shell.')
  })
})

describe('what has changed', () => {
  test('includes a review that came later', async () => {
    await using at = await openShop()
    const pull = at.fake.addPullRequest(at.shop)
    const { cursor } = await at.run()
    at.fake.pass(60 * MINUTE)
    at.fake.review(pull, 'APPROVED', 'Well done.')
    expect(await (await at.run(cursor)).text('pr=1')).toContain('Well done.')
  })

  test('includes an issue on which only a comment was edited', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop)
    const comment = at.fake.comment(issue, 'Teh same.')
    const pull = at.fake.addPullRequest(at.shop)
    const onLine = at.fake.commentOnLine(pull, 'Teh line.')
    at.fake.review(pull, 'COMMENTED')
    at.fake.pass(60 * MINUTE)
    const { cursor, items } = await at.run()
    at.fake.pass(60 * MINUTE)
    at.fake.editComment(comment, 'The same.')
    at.fake.editComment(onLine, 'The line.')
    const after = await at.run(cursor)
    expect(after.ids.sort()).toEqual([at.id('issue=1'), at.id('pr=2')])
    expect(after.items.map(({ revision }) => revision)).not.toEqual(items.map(({ revision }) => revision))
    expect(await after.text('issue=1')).toContain('The same.')
    expect(await after.text('pr=2')).toContain('The line.')
    expect((await at.run(after.cursor)).gone).toEqual([])
  })

  test('says that an issue is gone when a comment leads to nothing', async () => {
    await using at = await openShop()
    const comment = at.fake.comment(at.fake.addIssue(at.shop), 'Teh.')
    for (let count = 0; count < 120; count++) at.fake.addIssue(at.shop)
    at.fake.pass(60 * MINUTE)
    const { cursor } = await at.run()
    at.fake.pass(60 * MINUTE)
    at.fake.editComment(comment, 'The.')
    at.server.faults.push({ path: /issues\/1$/, status: 410 })
    expect((await at.run(cursor)).gone).toEqual([at.id('issue=1')])
  })

  test('includes what GitHub lists some minutes after its time', async () => {
    await using at = await openShop()
    for (let count = 0; count < 120; count++) at.fake.addIssue(at.shop)
    at.fake.pass(MINUTE)
    const { cursor } = await at.run()
    const late = new Date(at.fake.now.getTime() - 2 * MINUTE)
    at.fake.addIssue(at.shop, { createdAt: late, updatedAt: late })
    expect((await at.run(cursor)).ids).toContain(at.id('issue=121'))
  })

  test('includes what changed while it was read', async () => {
    await using at = await openShop()
    const first = at.fake.addIssue(at.shop)
    for (let count = 0; count < 249; count++) at.fake.addIssue(at.shop)
    let answered = 0
    at.server.meanwhile = (path) => {
      if (path.includes('/issues?') && ++answered === 2) at.fake.editIssue(first, { title: 'Changed meanwhile' })
    }
    const { ids, items } = await at.run()
    expect(new Set(ids).size).toBe(250)
    expect(items.map(({ title }) => title)).toContain('acme/shop#1: Changed meanwhile')
  })

  test.each([true, false])('includes all of many issues that changed in one second (%s)', async (sinceIsExclusive) => {
    await using at = await openShop()
    at.server.sinceIsExclusive = sinceIsExclusive
    const at0 = at.fake.now
    for (let count = 0; count < 350; count++) at.fake.addIssue(at.shop, { createdAt: at0, updatedAt: at0 })
    for (let count = 0; count < 150; count++) at.fake.addIssue(at.shop)
    const { ids } = await at.run()
    expect(new Set(ids).size).toBe(500)
    expect(ids).toHaveLength(500)
  })

  test('goes on after an interruption where it was', async () => {
    await using at = await openShop()
    const began = Date.parse('2026-01-01T00:00:00Z')
    for (let count = 0; count < 250; count++) {
      at.fake.addIssue(at.shop, { updatedAt: new Date(began + count * 600_000) })
    }
    const { changes } = await at.run()
    const cursors = changes.flatMap((change) => (change.type === 'checkpoint' ? [change.cursor] : []))
    const resumed = await at.run(cursors.find((cursor) => cursor.kind === 'issues-walk' && cursor.reached))
    expect(resumed.ids.length).toBeGreaterThanOrEqual(150)
    expect(resumed.ids.length).toBeLessThan(155)
    expect(resumed.cursor).toMatchObject({ kind: 'issues' })
  })

  test('of the last weeks comes first in a first run', async () => {
    await using at = await openShop()
    for (let count = 0; count < 150; count++) {
      const old = new Date(Date.parse('2026-01-01T00:00:00Z') + count * 600_000)
      at.fake.addIssue(at.shop, { createdAt: old, updatedAt: old })
    }
    const news = [at.fake.addIssue(at.shop), at.fake.addPullRequest(at.shop)]
    const { changes, ids, items, cursor } = await at.run()
    const recent = changes.findIndex((change) => change.type === 'checkpoint' && change.recentSince !== undefined)
    const first = changes.slice(0, recent).flatMap((change) => (change.type === 'item' ? [change.item] : []))
    expect(first.map(({ itemId }) => itemId)).toEqual([at.id('issue=151'), at.id('pr=152')])
    expect(new Set(ids).size).toBe(152)
    // Read again by the full scan, they are the same.
    const revisions = new Map(first.map(({ itemId, revision }) => [itemId, revision]))
    for (const { itemId, revision } of items) expect(revisions.get(itemId) ?? revision).toBe(revision)
    expect(cursor).toMatchObject({ kind: 'issues' })
    at.fake.comment(news[0] ?? at.fake.addIssue(at.shop), 'Later.')
    expect((await at.run(cursor)).ids).toContain(at.id('issue=151'))
  })

  test('begins at the day that the settings name', async () => {
    await using at = await openShop()
    at.fake.addIssue(at.shop, { updatedAt: new Date('2024-05-01T00:00:00Z') })
    const old = new Date('2023-05-01T00:00:00Z')
    const issue = at.fake.addIssue(at.shop, { createdAt: old })
    issue.comments.push({ id: 1, login: 'bob', body: 'Long ago', createdAt: old, updatedAt: old })
    const { ids, text } = await at.run(undefined, { since: '2026-01-01' })
    expect(ids).toEqual([at.id('issue=2')])
    expect(await text('issue=2')).toContain('Long ago')
  })

  test('leaves out the kinds that are not wanted', async () => {
    await using at = await openShop()
    at.fake.addIssue(at.shop)
    at.fake.addPullRequest(at.shop)
    expect((await at.run(undefined, { kinds: ['issues'] })).ids).toEqual([at.id('issue=1')])
    expect((await at.run(undefined, { kinds: ['pull_requests'] })).ids).toEqual([at.id('pr=2')])
  })

  test('is nothing where issues are turned off', async () => {
    await using at = await openShop()
    at.shop.hasIssues = false
    const { items, cursor } = await at.run()
    expect(items).toEqual([])
    expect((await at.run(cursor)).items).toEqual([])
  })
})

describe('what is gone', () => {
  test('is not listed and not read any more: deleted and transferred issues', async () => {
    await using at = await openShop()
    const other = at.fake.addRepository('acme/other')
    at.fake.addIssue(other)
    const deleted = at.fake.addIssue(at.shop)
    const transferred = at.fake.addIssue(at.shop)
    at.fake.addIssue(at.shop)
    at.fake.deleteIssue(at.shop, deleted)
    at.fake.transferIssue(at.shop, transferred, other)
    const run = await githubRun(at.server)
    expect((await run.inventory('shop issues')).map(({ itemId }) => itemId)).toEqual([at.id('issue=3')])
    for (const number of [1, 2]) {
      const ref = { sourceType: 'github' as const, itemId: at.id(`issue=${number}`) }
      expect(await run.read(ref, 'shop issues')).toBeUndefined()
    }
  })

  test('does not make the list of what is there skip anything', async () => {
    await using at = await openShop()
    const first = at.fake.addIssue(at.shop)
    for (let count = 0; count < 249; count++) at.fake.addIssue(at.shop)
    const run = await githubRun(at.server)
    let answered = 0
    at.server.meanwhile = (path) => {
      if (path.includes('/issues?') && ++answered === 2) at.fake.deleteIssue(at.shop, first)
    }
    const listed = await run.inventory(':issues')
    expect(new Set(listed.map(({ itemId }) => itemId)).size).toBe(250)
  })

  test('includes the document of comments that were deleted', async () => {
    await using at = await openShop()
    const issue = at.fake.addIssue(at.shop)
    for (let number = 1; number <= 61; number++) at.fake.comment(issue, `Comment no ${number}.`)
    issue.comments.pop()
    const run = await githubRun(at.server)
    expect((await run.inventory(':issues')).map(({ itemId }) => itemId)).toEqual([at.id('issue=1')])
    const ref = { sourceType: 'github' as const, itemId: at.id('issue=1:s=0001') }
    expect(await run.read(ref, ':issues')).toBeUndefined()
  })
})
