import type { Grants } from '../../src/connector/access-grant.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/** Where nobody has granted anything. */
export const NO_GRANTS: Grants = {
  async open({ provider }) {
    throw new SourceError('reconfigure', `Nobody has given access yet: run "recalld connect ${provider}".`)
  },
}
