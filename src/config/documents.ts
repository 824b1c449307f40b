import { stringify } from 'yaml'
import { fileKey, flagName, type Setting, variableName } from './setting.ts'

type Settings = Readonly<Record<string, Setting<unknown>>>

/** A config.yaml in which every setting stands as a comment, with its default. */
export function commentedConfig(settings: Settings): string {
  const blocks = Object.entries(settings).map(([name, setting]) => {
    const value = setting.default === undefined ? '' : ` ${stringify(setting.default).trim()}`
    const note = setting.defaultText === undefined ? '' : `\n# Default: ${setting.defaultText}.`
    return `# ${setting.describe}\n# Must be ${setting.expects}.${note}\n#${fileKey(name)}:${value}\n`
  })
  return [
    '# Settings of recalld. Remove the # before a setting to change it; the service reads this file when it starts.',
    '# Flags of "recalld up" go over environment variables, those over this file, and this file over the defaults.',
    `# ${'$'}{NAME} in a value stands for the environment variable NAME.`,
    '',
    ...blocks,
  ].join('\n')
}

/** config/README.md: every setting with its names, default and meaning. */
export function settingsPage(settings: Settings): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const standard = setting.defaultText ?? code(stringify(setting.default).trim())
    const names = [fileKey(name), variableName(name), flagName(name)].map(code).join('<br>')
    return `| ${names} | ${standard} | ${setting.describe} Must be ${setting.expects}. |`
  })
  return [
    '<!-- Written by `npm run docs:config` from src/config.ts. Change it there. -->',
    '',
    '# Settings',
    '',
    'Flags of `recalld up` go over environment variables, those over `config.yaml` in the home folder, and that over the',
    'defaults. A key in `config.yaml` that is not listed here is an error. In a value of `config.yaml`, a name in braces after',
    `a dollar sign, as in \`\${TOKEN}\`, stands for that environment variable. The first start writes a \`config.yaml\` with every`,
    'setting as a comment;',
    '`example.yaml` beside this page is the same file.',
    '',
    'The home folder is `RECALLD_HOME` (or `--home`), else `recalld` in the data folder of the platform:',
    '`$XDG_DATA_HOME` or `~/.local/share` on Linux, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows.',
    'It holds `recalld.db` (everything), `config.yaml`, and `credentials.json` (address and default key, for the command line on this machine).',
    'The command line reads `RECALLD_URL` and `RECALLD_API_KEY`, else `credentials.json`.',
    '',
    '| names | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function code(value: string): string {
  return `\`${value}\``
}
