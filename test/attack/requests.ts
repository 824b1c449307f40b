import { APP_RIGHTS } from '../lib/app-rights.ts'
import { newVisitor } from '../lib/app-visit.ts'
import { rawCall } from '../lib/http-call.ts'
import { oneOf } from '../lib/seeded-random.ts'
import { until } from '../lib/until.ts'
import { type AnswerFacts, answerProblems } from './answer-problems.ts'
import type { Attacker, Generator, Random } from './attack.ts'
import { type AttackedService, startAttacked } from './attacked-service.ts'
import { type Caller, hostileRequest } from './hostile-request.ts'

/** In the neighbor's only item, and nowhere else. */
const MARKER = 'qzneighborqz'

/** Routes that end the session of the attack itself, never end, or would reach other hosts or make large files. */
const ONLY_WITHOUT_SESSION =
  /^DELETE \/app\/api\/(?:session|account)$|events$|\/app\/api\/(?:grants|backup|models\/test|sources|connectors)|end-others/

export const requests: Generator = { name: 'requests', start }

async function start(): Promise<Attacker> {
  await using parts = new AsyncDisposableStack()
  const service = parts.use(await startAttacked())
  const session = await signIn(service)
  const neighbor = await service.neighbor()
  const body = new TextEncoder().encode(`The ${MARKER} is painted blue.`)
  const upload = { body, fileName: `${MARKER}.md`, userName: MARKER, sourceType: 'text' } as const
  const { item_id: itemId } = await neighbor.memorize(upload)
  await until(async () => (await neighbor.list({ sourceType: 'text' })).files.some(({ status }) => status === 'ready'))
  const routes = await routesOf(service.address)
  const started = parts.move()
  return {
    async attempt(random) {
      const route = oneOf(random, routes)
      const caller = callerFor(random, route, session, service.key)
      const request = hostileRequest(random, { route, caller, port: service.port })
      const kind = `${route.area}, ${caller.kind}${request.isDamaged ? ', damaged' : ''}`
      const answer = await rawCall(service.port, request.bytes, request.isDamaged).catch((error: Error) => error)
      if (answer instanceof Error) return { kind, problems: [`${route.name}: ${answer.message}`] }
      const facts: AnswerFacts = { ...answer, ...request, area: route.area }
      const problems = answerProblems(facts).map((problem) => `${route.name}: ${problem}`)
      if (answer.body.includes(MARKER)) problems.push(`${route.name}: shows what is of another account`)
      return { kind, problems }
    },
    async verify() {
      const problems: string[] = []
      const { files } = await neighbor.list({ sourceType: 'text' })
      const kept = await neighbor.download({ itemId, sourceType: undefined })
      if (files.length !== 1 || !Buffer.from(kept.body).equals(body)) problems.push('the neighbor lost an item')
      const stderr = await service.stop()
      const errors = stderr.split('\n').filter((line) => /"level":(?:50|60)/.test(line))
      return [...problems, ...errors.slice(0, 5)]
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

export interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly area: 'v1' | 'app' | 'mcp' | 'pages'
}

async function routesOf(address: string): Promise<readonly Route[]> {
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: Record<string, object> }
  const public_ = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  const mcp = ['POST /mcp', 'POST /mcp', 'POST /mcp', 'POST /mcp', 'GET /mcp', 'DELETE /mcp']
  const pages = [
    'GET /',
    'GET /docs',
    'GET /app',
    'GET /app/:file',
    'GET /app/assets/:file',
    'GET /metrics',
    'GET /:file',
  ]
  const area = (path: string): Route['area'] =>
    path.startsWith('/v1') ? 'v1' : path.startsWith('/app/api') ? 'app' : path.startsWith('/mcp') ? 'mcp' : 'pages'
  return [...public_, ...public_, ...Object.keys(APP_RIGHTS), ...mcp, ...pages].map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { name, method, path, area: area(path) }
  })
}

interface Session {
  readonly cookie: string
  readonly csrf: string
}

async function signIn({ address, greeting }: AttackedService): Promise<Session> {
  const token = /\/app\/welcome#([\w-]+)/.exec(greeting)?.[1]
  const visitor = newVisitor(address)
  await visitor.session()
  const person = { name: 'Ada', login: 'ada@example.com', password: 'correct horse battery' }
  await visitor.send('POST', '/sign-in/link', { token, ...person })
  const { csrf_token: csrf } = await visitor.session()
  return { cookie: visitor.cookie, csrf }
}

function callerFor(random: Random, route: Route, { cookie, csrf }: Session, key: string): Caller {
  const kind = random()
  if (kind < 0.15) return { kind: 'nobody', headers: [] }
  if (kind < 0.25) return { kind: 'a wrong key', headers: [`x-api-key: rk_${'a'.repeat(64)}`] }
  if (route.area !== 'app') return { kind: 'a key', headers: [`x-api-key: ${key}`] }
  if (kind < 0.4 || ONLY_WITHOUT_SESSION.test(route.name)) {
    return { kind: 'a key', headers: [`x-api-key: ${key}`] }
  }
  return { kind: 'a session', headers: [`cookie: ${cookie}`, `x-csrf-token: ${csrf}`] }
}
