import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../../src/cli/context.ts'
import { addSubjects } from '../../../src/cli/memory/profile.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { SubjectQuery } from '../../../src/domain/profile.ts'

const NOT_FOUND = 'No memory mentions a person called'

/** `recalld person` with a memory that has no page, and these people. */
function findPerson(
  words: readonly string[],
  people: readonly string[],
  code: 'not_found' | 'unavailable' = 'not_found',
) {
  const memory = {
    subject: () => Promise.reject(new AppError(code, NOT_FOUND)),
    subjects: async ({ name = '' }: SubjectQuery) => ({
      subjects: people
        .filter((one) => one.toLowerCase().includes(name.toLowerCase()))
        .map((one) => ({ name: one, memories: 1 })),
    }),
  }
  const program = new Command('recalld').exitOverride()
  addSubjects(program, { memory: async () => memory } as unknown as Context)
  return program.parseAsync(['person', ...words], { from: 'user' })
}

describe('the command person, for a name that nobody has', () => {
  it('names the known people of whose name it is a part', async () => {
    const people = ['Piotr Zielinski', 'Bo Berg', 'Jan Piotr Nowak', 'Piotrek Maj']
    await expect(findPerson(['piotr'], people)).rejects.toMatchObject({
      code: 'not_found',
      message: 'No person is called piotr. Known: Piotr Zielinski, Jan Piotr Nowak',
    })
    await expect(findPerson(['Zieliński'], ['Piotr Zieliński'])).rejects.toMatchObject({
      message: 'No person is called Zieliński. Known: Piotr Zieliński',
    })
  })

  it('keeps the answer of the service when no name has it as a part', async () => {
    await expect(findPerson(['Piotr'], ['Piotrek Maj'])).rejects.toMatchObject({ message: NOT_FOUND })
  })

  it('reports other failures as they are', async () => {
    await expect(findPerson(['Piotr'], ['Piotr Zielinski'], 'unavailable')).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})
