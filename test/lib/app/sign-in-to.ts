import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'
import type { AppService } from './app-service.ts'

/** The first person of a service under test. */
export const FIRST_PERSON = { name: 'Ada Lovelace', login: 'ada', password: 'a horse that counts' }

const told = z.object({ csrf_token: z.string(), options: z.object({ first_run: z.boolean() }) })

/** Signs a window in as the first person of the service; the first time, by the one-time link of its greeting. */
export async function signInTo(
  context: BrowserContext,
  service: Pick<AppService, 'address' | 'firstLink'>,
  { name, login, password } = FIRST_PERSON,
): Promise<void> {
  const api = `${service.address}/app/api`
  const session = told.parse(await (await context.request.get(`${api}/session`)).json())
  const token = new URL(service.firstLink).hash.slice(1)
  const headers = { 'x-csrf-token': session.csrf_token }
  const answer = session.options.first_run
    ? await context.request.post(`${api}/sign-in/link`, { headers, data: { token, name, login, password } })
    : await context.request.post(`${api}/sign-in/password`, { headers, data: { login, password } })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
}
