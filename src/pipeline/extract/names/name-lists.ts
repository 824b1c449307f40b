import { readFileSync } from 'node:fs'
import { packagePath } from '../../../lib/files.ts'

/** A list of `config/names`; the head of each file says where its names come from. */
type NameList = 'given-names' | 'family-names' | 'cities' | 'towns' | 'organizations' | 'products'

const lists = new Map<NameList, ReadonlySet<string>>()

/** Whether a list has this name, letter by letter. A list is read on first use: 13,000 names of people and of organizations, 16,000 of towns. */
export function isListed(list: NameList, name: string): boolean {
  const names = lists.get(list) ?? readList(list)
  return names.has(name)
}

function readList(list: NameList): ReadonlySet<string> {
  const lines = readFileSync(packagePath(`config/names/${list}.txt`), 'utf8').split('\n')
  const names = new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))
  lists.set(list, names)
  return names
}
