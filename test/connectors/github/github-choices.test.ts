import { expect, test } from 'vitest'
import { github } from '../../../connectors/github/github.ts'
import { githubSettings } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'

async function choicesOf(server: GithubServer, config: Record<string, unknown> = {}) {
  const context = await connectorContext(github, githubSettings(server, config))
  return (await github.choosing?.choices(context as never)) ?? []
}

test('what a person can choose from are the repositories within reach, all of them chosen', async () => {
  await using server = await GithubServer.start()
  const pushedAt = new Date('2026-10-01T08:00:00Z')
  server.fake.addRepository('ada/notes', { private: true, pushedAt })
  server.fake.addRepository('acme/shop')
  server.fake.addRepository('strange/thing', { isForeign: true })
  expect(await choicesOf(server)).toEqual([
    { value: 'ada/notes', group: 'ada', groupValue: 'ada/*', isPrivate: true, updatedAt: pushedAt, isChosen: true },
    { value: 'acme/shop', group: 'acme', groupValue: 'acme/*', isPrivate: false, isChosen: true },
  ])
})

test('they are listed over many pages', async () => {
  await using server = await GithubServer.start()
  for (let count = 1; count <= 230; count++) server.fake.addRepository(`acme/shop-${count}`)
  const choices = await choicesOf(server)
  expect(new Set(choices.map(({ value }) => value)).size).toBe(230)
})

test('the settings so far say which are chosen, and what they exclude is no choice', async () => {
  await using server = await GithubServer.start()
  for (const name of ['acme/shop', 'acme/old-shop', 'acme/docs', 'ada/notes']) server.fake.addRepository(name)
  const choices = await choicesOf(server, { repositories: ['ACME/s*', 'ada/*'], exclude: ['acme/old-*'] })
  expect(choices.map(({ value, isChosen }) => [value, isChosen])).toEqual([
    ['acme/shop', true],
    ['acme/docs', false],
    ['ada/notes', true],
  ])
})

test('repositories that a single sign-on hides are reported, not left out', async () => {
  await using server = await GithubServer.start()
  server.fake.addRepository('acme/shop')
  server.headers['x-github-sso'] = 'partial-results; organizations=21955855'
  await expect(choicesOf(server)).rejects.toMatchObject({ remedy: 'reauthorize' })
})
