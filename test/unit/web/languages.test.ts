import { expect, test } from 'vitest'
import { german } from '../../../src/web/languages/de/german.ts'
import { japanese } from '../../../src/web/languages/ja/japanese.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'

const AREA = /\btranslated\('(\w+)', (?:\{|[A-Z])/

test.each([
  ['German', german],
  ['Japanese', japanese],
])('%s has every area of messages that the app asks for, and no others', (_, translation) => {
  const areas = repositoryFiles(/^src\/web\/.*\.tsx?$/).flatMap(({ source }) => AREA.exec(source)?.[1] ?? [])
  expect(areas.toSorted()).toEqual(Object.keys(translation).toSorted())
})
