import { trackedNoun } from '../../../domain/source-type.ts'
import type { EventText } from '../../parse/event-text.ts'
import type { ExtractContext } from '../extract-context.ts'
import { columnNames } from './column-names.ts'
import { type TypedName, typeNames } from './name-types.ts'

/** Placeholders that calendars write as a place. */
const NO_PLACE =
  /^(?:online|remote|virtual|tbd|tba|phone|call|zoom|home|office)$|\b(?:zoom|teams|meet|webex|skype|discord|hangouts?|room|raum|zimmer|sala|salle|floor|https?:)\b|^\W*$|^\d+$/i
const REPOSITORY = /^[A-Za-z0-9][\w-]{0,38}\/[A-Za-z0-9][\w.-]{0,99}$/
const FORGE =
  /^https?:\/\/(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)\/([\w.-]{1,39}\/[\w.-]{1,100}?)(?:\.git)?(?:[/?#]|$)/

const README = /(?:^|\/)readme\b/i
const PROGRAM = /^[\p{L}\d][\p{L}\d._-]{1,30}$/u

/**
 * Names from the structure of a document rather than its sentences: its repository, the project of a task, the place of
 * an event, table columns, and its title.
 * @param event the calendar event of this passage
 */
export function documentNames(
  { document, file, people, capitalsMean, domains }: ExtractContext,
  text: string,
  event: EventText | undefined,
): TypedName[] {
  const { where, url } = document.meta
  const title = event?.what ?? document.meta.title ?? ''
  const found: TypedName[] = []
  const tracked = trackedNoun(file.sourceType)
  const repository = where !== undefined && REPOSITORY.test(where) ? where : FORGE.exec(url ?? '')?.[1]
  if (tracked === 'issue' && repository) found.push({ name: repository, type: 'repository' })
  if (tracked === 'task' && where && !where.startsWith('#')) found.push({ name: where, type: 'project' })
  if (document.kind === 'calendar') found.push(...placesOf(event?.where ?? where ?? ''))
  found.push(...columnNames(text))
  // The title of a README is the name of the program.
  if (README.test(file.fileName) && PROGRAM.test(title)) found.push({ name: title, type: 'product' })
  const named = typeNames(title, { nameWords: people.nameWords, capitalsMean, isProse: true, domains })
  return [...found, ...named.filter(({ type }) => type !== 'term')]
}

/** "Haringey Civic Centre, Wood Green" are two places. */
function placesOf(where: string): TypedName[] {
  return where
    .split(/[,;\n]| [–-] /)
    .map((part) => part.trim())
    .filter((part) => /^\p{Lu}|^\p{Script=Han}/u.test(part) && part.length <= 60 && !NO_PLACE.test(part))
    .map((name) => ({ name, type: 'place' as const }))
}
