const SHELL = /(?:^|[/\\])(?:ba|z|da|k|fi)?sh(?:\.exe)?$|(?:^|[/\\])(?:cmd|powershell|pwsh)(?:\.exe)?$/i
/** Options behind which a shell gets its command as one argument. */
const COMMAND_OPTION = /^(?:-[a-z]*c|\/c|-command)$/i

/** A command given as a list of arguments, as it would be typed: `npm test` of `["bash", "-lc", "npm test"]`. */
export function commandText(args: readonly string[]): string {
  const [program = '', option = '', command, ...rest] = args
  if (command !== undefined && rest.length === 0 && SHELL.test(program) && COMMAND_OPTION.test(option)) return command
  return args.map((one) => (one === '' || /[\s"'$`\\]/.test(one) ? JSON.stringify(one) : one)).join(' ')
}

/** A value of a tool's input as text: commands as typed, other lists and objects as JSON. */
export function inputValue(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  const isCommand = /^(?:command|cmd|argv)$/i.test(name) && Array.isArray(value) && value.length > 0
  return isCommand && value.every((one) => typeof one === 'string') ? commandText(value) : JSON.stringify(value)
}
