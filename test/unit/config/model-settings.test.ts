import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { modelsSettings, openModels } from '../../../src/models/configured/open-models.ts'
import { located } from '../../lib/located.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

function settingsOf(yaml: string, env: Record<string, string> = {}) {
  const home = temporaryFolder()
  const file = join(home, 'config.yaml')
  writeFileSync(file, yaml)
  return modelsSettings(loadConfig({ home, file, env }).models)
}

const LOCAL = 'provider: openai-compatible, model: qwen3, url: http://127.0.0.1:1/v1'

describe('models of config.yaml', () => {
  test('are none when nothing stands below the key, or all of it is commented out', () => {
    for (const yaml of ['', 'models:', 'models:\n  language:\n  #  provider: openai'])
      expect(settingsOf(yaml)).toEqual({})
  })

  test('are read with defaults and variables', () => {
    const yaml = [
      'models:',
      '  language:',
      '    provider: anthropic',
      '    model: claude-haiku-4-5',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
      '    api_key: ${KEY}',
      '    price: {input: 1, output: 5}',
      '    budget: {tokens_per_day: 1000, per_source: {slack: {dollars_per_day: 0.5}}}',
      '  embedding: {provider: onnx, model: /models/e5, query_prefix: "query: "}',
      '  reranker: {provider: onnx, model: acme/reranker}',
    ]
    expect(settingsOf(yaml.join('\n'), { KEY: 'sk: {1} #' })).toMatchObject({
      language: { api_key: 'sk: {1} #', use: ['extract', 'ask'], max_concurrent: 2, timeout_seconds: 60 },
      embedding: { query_prefix: 'query: ', max_batch: 32 },
      reranker: { provider: 'onnx', max_characters: 2_000 },
    })
  })

  test('open with the uses and the budget that they have, and send nothing', async () => {
    const budget =
      'price: {input: 1, output: 2}, budget: {dollars_per_day: 2, per_source: {slack: {tokens_per_day: 9}}}'
    const open = (yaml: string) => openModels(settingsOf(yaml), { cacheFolder: '/nowhere' })
    const limited = await open(`models: {language: {${LOCAL}, use: [ask], ${budget}}}`)
    expect(limited.language).toMatchObject({
      model: { id: 'openai-compatible:qwen3', price: { input: 1, output: 2 } },
      uses: new Set(['ask']),
      budget: { dollarsPerDay: 2, perSource: { slack: { tokensPerDay: 9 } } },
    })
    await limited.close()
    const { language, embedding } = await open(`models: {language: {${LOCAL}}, embedding: {${LOCAL}, dimensions: 3}}`)
    expect(language).not.toHaveProperty('budget')
    expect(embedding).toMatchObject({ space: { dimensions: 3 } })
    expect(await open('models:')).toMatchObject({ close: expect.any(Function) })
  })
})

test('every example of docs/models.md is accepted', () => {
  const page = readFileSync(packagePath('docs/models.md'), 'utf8')
  const examples = page.match(/(?<=```yaml\n)[\s\S]*?(?= *```)/g) ?? []
  const variables = page.match(/(?<=\$\{)\w+(?=\})/g) ?? []
  expect(examples.length).toBeGreaterThan(10)
  for (const example of examples) {
    expect(settingsOf(example, Object.fromEntries(variables.map((name) => [name, 'k'])))).not.toEqual({})
  }
})

describe('what is wrong in models is told with its line, its setting and what to do', () => {
  const mistakes: [yaml: string, sentence: string][] = [
    ['models: [a]', 'config.yaml line 1: models must be a mapping, as in models: {language: {...}}'],
    ['models:\n  langauge: {}', 'config.yaml line 2: models: there is no langauge. Did you mean language?'],
    ['models:\n  language: qwen3', 'config.yaml line 2: models: language must be a mapping'],
    [
      'models:\n  language:\n    provider: opena\n    model: x',
      'config.yaml line 3: models: language: provider must be one of openai-compatible, openai, anthropic',
    ],
    [
      `models:\n  language:\n    provider: openai-compatible\n    model: x`,
      'config.yaml line 2: models: language: url is missing; openai-compatible needs it, as in http://127.0.0.1:11434/v1',
    ],
    [
      'models:\n  language: {provider: openai, model: x}',
      'models: language: api_key is missing; openai needs it, or api_key_file',
    ],
    [
      'models:\n  language: {provider: openai, model: x, api_key: a, api_key_file: b}',
      'models: language: api_key and api_key_file are both set; remove one',
    ],
    ['models:\n  language: {provider: bedrock, model: x, api_key: a}', 'region is missing; bedrock needs it'],
    [
      'models:\n  language: {provider: bedrock, model: x, region: r, access_key_id: a}',
      'bedrock needs api_key, or access_key_id and secret_access_key',
    ],
    [`models:\n  language: {${LOCAL}, region: r}`, 'region is only for bedrock; remove it'],
    [
      `models:\n  language: {${LOCAL},\n    tiemout_seconds: 4}`,
      'config.yaml line 3: models: language: there is no setting tiemout_seconds. Did you mean timeout_seconds?',
    ],
    [
      'models:\n  language:\n    provider: openai\n    modle: x',
      'config.yaml line 4: models: language: there is no setting modle. Did you mean model?',
    ],
    [`models:\n  language: {${LOCAL}, timeout_seconds: 400}`, 'timeout_seconds must be a whole number from 1 to 290'],
    [`models:\n  language: {${LOCAL}, use: [extract, answer]}`, 'use, entry 2 must be one of extract, ask'],
    [
      `models:\n  language: {${LOCAL},\n    budget: {dollars_per_day: 1}}`,
      'config.yaml line 3: models: language: dollars_per_day needs price, as in price: {input: 0.15, output: 0.6}',
    ],
    [
      `models:\n  language: {${LOCAL}, budget: {per_source: {slac: {}}}}`,
      'there is no setting slac in budget, per_source. Did you mean slack?',
    ],
    [
      'models:\n  embedding: {provider: anthropic, model: x}',
      'embedding: provider must be one of local, onnx, openai-compatible, openai, google, azure, mistral, bedrock',
    ],
    [`models:\n  embedding: {${LOCAL}}`, 'dimensions is missing; openai-compatible needs it, as in dimensions: 1024'],
    [
      'models:\n  embedding: {provider: onnx, model: x, api_key: SECRET}',
      'api_key is not for onnx, which runs on this machine; remove it',
    ],
    [
      'models:\n  reranker: {provider: openai, model: x}',
      'models: reranker: provider must be one of none, local, onnx, cohere-compatible',
    ],
  ]
  test.each(mistakes)('%s', (yaml, sentence) => {
    expect(() => located(() => settingsOf(yaml))).toThrow(sentence)
    expect(() => settingsOf(yaml)).not.toThrow('SECRET')
  })

  test('a variable that is not set', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
    const yaml = 'models:\n  language:\n    api_key: ${NOT_SET}'
    expect(() => located(() => settingsOf(yaml))).toThrow(
      'config.yaml line 3: the environment variable NOT_SET is not set',
    )
  })
})
