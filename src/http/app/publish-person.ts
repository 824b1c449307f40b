import type { LiveEvents } from '../../service/live-events.ts'
import type { PeopleUseCases } from '../../service/people-contract.ts'

/** To whoever looks at an account of the person: a name, a session or a membership changed. */
export async function publishPerson(
  { people, live }: { readonly people: Pick<PeopleUseCases, 'look'>; readonly live: LiveEvents },
  personId: string,
): Promise<void> {
  const { memberships } = (await people.look(personId)) ?? { memberships: [] }
  for (const { accountId } of memberships) live.publish({ type: 'people' }, accountId)
}
