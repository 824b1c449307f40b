import type { IncomingMessage, ServerResponse } from 'node:http'
import type { default as Provider } from 'oidc-provider'
import { AppError } from '../../domain/errors.ts'
import { type AddressedRequest, type OAuthAddresses, oauthAddresses, oauthUnavailableReason } from './addresses.ts'
import { createProvider, type ProviderOptions } from './provider.ts'

export interface OAuthServerOptions extends ProviderOptions {
  /** The setting `base_url`. */
  readonly baseUrl: string | undefined
}

/** The authorization server of this process. */
export interface OAuthServer {
  readonly addresses: OAuthAddresses
  readonly mayWrite: boolean
  /** @throws AppError `not_found` where OAuth isn't available */
  provider(request: AddressedRequest): Promise<Provider>
  /** Handles a request to one of its routes. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export function createOAuthServer(options: OAuthServerOptions): OAuthServer {
  const addresses = oauthAddresses(options.baseUrl)
  let created: Promise<Provider> | undefined
  const provider = async (request: AddressedRequest): Promise<Provider> => {
    const address = addresses(request)
    if (address === undefined) throw new AppError('not_found', oauthUnavailableReason(options.baseUrl))
    // A process listens on one port, so it has one issuer.
    created ??= createProvider(address, options)
    return created
  }
  return {
    addresses,
    mayWrite: options.mayWrite,
    provider,
    answer: async (request, response) => (await provider(request)).callback()(request, response),
  }
}
