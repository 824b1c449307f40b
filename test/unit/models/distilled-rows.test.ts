import { expect, test } from 'vitest'
import { fitRows, matrix } from '../../../scripts/models/table/matrix.ts'

test('rows of a distilled table are fitted to the means of texts, also where a column is zero in all of them', () => {
  const start = matrix(2, Float32Array.of(1, 0, 0, 0, -1, 0))
  const ids = [[0], [0, 1], [1, 2]]
  const { values } = fitRows(start, [{ ids, targets: Float32Array.of(2, 0, 3, 0, 1, 0) }], 0.0001)
  const mean = (pieces: readonly number[], column: number) =>
    pieces.reduce((sum, id) => sum + values[id * 2 + column]!, 0) / pieces.length
  expect(ids.map((pieces) => mean(pieces, 0))).toEqual([2, 3, 1].map((target) => expect.closeTo(target, 2)))
  expect(ids.map((pieces) => mean(pieces, 1))).toEqual([0, 0, 0])
})
