import { type JsonServer, startJsonServer } from './json-server.ts'

/**
 * Passes requests on to a fake server, and changes what it answers.
 * @param to the address of the fake, without a path
 */
export function reshapingServer(to: string, reshape: (body: unknown) => unknown): Promise<JsonServer> {
  return startJsonServer(async (request) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization, 'private-token': token, 'notion-version': version } = request.headers
    const headers = { authorization, 'private-token': token, 'notion-version': version }
    const response = await fetch(new URL(request.url ?? '/', to), {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const next = response.headers.get('x-next-page')
    return {
      status: response.status,
      ...(next !== null && { headers: { 'x-next-page': next } }),
      body: reshape(await response.json()),
    }
  })
}
