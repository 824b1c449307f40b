import { ENOUGH_OPEN_FILES } from '../../config/connection-limits.ts'
import type { ServiceDefinition } from './service-definition.ts'

/** launchd labels are reversed domain names. */
export function launchdLabel(name: string): string {
  return `io.github.recalld.${name}`
}

const OPEN_FILES = ['<dict>', '  <key>NumberOfFiles</key>', `  <integer>${ENOUGH_OPEN_FILES}</integer>`, '</dict>']

/**
 * The property list of a launchd agent; man launchd.plist explains each key.
 * @param logFile absolute path for standard error
 */
export function launchdAgent({ name, command, environmentFile }: ServiceDefinition, logFile: string): string {
  const [node, ...args] = command
  // launchd reads no environment file, so Node does.
  const programArguments = [node, `--env-file-if-exists=${environmentFile}`, ...args]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', string(launchdLabel(name))),
    ...entry('ProgramArguments', '<array>', ...programArguments.map((word) => `  ${string(word)}`), '</array>'),
    ...entry('RunAtLoad', '<true/>'),
    ...entry('KeepAlive', '<dict>', '  <key>SuccessfulExit</key>', '  <false/>', '</dict>'),
    ...entry('ThrottleInterval', '<integer>10</integer>'),
    ...entry('ExitTimeOut', '<integer>20</integer>'),
    // Determines the limit on client connections.
    ...entry('SoftResourceLimits', ...OPEN_FILES),
    ...entry('HardResourceLimits', ...OPEN_FILES),
    // 0077 in octal: launchd uses decimal numbers.
    ...entry('Umask', '<integer>63</integer>'),
    // The first start prints a key, which must not be logged.
    ...entry('StandardOutPath', string('/dev/null')),
    ...entry('StandardErrorPath', string(logFile)),
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

function entry(key: string, ...value: readonly string[]): string[] {
  return [`<key>${key}</key>`, ...value].map((line) => `  ${line}`)
}

function string(text: string): string {
  return `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`
}
