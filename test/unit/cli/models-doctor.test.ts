import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../../fakes/openai-server.ts'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const SAID = { headline: 'Launch moved', people: ['Ada', 'Bob'], decisions: ['The launch is a week later.'] }

async function doctor(yaml: string, ...flags: string[]) {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.yaml'), yaml)
  return runCommand(['doctor', ...flags], { RECALLD_HOME: home })
}

function language({ url }: OpenAiServer, more = ''): string {
  return `models:\n  language: {provider: openai-compatible, model: qwen3, url: ${url}${more}}\n`
}

function embedding({ url }: OpenAiServer, more = ''): string {
  return `models:\n  embedding: {provider: openai-compatible, model: bge, url: ${url}, dimensions: 8${more}}\n`
}

describe('recalld doctor', () => {
  test('tries each model and says how fast it is, whether it keeps to the schema, and its price', async () => {
    await using server = await startOpenAiServer(() => SAID)
    const both = language(server, ', price: {input: 0.15, output: 0.6}') + embedding(server).replace('models:\n', '')
    const { stdout } = await doctor(both)
    expect(stdout).toMatch(
      /^ok {7}language {4}openai-compatible:qwen3 responds in [\d.]+ s, [\d.]+ tokens\/s, follows the schema; 0\.15\/0\.6 USD per million tokens in\/out$/m,
    )
    expect(stdout).toMatch(
      /^ok {7}embedding {3}openai-compatible:bge responds in [\d.]+ s, [\d.]+ texts\/s; cost unknown: config\.yaml has no price$/m,
    )
    expect((await doctor(embedding(server, ', price: {input: 0.02}'))).stdout).toContain(
      '; 0.02 USD per million tokens\n',
    )
  })

  test('tells the same as JSON, with numbers', async () => {
    await using server = await startOpenAiServer((_, call) => (call === 0 ? 'Let me see.' : SAID))
    const findings: unknown[] = JSON.parse((await doctor(language(server), '--json')).stdout)
    expect(findings).toContainEqual({
      check: 'language',
      result: 'ok',
      message: expect.stringContaining('needs two attempts to follow the schema; cost unknown'),
      measured: {
        model: 'openai-compatible:qwen3',
        seconds: expect.any(Number),
        rate: { perSecond: expect.any(Number), unit: 'tokens' },
        keepsToSchema: false,
        price: 'unknown',
      },
    })
  })

  test('says what is wrong with a model and what to do, goes on with the next, and fails', async () => {
    await using server = await startOpenAiServer(() => ({ status: 401 }))
    server.embed(({ input }) => input.map(() => [1, 2, 3]))
    const { code, stdout } = await doctor(language(server) + embedding(server).replace('models:\n', ''))
    expect(stdout).toContain(
      'PROBLEM  language    openai-compatible:qwen3 rejected the key (HTTP 401). Check api_key.\n' +
        'PROBLEM  embedding   openai-compatible:bge returns vectors of 3 dimensions, not 8. Set dimensions to 3.\n',
    )
    expect(code).toBe(1)
  })

  test('says so when vectors do not tell related texts from others', async () => {
    await using server = await startOpenAiServer()
    server.embed(({ input }) => input.map(() => [1, 0, 0, 0, 0, 0, 0, 0]))
    expect((await doctor(embedding(server))).stdout).toContain(
      'PROBLEM  embedding   openai-compatible:bge: It responds, but does not distinguish related texts from others',
    )
  })

  test('names the line of a mistake in config.yaml, and the folder that is no model', async () => {
    expect((await doctor('models:\n  language: {provider: openai}\n')).stdout).toContain(
      'PROBLEM  models      config.yaml line 2: models: language: model is missing',
    )
    expect((await doctor('models:\n  reranker: {provider: onnx, model: /nowhere}\n')).stdout).toMatch(
      /^PROBLEM {2}reranker {4}onnx:\/nowhere: /m,
    )
  })

  test('tries no models where none are configured, or config.yaml cannot be read', async () => {
    expect((await doctor('port: 0\n')).stdout).toMatch(
      /model {7}the built-in embedding model responds\.\nok|- {8}service/,
    )
    const { stdout } = await doctor('prot: 0\n')
    expect(stdout).toContain('-        models      not tested: config.yaml line 1')
  })
})
