import type { ManifestDocumentation, ManifestListing } from '../../src/connector/connector.ts'

/** What a connector of the tests tells of itself. */
export const MADE_UP_DOCUMENTATION: ManifestDocumentation = {
  item: 'a note',
  removed: 'forgotten',
  needs: 'nothing',
  api: 'notes',
  cursor: 'a number',
  limits: 'none',
  verified: 'itself',
}

/** How a connector of the tests is listed. */
export const MADE_UP_LISTING: ManifestListing = {
  summary: 'Notes that tests make up.',
  icon: 'notebook',
  group: 'Other',
}
