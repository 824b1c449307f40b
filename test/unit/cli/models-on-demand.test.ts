import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { recalld, startRecalld } from '../../lib/recalld-process.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

/** Reports what of the models' packages is loaded, and hides those that are named in HIDDEN. */
const WATCH = `
import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
const hidden = process.env.HIDDEN
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === hidden) {
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    if (/^(ai|@ai-sdk\\/.*|@huggingface\\/transformers)$/.test(specifier)) writeSync(2, 'LOADED ' + specifier + '\\n')
    return next(specifier, context)
  },
})`

function watched(home: string, hidden = ''): Record<string, string> {
  const file = join(home, 'watch.mjs')
  writeFileSync(file, WATCH)
  return { RECALLD_HOME: home, NODE_OPTIONS: `--import=${pathToFileURL(file)}`, HIDDEN: hidden }
}

function homeWith(yaml: string): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.yaml'), yaml)
  return home
}

const LOCAL = 'provider: openai-compatible, model: x, url: http://127.0.0.1:9/v1'

describe('the code behind models', () => {
  test('is not loaded by a service that has none', async () => {
    const service = await startRecalld(watched(homeWith('')))
    const { stderr } = await service.stop()
    expect(stderr).not.toContain('LOADED')
  })

  test('is loaded for those that are configured, and no other', async () => {
    const { stderr } = await recalld(['doctor'], watched(homeWith(`models: {language: {${LOCAL}}}`)))
    const loaded = new Set(stderr.match(/(?<=^LOADED ).*$/gm))
    expect(loaded).toContain('@ai-sdk/openai-compatible')
    expect(
      [...loaded].filter((name) => /anthropic|azure|google|mistral|bedrock|huggingface|openai$/.test(name)),
    ).toEqual([])
  })

  test.each([
    ['anthropic', '@ai-sdk/anthropic', 'api_key: k'],
    ['bedrock', '@ai-sdk/amazon-bedrock', 'api_key: k, region: eu-central-1'],
  ])('of %s that is not installed is asked for by name', async (provider, name, access) => {
    const home = homeWith(`models: {language: {provider: ${provider}, model: x, ${access}}}`)
    const { stdout } = await recalld(['doctor'], watched(home, name))
    expect(stdout).toContain(
      `${provider}:x: The provider ${provider} needs a package that is not installed. Run npm install --global ${name}, or,`,
    )
  })

  test('of onnx that is not installed is asked for, with what helps where there is no internet', async () => {
    const home = homeWith('models: {embedding: {provider: onnx, model: acme/tiny}}')
    const { stdout } = await recalld(['doctor'], watched(home, '@huggingface/transformers'))
    expect(stdout).toContain('npm install --global @huggingface/transformers')
    expect(stdout).toContain('ONNXRUNTIME_NODE_INSTALL=skip')
  })
})
