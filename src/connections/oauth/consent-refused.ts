import { AppError } from '../../domain/errors.ts'

/** The person, an administrator or the provider refused the access that was requested. */
export class ConsentRefused extends AppError {
  constructor(message: string) {
    super('invalid', message)
    this.name = 'ConsentRefused'
  }
}
