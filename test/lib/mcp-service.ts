import { mcpRoutes } from '../../src/http/mcp/mcp-routes.ts'
import type { Log } from '../../src/lib/log.ts'
import type { McpTool } from '../../src/mcp/mcp-context.ts'
import type { Service } from '../../src/service/service.ts'
import { recordingLog } from './recording-log.ts'
import { type RunningService, type StartOptions, startService } from './start-service.ts'

interface McpOptions extends Omit<StartOptions, 'routes'> {
  readonly tools?: readonly McpTool[]
  readonly allowedHosts?: readonly string[]
  /** The service as the door sees it, for a test that looks at what it is asked. */
  readonly watched?: (service: Service) => Service
  /** A key for requests that carry none: for hosts that cannot send one. */
  readonly defaultKey?: () => string
  /** Of the door; silent when absent. */
  readonly log?: Log
}

/** The whole service with the door for agents, at `/mcp`. */
export function startMcpService(options: McpOptions = {}): Promise<RunningService> {
  const {
    tools = ['recall', 'ask', 'open', 'recent'],
    allowedHosts = [],
    watched = (service) => service,
    defaultKey,
    log = recordingLog().log,
    ...rest
  } = options
  return startService({
    ...rest,
    routes: (server, service) => {
      if (defaultKey !== undefined) {
        server.addHook('onRequest', async (request) => {
          request.headers['x-api-key'] ??= defaultKey()
        })
      }
      mcpRoutes(server, {
        service: watched(service),
        log,
        tools,
        userName: 'Ada Lovelace',
        version: '0.1.0',
        allowedHosts,
      })
    },
  })
}
