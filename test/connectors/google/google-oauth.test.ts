import { expect, test } from 'vitest'
import { googleOAuth } from '../../../connectors/google/google-oauth.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-20T10:00:00Z')

function notesOf(daysLeft: number | undefined): readonly string[] {
  const expiresAt = daysLeft === undefined ? undefined : new Date(NOW.getTime() + daysLeft * DAY_MS)
  return googleOAuth.notes?.({ scopes: [], ...(expiresAt && { expiresAt }) }, NOW) ?? []
}

test('a grant of an app in testing, which ends after seven days, comes with the day and what ends that', () => {
  expect(notesOf(7)).toEqual([
    'Access expires on 2026-11-27 because the app is in testing. Set the publishing status of the app to "In production", then connect again.',
  ])
})

test.each([undefined, 180])('a grant that lasts for %s days comes without a note', (days) => {
  expect(notesOf(days)).toEqual([])
})

test('one link enables the APIs of all sources of Google', () => {
  const link = googleOAuth.clientSteps.join(' ').match(/https:\S+flows\/enableapi\?\S+/)?.[0] ?? ''
  const apis = new URL(link).searchParams.get('apiid')?.split(',') ?? []
  expect(apis).toHaveLength(13)
  expect(apis).toEqual(
    expect.arrayContaining(
      ['gmail', 'drive', 'docs', 'sheets', 'slides', 'meet'].map((api) => `${api}.googleapis.com`),
    ),
  )
})
