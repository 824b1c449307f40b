import { AppError } from '../domain/errors.ts'
import type { WriteContext } from './engine.ts'
import type { Db } from './schema.ts'

async function identify({ db }: WriteContext, newId: string): Promise<string> {
  const made = await readIdentity(db)
  if (made !== undefined) return made
  await db.insertInto('database_identity').values({ database_id: newId }).execute()
  return newId
}

export async function readIdentity(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('database_identity').select('database_id').executeTakeFirst())?.database_id
}

/**
 * @param found id of the existing database; `undefined` when it was never used
 * @param where description of the database, for messages
 * @throws AppError `conflict` when it is not the expected one
 */
export function requireIdentity(expected: string, found: string | undefined, where: string): void {
  if (found === expected) return
  const is = found === undefined ? 'is empty or was created by an older version' : 'is another database'
  throw new AppError(
    'conflict',
    `${where} ${is}, not the database that this home used before. Restore that database or a backup.`,
    { advice: { action: 'restore_backup' } },
  )
}

/** @param file path of the missing database */
export function missingDatabase(file: string): AppError {
  return new AppError(
    'conflict',
    `The database of this home is missing: ${file} doesn't exist. Restore the file, its volume or a backup.`,
    { advice: { action: 'restore_backup' } },
  )
}

export const identityCommands = { identify }
