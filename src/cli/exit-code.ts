/**
 * Thrown by a command that is done, to end with this code: 1 when something was left undone, 2 when it needs the person.
 * A message is shown as that of any failure; without one, the command has said everything.
 */
export class ExitCode extends Error {
  readonly code: 1 | 2

  constructor(code: 1 | 2, message = '') {
    super(message)
    this.name = 'ExitCode'
    this.code = code
  }
}
