import Fastify from 'fastify'

const app = Fastify()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
// `/1000` is answered with about so many bytes.
app.all('/*', async ({ url }) => ({ filled: 'a'.repeat(Number(url.slice(1)) || 0) }))
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${address}\n`)
process.once('SIGTERM', () => void app.close())
