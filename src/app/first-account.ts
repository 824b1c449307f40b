import type { Service } from '../service/service.ts'

/** The account of a home that has none yet; its key is in the result and nowhere else. */
export async function makeFirstAccount(service: Service, person: { userName: string; timeZone: string }) {
  const accounts = await service.accounts.list()
  return accounts.length === 0 ? service.accounts.create({ name: person.userName, ...person }) : undefined
}
