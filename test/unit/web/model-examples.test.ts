import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { modelsSettings } from '../../../src/models/configured/open-models.ts'
import { MODEL_EXAMPLES } from '../../../src/web/pages/settings/model-examples.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const documented = readFileSync(packagePath('docs/models.md'), 'utf8').replaceAll(/^ {3}/gm, '')

describe('the lines that the settings of the app show for', () => {
  test.each(MODEL_EXAMPLES)('$title are those of docs/models.md, and taken by config.yaml', ({ first, lines }) => {
    expect(documented).toContain(lines)
    for (const command of first.split(' && ')) {
      expect(documented).toContain(command.startsWith('ollama') ? 'ollama pull qwen3:8b' : command)
    }
    const home = temporaryFolder()
    const file = join(home, 'config.yaml')
    writeFileSync(file, lines)
    const env = { OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', GEMINI_API_KEY: 'x', MISTRAL_API_KEY: 'x' }
    const { models } = loadConfig({ home, file, env })
    expect(modelsSettings(models).language).toMatchObject({ model: expect.any(String) })
  })

  test('no provider hold a key', () => {
    for (const { lines } of MODEL_EXAMPLES) {
      for (const [, value] of lines.matchAll(/api_key: (.*)/g)) expect(value).toMatch(/^\$\{[A-Z_]+\}$/)
    }
  })
})
