import { z } from 'zod'
import type { ProviderPlace } from '../../connector/oauth-provider.ts'

const placeOf = z.looseObject({
  authUrl: z.string().optional(),
  apiUrl: z.string().optional(),
  tenant: z.string().optional(),
  cloud: z.string().optional(),
})

/** As it lies in a row. */
export function readPlace(json: string): ProviderPlace {
  const { authUrl, apiUrl, tenant, cloud } = placeOf.parse(JSON.parse(json))
  return {
    ...(authUrl !== undefined && { authUrl }),
    ...(apiUrl !== undefined && { apiUrl }),
    ...(tenant !== undefined && { tenant }),
    ...(cloud !== undefined && { cloud }),
  }
}
