import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const SERVER = `---
date: 2024-03-01
---
# Server

### \`drainTimeout\`

+ Default: \`7500\`

The maximum time in milliseconds in which open requests may end.

### \`drainHeaderName\`

Name of the header that announces a drain. By default \`drainHeaderName\` is set to \`x-drain\`.

### \`generateDrainName\`

+ Default: \`value of the drain header if provided, or a random name\`

Takes the drain header of a request and creates a name.

### \`bodyPolicy\`

+ Default: \`'refuse'\`

What happens with a body that is too long.

\`server.bodyPolicyOf(bodyPolicy, size)\` takes the default parser and two arguments.
`
const HOOKS = `---
date: 2024-03-01
---
# Hooks

The \`next\` callback is not available when a hook uses promises.

## Animals

Dogs are not allowed near the lamp.

## Browsers

A no-op shim works in browsers, too.

## Rotate the logs

Put this into the configuration:

\`\`\`
/var/log/server.log {
  daily
  rotate 7
}
\`\`\`

Send the process a signal to open its file again after another program has moved it.
`

describe('a question about a setting of a manual', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    const page = (itemId: string, text: string) => ({ itemId, text, sourceType: 'technical_docs' as const })
    memory = await openToldMemory([], [page('server', SERVER), page('hooks', HOOKS)])
  })

  afterAll(async () => memory.close())

  test.each([
    ['What is the default drainTimeout?', '7500'],
    ['What is the default value of drainHeaderName?', 'x-drain'],
    ['What does bodyPolicy default to?', 'refuse'],
  ])('is answered by that setting: %s', async (question, value) => {
    const { response } = await memory.ask(question)
    expect(response.split('\n')[0]).toContain(value)
  })

  test('is not denied by what another thing cannot do', async () => {
    expect((await memory.ask('Can I use promises in hooks?')).response).not.toMatch(/^No\b/)
  })

  test('is denied by a sentence about what is asked, however short its name is', async () => {
    expect((await memory.ask('Are dogs allowed near the lamp?')).response).toMatch(/^No: /)
  })

  test('is not denied by a no-op', async () => {
    expect((await memory.ask('Does the shim work in browsers?')).response).not.toMatch(/^No\b/)
  })

  test('how something is done is never answered by a line of a configuration', async () => {
    const [first] = (await memory.ask('How do I rotate logs?')).response.split('\n')
    expect(first).not.toContain('rotate 7')
  })
})
