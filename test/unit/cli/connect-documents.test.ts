import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { PROVIDERS } from '../../../connectors/providers.ts'
import { newConnectionGrant } from '../../../src/connections/connection-status.ts'
import { clientSteps, shortScope } from '../../../src/connections/grantable-sources.ts'
import { packagePath } from '../../../src/lib/files.ts'

function page(provider: string): string {
  const file = packagePath(`docs/connect/${provider}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const connectors = await Promise.all(Object.values(CONNECTORS).map((load) => load()))
const granted = connectors.flatMap((connector) => {
  const { grant } = newConnectionGrant(connector)
  return grant === undefined ? [] : [{ id: connector.manifest.id, ...grant }]
})
const providers = await Promise.all(Object.values(PROVIDERS).map((load) => load()))

describe('docs/connect', () => {
  test.each(granted)('names $id and every scope that it needs', ({ id, provider, scopes = [] }) => {
    for (const word of [id, ...scopes.map(shortScope)]) expect(page(provider)).toContain(`\`${word}\``)
  })

  test.each(providers)('has a page for $title, with the scopes that are always asked for', ({ id, baseScopes }) => {
    for (const scope of baseScopes) expect(page(id)).toContain(`\`${scope}\``)
    expect(page('README')).toContain(`(${id}.md)`)
  })

  test.each(providers)('says for $title where the browser is sent back to', ({ id, redirect, clientSteps: steps }) => {
    const { origin } = new URL(redirect.kind === 'paste' ? redirect.url : `http://${redirect.host}`)
    if (id !== 'google') expect(page(id)).toContain(`${origin}`)
    expect(clientSteps({ id, clientSteps: steps })).toContain(`docs/connect/${id}.md`)
  })
})

const steps = [
  ...connectors.flatMap(({ manifest }) => manifest.listing.tokenSteps ?? []),
  ...providers.flatMap((provider) =>
    provider.clientSteps.flatMap((step) => (typeof step === 'string' ? step : [step.app, step.terminal])),
  ),
]
const links = steps.flatMap((step) => step.match(/https?:\/\/\S+/g) ?? [])

test('the links of the steps are addresses that the app shows as one link', () => {
  expect(links.length).toBeGreaterThan(5)
  for (const link of links) {
    expect(URL.canParse(link)).toBe(true)
    expect(link.replace(/[.,;:)]$/, '')).not.toMatch(/[,;)]/)
  }
})

test('the links for a Slack app have a manifest with read scopes, and those of direct messages only in the second one', () => {
  const manifests = links
    .filter((link) => link.includes('manifest_json='))
    .map((link) => JSON.parse(new URL(link).searchParams.get('manifest_json') ?? ''))
  const channels = ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read']
  expect(manifests.map(({ oauth_config }) => oauth_config)).toEqual([
    { scopes: { user: [...channels, 'usergroups:read'] } },
    { scopes: { user: expect.arrayContaining(['im:read', 'im:history', 'mpim:read', 'mpim:history']) } },
    { scopes: { user: [...channels, 'usergroups:read'] }, redirect_urls: ['https://localhost/recalld'] },
  ])
})

const guided = [
  ...connectors.map(({ manifest: { title, listing } }) => ({ title, steps: listing.tokenSteps ?? [] })),
  ...providers.map(({ id, title, clientSteps }) => ({ title: `${title} by OAuth (${id})`, steps: clientSteps })),
].filter(({ steps }) => steps.length > 0)

test.each(guided)('the steps for $title say who allows what an organization blocks', ({ steps }) => {
  const text = steps.map((step) => (typeof step === 'string' ? step : step.app)).join(' ')
  expect(text).toMatch(/administrator|(?:an|workspace) owner/)
})

test.each(granted)('$id belongs to a family of its provider', ({ id, provider, family }) => {
  const families = providers.find((each) => each.id === provider)?.families ?? []
  expect(families.find((each) => each.id === family)?.connectors ?? []).toContain(id)
})
