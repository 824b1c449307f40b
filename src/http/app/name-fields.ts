import { AppError } from '../../domain/errors.ts'
import { InputError, problemOf } from '../rest/problem.ts'
import type { ApiServer } from '../rest/server-types.ts'

/** What is wrong with a form is answered with its fields, so that pages say it beside them. */
export function nameFields(scope: ApiServer): void {
  scope.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof AppError) || error.field === undefined) throw error
    const { status, body, isDefect } = problemOf(error)
    if (status >= 500 || isDefect) throw error
    const errors = error instanceof InputError ? [...error.errors] : [{ field: error.field, message: error.message }]
    return reply.code(status).send({ ...body, errors })
  })
}
