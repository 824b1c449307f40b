import { describe, expect, it } from 'vitest'
import { dayAccount } from '../../../../src/pipeline/extract/day-accounts.ts'

describe('a day that a connector lists', () => {
  it('of photos tells how many, with whom, and what the captions say', () => {
    const text = [
      '12 photos and videos of mine, taken on 2026-07-04 between 10:02 and 18:40',
      'Albums: Lake',
      'People: Ines, Otto',
      '',
      '- 10:02 IMG_1.jpg',
      '- 11:30 IMG_2.jpg: Otto in the canoe (Otto)',
      '- 18:40 IMG_3.jpg: sunset (Ines, Otto), a favorite',
    ].join('\n')
    expect(dayAccount({ sourceType: 'photos', text, day: '4 July 2026', people: ['Ines', 'Otto'] })).toEqual({
      narrative:
        'On 4 July 2026, between 10:02 and 18:40, I took 12 photos and videos with Ines and Otto. They are in the album "Lake". They show "Otto in the canoe"; "sunset".',
      headline: 'Photos with Ines and Otto: sunset',
    })
  })

  it('of a site names the pages that were read, not those on the way', () => {
    const text = [
      'On 4 July 2026 I read 3 pages on boats.example.',
      '',
      '- 09:00 [Canoes for two, 640 €](https://boats.example/canoes_(two)), 3 times until 09:40',
      '- 09:05 [Log in](https://boats.example/login)',
      '- 09:20 [How to patch a hull](https://boats.example/patch)',
    ].join('\n')
    expect(dayAccount({ sourceType: 'browser', text, day: '4 July 2026', people: [] })).toEqual({
      narrative:
        'On 4 July 2026 I read 3 pages on boats.example: "Canoes for two, 640 €" (3 times); "How to patch a hull".',
      headline: 'Canoes for two, 640 € (boats.example)',
    })
  })

  it('of exercise tells its time, its values and what was noted', () => {
    const text = 'Rowing on 2026-07-04:\n\n- 07:10 to 08:00\n- Energy: 410 kcal\n\nLeft shoulder hurts'
    expect(dayAccount({ sourceType: 'fit', text, day: '4 July 2026', people: [] })).toEqual({
      narrative:
        'On 4 July 2026 I recorded "Rowing" from 07:10 to 08:00: energy 410 kcal. I noted: "Left shoulder hurts"',
      headline: 'Rowing, 07:10 to 08:00, energy 410 kcal',
    })
  })

  it('is told as any text where it is written in another way', () => {
    for (const sourceType of ['photos', 'browser', 'fit', 'text'] as const)
      expect(dayAccount({ sourceType, text: 'A walk around the lake.', day: undefined, people: [] })).toBeUndefined()
  })
})
