import { Agent, type Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'

let own: Dispatcher | undefined

/**
 * Lets `fetch` send requests by the undici of this package. The one within Node 24 ends the whole process when a server
 * closes a connection whose response is not read yet (nodejs/undici#5360, mended in undici 8.6).
 */
export function installFetchDispatcher({ NODE_USE_ENV_PROXY, NODE_OPTIONS = '' }: NodeJS.ProcessEnv): void {
  if (own !== undefined && getGlobalDispatcher() === own) return
  const usesProxy = NODE_USE_ENV_PROXY === '1' || NODE_OPTIONS.includes('--use-env-proxy')
  const options = { allowH2: false }
  own = usesProxy ? new EnvHttpProxyAgent(options) : new Agent(options)
  setGlobalDispatcher(own)
}
