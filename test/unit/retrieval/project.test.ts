import { describe, expect, it } from 'vitest'
import { isOfProject, matchesProject } from '../../../src/retrieval/recall/project.ts'

describe('a project', () => {
  it.each([
    ['shop', 'acme/shop'],
    ['Shop', '~/src/shop'],
    ['shop', '~/src/shop/web'],
    ['shop', '#shop'],
    ['#shop', 'shop'],
    ['shop', String.raw`C:\Users\ada\shop`],
    ['acme/shop', 'acme/shop'],
    ['acme/shop/', '/home/ada/acme/shop/web'],
    ['~/src/shop', '~/src/shop'],
    ['Billing Migration', 'Billing migration'],
  ])('"%s" is %s', (project, place) => expect(matchesProject(project, place)).toBe(true))

  it.each([
    ['shop', 'acme/shopping'],
    ['acme/shop', '~/src/shop'],
    ['acme/shop', 'shop/acme'],
    ['src/shop', '~/src/web/shop'],
    ['', 'acme/shop'],
    ['/', '/'],
  ])('"%s" is not %s', (project, place) => expect(matchesProject(project, place)).toBe(false))

  it('is named by the repositories and projects of a memory, not by its people or places', () => {
    const naming = (entity_type: string) => ({ other_entities: [{ entity_name: 'acme/shop', entity_type }] })
    expect(isOfProject('shop', naming('repository'))).toBe(true)
    expect(isOfProject('shop', naming('project'))).toBe(true)
    expect(isOfProject('shop', naming('place'))).toBe(false)
    expect(isOfProject('shop', { where: 'acme/shop' })).toBe(true)
    expect(isOfProject('shop', { where: null })).toBe(false)
  })
})
