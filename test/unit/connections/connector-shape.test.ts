import { describe, expect, test } from 'vitest'
import { asana } from '../../../connectors/asana/asana.ts'
import { imap } from '../../../connectors/imap/imap.ts'
import { exportedConnectors } from '../../../src/connections/connector-shape.ts'

describe('what a connector package exports', () => {
  test('is taken when it has the shape of the contract', () => {
    expect(exportedConnectors({ connectors: [imap] })).toEqual({ connectors: [imap] })
  })

  test('is refused with what to do instead when it signs in by OAuth', () => {
    const answer = exportedConnectors({ connectors: [asana] })
    expect(answer).toMatchObject({ violation: expect.stringMatching(/^connectors\.0\.manifest\.auth: .*tokenFields/) })
  })
})
